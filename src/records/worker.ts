/** Processes pending issuance requests about every 15 seconds (3). */
import { Effect, Layer, Schedule } from "effect"
import { isHealthy, Storage } from "../ports/storage.ts"
import { limits } from "../vocabulary/limits.ts"
import { issueDueRecords } from "./issuance.ts"

/** One pass; skipped while the store or its clock is unhealthy. A failed pass is logged and repeated. */
export const issuancePass = Effect.gen(function* () {
  const storage = yield* Storage
  if (isHealthy(yield* storage.health)) yield* issueDueRecords()
}).pipe(Effect.catchCause((cause) => Effect.logError("issuance pass failed", cause)))

export const issuanceWorker = Layer.effectDiscard(
  issuancePass.pipe(Effect.repeat(Schedule.spaced(limits.issuanceInterval)), Effect.forkScoped)
)
