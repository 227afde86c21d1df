/** Too many requests in flight: which are refused first, and what they are told. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { Load, load } from "../../src/http/load.ts"
import type { RequestClass } from "../../src/http/request-class.ts"
import { Transport, transportRules } from "../../src/http/transport.ts"

const limited = (requestsInFlight: number) =>
  Layer.provide(
    load,
    Layer.succeed(Transport, transportRules({ endsTls: false, trustedProxies: [], requestsInFlight }))
  )

const classes: ReadonlyArray<RequestClass> = ["list", "read", "command", "stop"]

/** The classes that are refused while so many requests are in flight. */
const refusedWhile = (
  count: number,
  inFlight: RequestClass = "command"
): Effect.Effect<ReadonlyArray<RequestClass>, never, Load> =>
  Effect.gen(function* () {
    const { counted, refuseOverload } = yield* Load
    const asked = Effect.filter(classes, (one) => Effect.map(refuseOverload(one), (refused) => refused !== undefined))
    let answer = asked
    for (let added = 0; added < count; added++) answer = counted(inFlight, answer)
    return yield* answer
  })

layer(limited(8))("load", (it) => {
  it.effect("Lists are refused first, then reads, then commands, and a stop control with none of them", () =>
    Effect.gen(function* () {
      const seen = yield* Effect.forEach([7, 8, 9, 10, 11, 12, 1_000], (count) => refusedWhile(count))
      assert.deepStrictEqual(seen, [
        [],
        ["list"],
        ["list"],
        ["list", "read"],
        ["list", "read"],
        ["list", "read", "command"],
        ["list", "read", "command"]
      ])
      assert.deepStrictEqual(yield* refusedWhile(0), [])
    })
  )

  it.effect("Stop controls in flight refuse nothing else, and are refused themselves at eight times the bound", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* refusedWhile(63, "stop"), [])
      assert.deepStrictEqual(yield* refusedWhile(64, "stop"), ["stop"])
    })
  )

  it.effect("A refusal names the limit and the class, and is counted", () =>
    Effect.gen(function* () {
      const { counted, refuseOverload } = yield* Load
      const inFlight = (count: number, answer: ReturnType<typeof refuseOverload>): typeof answer =>
        count === 0 ? answer : inFlight(count - 1, counted("read", answer))
      const refused = yield* inFlight(10, refuseOverload("read"))
      assert.deepStrictEqual(refused?.facts, {
        detail:
          "Limit reached: 10 requests in flight, past which a read is refused; nothing has changed, so retry the saved request unchanged.",
        retryAfter: 1
      })
      assert.match(yield* PrometheusMetrics.format(), /^countersign_requests_shed_total\{class="read"\} [1-9]/m)
    })
  )

  it.effect("A body that arrives when its class is refused ends its request, but not that of a stop control", () =>
    Effect.gen(function* () {
      const { counted, receiving } = yield* Load
      const body = { network: "198.51.100.1", isAnonymous: false, drop: () => {} }
      const outcomeOf = (requestClass: RequestClass) =>
        counted(
          requestClass,
          // While this body arrives, others fill the process.
          Effect.isSuccess(receiving(body, Effect.void))
        )
      const filled = (count: number, answer: Effect.Effect<boolean>): Effect.Effect<boolean> =>
        count === 0 ? answer : filled(count - 1, counted("command", answer))
      const outcomes = yield* Effect.forEach(classes, (one) => filled(10, outcomeOf(one)))
      assert.deepStrictEqual(outcomes, [false, false, true, true])
    })
  )
})
