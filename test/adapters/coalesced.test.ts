import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { coalesced } from "../../src/adapters/postgres-storage/coalesced.ts"

/** Lets every fiber that is ready run. */
const quiescence = Effect.repeat(Effect.yieldNow, { times: 10 })

it.effect("Calls during a run are answered together by one run that begins after them.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const gates = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      let runs = 0
      const ask = yield* coalesced(
        Effect.suspend(() => {
          const run = runs++
          return Effect.as(Deferred.await(gates[run]!), run)
        })
      )
      const first = yield* Effect.forkChild(ask, { startImmediately: true })
      yield* quiescence
      const later = [
        yield* Effect.forkChild(ask, { startImmediately: true }),
        yield* Effect.forkChild(ask, { startImmediately: true })
      ]
      yield* quiescence
      assert.strictEqual(runs, 1)
      yield* Deferred.succeed(gates[0]!, undefined)
      yield* Deferred.succeed(gates[1]!, undefined)
      assert.strictEqual(yield* Fiber.join(first), 0)
      assert.deepStrictEqual(yield* Effect.forEach(later, Fiber.join), [1, 1])
      assert.strictEqual(runs, 2)
    })
  )
)
