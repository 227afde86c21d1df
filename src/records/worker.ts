/** Carries out pending issuances about every 15 seconds (3). */
import { Effect, Layer, Schedule } from "effect"
import { isHealthy, Storage } from "../ports/storage.ts"
import { limits } from "../vocabulary/limits.ts"
import { issueDueRecords } from "./issuance.ts"

/** One pass; none where the store or the clocks are not fit for it. A pass that dies is logged and tried again. */
export const issuancePass = Effect.gen(function* () {
  const storage = yield* Storage
  if (isHealthy(yield* storage.health)) yield* issueDueRecords()
}).pipe(Effect.catchCause((cause) => Effect.logError("issuance pass", cause)))

export const issuanceWorker = Layer.effectDiscard(
  issuancePass.pipe(Effect.repeat(Schedule.spaced(limits.issuanceInterval)), Effect.forkScoped)
)
