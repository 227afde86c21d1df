/** The requests that a listening server serves. */
import * as net from "node:net"
import { assert, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { Configuration } from "../../src/adapters/configuration.ts"
import { listen } from "../../src/adapters/http-server.ts"
import { HttpApp } from "../../src/service.ts"
import { freePort } from "../support/server.ts"

it.live("A request whose connection was reset before the server read its address is not served.", () =>
  Effect.gen(function* () {
    const port = yield* freePort
    const served: Array<string> = []
    const app = Effect.map(HttpServerRequest.HttpServerRequest, ({ url }) => {
      served.push(url)
      return HttpServerResponse.empty()
    })
    const configuration = Configuration.layer.pipe(
      Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord({ PORT: String(port) })))
    )
    const server = Layer.effectDiscard(listen).pipe(
      Layer.provide(Layer.succeed(HttpApp, app)),
      Layer.provide(configuration)
    )
    yield* Effect.gen(function* () {
      for (let index = 0; index < 5; index++) yield* Effect.promise(() => postAndReset(port))
      const answer = yield* Effect.promise(() => fetch(`http://127.0.0.1:${port}/after`))
      assert.deepStrictEqual([answer.status, served], [204, ["/after"]])
    }).pipe(Effect.provide(server))
  })
)

/** Sends a whole request and resets the connection at once: the server reads a request without a client address. */
const postAndReset = (port: number): Promise<void> =>
  new Promise((resolve) => {
    const socket = net.connect(port, "127.0.0.1", () => {
      socket.write("POST /reset HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}")
      socket.resetAndDestroy()
    })
    socket.on("error", () => {})
    socket.on("close", () => resolve())
  })
