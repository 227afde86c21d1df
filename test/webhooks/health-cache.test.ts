import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { cacheHealth } from "../../src/webhooks/health-cache.ts"

/** A clock that the test can set. */
class SetClock implements Clock.Clock {
  wall = 1_000_000

  readonly currentTimeMillisUnsafe = () => this.wall
  readonly currentTimeMillis = Effect.sync(() => this.wall)
  readonly currentTimeNanosUnsafe = () => BigInt(this.wall) * 1_000_000n
  readonly currentTimeNanos = Effect.sync(this.currentTimeNanosUnsafe)
  readonly monotonicTimeNanosUnsafe = () => 0n
  readonly monotonicTimeNanos = Effect.succeed(0n)
  readonly sleep = () => Effect.void

  pass(milliseconds: number): void {
    this.wall += milliseconds
  }
}

const setUp = Effect.gen(function* () {
  const clock = new SetClock()
  let asked = 0
  const known = { writable: true, schemaFits: true, replicated: true }
  const health = Effect.sync(() => ({ ...known, clockOffset: (asked += 1) }))
  const cached = yield* cacheHealth(health)
  return { clock, ask: Effect.map(Effect.provideService(cached, Clock.Clock, clock), (one) => one.clockOffset) }
})

describe("a worker's cached health", () => {
  it.effect("The health check runs again after a second, and not before.", () =>
    Effect.gen(function* () {
      const { clock, ask } = yield* setUp
      assert.strictEqual(yield* ask, 1)
      clock.pass(999)
      assert.strictEqual(yield* ask, 1)
      clock.pass(1)
      assert.strictEqual(yield* ask, 2)
    })
  )

  it.effect.each([-600_000, -1, 1000, 600_000])(
    "The health check runs again immediately if the clock was set by %i ms.",
    (by) =>
      Effect.gen(function* () {
        const { clock, ask } = yield* setUp
        assert.strictEqual(yield* ask, 1)
        clock.pass(by)
        assert.strictEqual(yield* ask, 2)
        clock.pass(999)
        assert.strictEqual(yield* ask, 2)
      })
  )
})
