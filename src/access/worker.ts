/** Ends expired connections, and forgets old attempts at guessing, about every 15 seconds. */
import { Effect, Layer, Schedule } from "effect"
import { forgetOldAttempts } from "../people/attempts.ts"
import { isHealthy, Storage } from "../ports/storage.ts"
import { limits } from "../vocabulary/limits.ts"
import { sweepConnections } from "./sweep.ts"

/** One pass; none where the store or the clocks are not fit for it. A pass that dies is logged and tried again. */
const connectionPass = Effect.gen(function* () {
  const storage = yield* Storage
  if (!isHealthy(yield* storage.health)) return
  yield* sweepConnections()
  yield* forgetOldAttempts()
}).pipe(Effect.catchCause((cause) => Effect.logError("connection pass", cause)))

export const connectionWorker = Layer.effectDiscard(
  connectionPass.pipe(Effect.repeat(Schedule.spaced(limits.connectionSweepInterval)), Effect.forkScoped)
)
