/** What is sent to Stripe, as golden text: every call, with its method, path, form and headers. */
import { assert, describe, expect, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import type { Instant } from "../../../src/vocabulary/instant.ts"
import { openedAttempt, performAt } from "../../support/stripe/payments.ts"
import type { ReceivedRequest } from "../../support/stripe/server.ts"
import { commerceOrderId } from "../../support/stripe/requests.ts"

const at = "2026-01-02T09:00:00.000Z" as Instant

/** A value that differs from run to run, or with the version of Node. */
const isVolatile = (name: string, value: string): boolean =>
  ["host", "content-length", "user-agent", "x-stripe-client-user-agent"].includes(name) ||
  value.startsWith("stripe-node-retry-")

const textOf = ({ method, path, query, headers, body }: ReceivedRequest): string =>
  [
    `${method} ${path}`,
    ...parametersIn(query),
    ...Object.entries(headers)
      .map(([name, value]) => `${name}: ${isVolatile(name, String(value)) ? "(varies)" : String(value)}`)
      .toSorted(),
    ...parametersIn(body)
  ].join("\n")

const parametersIn = (form: string): ReadonlyArray<string> =>
  [...new URLSearchParams(form)].map(([name, value]) => `    ${name} = ${value}`)

describe("Requests to Stripe", () => {
  it.live("Each call sends exactly the recorded method, path, parameters and headers.", () =>
    Effect.gen(function* () {
      const { server, payments, accountId, readback } = yield* openedAttempt({ now: () => at })
      yield* payments.readRecipientAccount(accountId, "https://example.org/workspace/recipient-account")
      performAt(server, { act: "pay", commerceOrderId })
      performAt(server, { act: "payOut", accountId })
      const before = server.received.length
      yield* payments.readBack(readback)
      // What depends on the payment is asked for at once.
      const texts = server.received.map(textOf)
      const recorded = [...texts.slice(0, before), ...texts.slice(before).toSorted()].join("\n\n")
      yield* Effect.promise(() => expect(`${recorded}\n`).toMatchFileSnapshot("./requests.txt"))
    })
  )

  it.live("No request names the machine, and none has telemetry.", () =>
    Effect.gen(function* () {
      const { server } = yield* openedAttempt()
      for (const { headers } of server.received) {
        assert.notProperty(headers, "x-stripe-client-telemetry")
        const agent = JSON.parse(String(headers["x-stripe-client-user-agent"])) as object
        assert.notProperty(agent, "platform")
        assert.notProperty(agent, "telemetry_id")
      }
    })
  )

  it.live("A list is read to its end in pages of 100, each after the last entity of the one before.", () =>
    Effect.gen(function* () {
      const { server, payments, readback } = yield* openedAttempt()
      performAt(server, { act: "pay", commerceOrderId })
      for (let refunds = 0; refunds < 200; refunds++)
        performAt(server, { act: "refund", commerceOrderId, amountMinor: 1 })
      const { REFUND: all } = yield* payments.readBack(readback)
      assert.lengthOf(all.outcome === "READ" ? all.entities : [], 200)
      const pages = server.received.filter(({ path }) => path === "/v1/refunds").map(({ query }) => query)
      const ids = server.provider.state.purchases[0]!.refunds.map(({ entity }) => entity)
      assert.deepStrictEqual(
        pages.map((query) => new URLSearchParams(query).get("starting_after")),
        [null, ids[100]]
      )
      performAt(server, { act: "refund", commerceOrderId, amountMinor: 1 })
      const more = yield* payments.readBack(readback)
      assert.deepStrictEqual(more.REFUND, { outcome: "FAILED", reason: "TOO_MANY_ENTITIES" })
      assert.strictEqual(more.DISPUTE.outcome, "READ")
    }).pipe(Effect.provide(Logger.layer([])))
  )
})
