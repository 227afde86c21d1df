/** Caches a health check for a short time, so that frequent passes do not each run it. */
import { Clock, Effect } from "effect"
import type { Storage } from "../ports/storage.ts"
import { limits } from "../vocabulary/limits.ts"

export type HealthCheck = Storage["Service"]["health"]

/** The cached result is reused for at most one second, and dropped if the clock was set back. */
export const cacheHealth = Effect.fnUntraced(function* (health: HealthCheck) {
  const [cached, invalidate] = yield* Effect.cachedInvalidateWithTTL(health, Infinity)
  let checkedAt: number | undefined
  return Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    // After the clock was set back, the age of the cached result is unknown.
    const isCached = checkedAt !== undefined && checkedAt <= now && now - checkedAt < limits.webhookHealthCache
    if (!isCached) {
      checkedAt = now
      yield* invalidate
    }
    return yield* cached
  })
})
