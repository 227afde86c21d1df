/** Spans: made and sent where a receiver is configured, and otherwise not made at all. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Option, References } from "effect"
import { Configuration } from "../../src/adapters/configuration.ts"
import { telemetry } from "../../src/command-line/production.ts"
import { traced, withTracedSpan } from "../../src/vocabulary/traced.ts"

const telemetryWith = (environment: Record<string, string>) =>
  telemetry.pipe(
    Layer.provide(Configuration.layer),
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord(environment)))
  )

/** A receiver of OTLP on this machine, and the names of the spans that it received. */
const receiver = Effect.gen(function* () {
  const names: Array<string> = []
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      if (request.url === "/v1/traces") {
        const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString())
        for (const { scopeSpans } of resourceSpans)
          for (const { spans } of scopeSpans) for (const { name } of spans) names.push(name)
      }
      response.end("{}")
    })
  })
  yield* Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void)))
  yield* Effect.addFinalizer(() => Effect.callback<void>((resume) => void server.close(() => resume(Effect.void))))
  return { names, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
})

const inner = traced("test.inner")(function* (count: number) {
  return yield* Effect.succeed(count + 1)
})

const currentSpan = Effect.map(Effect.option(Effect.currentSpan), Option.isSome)
const outer = traced("test.outer")(function* (count: number) {
  return { hasSpan: yield* currentSpan, count: yield* inner(count) }
})

describe("spans", () => {
  it.live("Operations and requests are spans where a receiver is configured", () =>
    Effect.gen(function* () {
      const { names, url } = yield* receiver
      const answer = outer(1).pipe(
        withTracedSpan("test.request", () => ({ kind: "server" })),
        Effect.provide(telemetryWith({ OTEL_EXPORTER_OTLP_ENDPOINT: url }))
      )
      expect(yield* answer).toEqual({ hasSpan: true, count: 2 })
      expect(names.toSorted()).toEqual(["test.inner", "test.outer", "test.request"])
    }).pipe(Effect.scoped)
  )

  it.live("Without a receiver, no span is made and its options are not computed", () =>
    Effect.gen(function* () {
      assert.isFalse(yield* References.TracerEnabled)
      const answer = outer(1).pipe(
        withTracedSpan("test.request", () => {
          throw new Error("computed")
        })
      )
      expect(yield* answer).toEqual({ hasSpan: false, count: 2 })
    }).pipe(Effect.provide(telemetryWith({})))
  )
})
