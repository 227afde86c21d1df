/** The service's clock, set by a test. */
import { Clock, Effect } from "effect"
import { toMilliseconds, type Instant } from "../../src/vocabulary/instant.ts"

/** Runs an effect with the clock fixed at that instant; sleeping still takes real time. */
export const at =
  (instant: Instant) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Clock.clockWith((real) => {
      const milliseconds = toMilliseconds(instant)
      const frozen: Clock.Clock = Object.assign(Object.create(real), {
        currentTimeMillisUnsafe: () => milliseconds,
        currentTimeMillis: Effect.succeed(milliseconds)
      })
      return Effect.provideService(effect, Clock.Clock, frozen)
    })
