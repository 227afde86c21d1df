/** Requests per minute, per credential and per address. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { rateLimitsLayer } from "../../src/http/rate-limits.ts"
import { assertRefusal } from "../support/errors.ts"
import { makeAgent, makeParty } from "../support/parties.ts"
import { freshService, postgresStorage, send, testService } from "../support/service.ts"

const agents = "/api/agents/v1"
const me = (token: string) => send("GET", `${agents}/me`, { token })

const newToken = Effect.gen(function* () {
  const { token } = yield* makeAgent(yield* makeParty("Dana"), "BUYER", ["CREATE_PROJECT"])
  return token
})

const rated = (options: { readonly perCredential?: number; readonly perAddress?: number }) =>
  Layer.unwrap(
    Effect.map(freshService, (connection) =>
      testService(postgresStorage(connection)).pipe(Layer.provide(rateLimitsLayer(options)))
    )
  )

layer(rated({ perCredential: 3 }), { excludeTestServices: true })("rate limit per credential", (it) => {
  it.effect("The rate limit refuses only its credential, with 503 and the time to wait", () =>
    Effect.gen(function* () {
      const [token, other] = [yield* newToken, yield* newToken]
      const statuses = yield* Effect.forEach([1, 2, 3, 4], () => Effect.map(me(token), ({ status }) => status))
      assert.deepStrictEqual(statuses, [200, 200, 200, 503])
      const refused = yield* me(token)
      assertRefusal(refused)
      assert.deepStrictEqual([refused.body.error, refused.headers["retry-after"]], ["TEMPORARILY_UNAVAILABLE", "60"])
      assert.strictEqual((yield* me(other)).status, 200)
      assert.strictEqual((yield* send("GET", `${agents}/capabilities`)).status, 200)
    })
  )
})

layer(rated({ perAddress: 3 }), { excludeTestServices: true })("rate limit per address", (it) => {
  it.effect("The rate limit refuses only its address", () =>
    Effect.gen(function* () {
      const read = (from: string) => Effect.map(send("GET", `${agents}/capabilities`, { from }), ({ status }) => status)
      const statuses = yield* Effect.forEach([1, 2, 3, 4], () => read("203.0.113.9"))
      assert.deepStrictEqual(statuses, [200, 200, 200, 503])
      assert.strictEqual(yield* read("203.0.113.10"), 200)
    })
  )
})
