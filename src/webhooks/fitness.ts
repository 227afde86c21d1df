/** Whether the store and the clocks are fit for a pass, as a worker knew a moment ago. */
import { Clock, Effect } from "effect"
import type { Storage } from "../ports/storage.ts"
import { limits } from "../vocabulary/limits.ts"

export type Health = Storage["Service"]["health"]

/** The same answer for all who ask within a second, as long as nobody sets the clock. */
export const knownFor = Effect.fnUntraced(function* (health: Health) {
  const [known, forget] = yield* Effect.cachedInvalidateWithTTL(health, Infinity)
  let askedAt: number | undefined
  return Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    // A clock that was set back says nothing of how long ago that was: what is known of it is of another time.
    const isKnown = askedAt !== undefined && askedAt <= now && now - askedAt < limits.callbackFitness
    if (!isKnown) {
      askedAt = now
      yield* forget
    }
    return yield* known
  })
})
