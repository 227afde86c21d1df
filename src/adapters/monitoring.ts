/** Watches the database for the metrics of this process. */
import { Effect, Layer, Schedule } from "effect"
import { limits } from "../vocabulary/limits.ts"
import { DatabaseMonitor } from "./postgres-storage/monitor.ts"

/** A failed pass is logged and repeated. */
export const databaseMonitoring = Layer.effectDiscard(
  Effect.gen(function* () {
    const { pass } = yield* DatabaseMonitor
    const logged = Effect.catchCause(pass, (cause) => Effect.logWarning("the database was not read for metrics", cause))
    yield* Effect.forkScoped(Effect.repeat(logged, Schedule.spaced(limits.monitorInterval)))
  })
)
