/** Ends expired connections and deletes expired guess counters, about every 15 seconds. */
import { Effect, Layer, Schedule } from "effect"
import { deleteExpiredAttempts } from "../people/attempt-limits.ts"
import { isHealthy, Storage } from "../ports/storage.ts"
import { limits } from "../vocabulary/limits.ts"
import { sweepConnections } from "./sweep.ts"

/** One pass; skipped where the store or the clocks are unhealthy. A pass that dies is logged and retried. */
const connectionPass = Effect.gen(function* () {
  const storage = yield* Storage
  if (!isHealthy(yield* storage.health)) return
  yield* sweepConnections()
  yield* deleteExpiredAttempts()
}).pipe(Effect.catchCause((cause) => Effect.logError("connection pass", cause)))

export const connectionWorker = Layer.effectDiscard(
  connectionPass.pipe(Effect.repeat(Schedule.spaced(limits.connectionSweepInterval)), Effect.forkScoped)
)
