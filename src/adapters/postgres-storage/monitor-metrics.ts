/** Metrics of the queues in the database, and of the standbys of the primary. No id of a client is a label. */
import { Effect, Metric } from "effect"
import { limits } from "../../vocabulary/limits.ts"
import { gauge, gaugeBy } from "../../vocabulary/metric.ts"
import type { QueueState, StandbyState } from "./monitor.ts"

const recordDue = gaugeBy<{ queue: string }>(
  "countersign_queue_due",
  `Due entries of a queue of the workers, counted up to ${limits.queueCounted}`
)

const recordAge = gaugeBy<{ queue: string }>(
  "countersign_queue_age_milliseconds",
  "Milliseconds that the oldest entry of a queue has been due; 0 if none is"
)

export const recordQueue = ({ name: queue, due, age }: QueueState): Effect.Effect<void> =>
  Effect.andThen(recordDue({ queue }, due), recordAge({ queue }, age))

const recordRequired = gauge(
  "countersign_standby_required",
  "1 where commands need a synchronous standby (REQUIRE_SYNC_STANDBY), else 0"
)

export const recordRequirement = (isRequired: boolean): Effect.Effect<void> => recordRequired(isRequired ? 1 : 0)

const synchronousStandbys = Metric.gauge("countersign_synchronous_standbys", {
  description: "Synchronous standbys that are connected to the primary"
})

const isSynchronous = Metric.gauge("countersign_standby_synchronous", {
  description: "1 where the standby is synchronous, else 0"
})

const lagBytes = Metric.gauge("countersign_standby_lag_bytes", {
  description: "Bytes of the primary's log that the standby has not replayed"
})

const lagSeconds = Metric.gauge("countersign_standby_lag_seconds", {
  description: "Seconds from a commit until the standby replayed it, as the primary last measured; 0 if it is idle"
})

/** Records the standbys of each pass, undefined where the primary does not report them; the series of others end. */
export const makeStandbyRecord = () => {
  let recorded: ReadonlyArray<string> = []
  return Effect.fnUntraced(function* (standbys: ReadonlyArray<StandbyState> | undefined) {
    for (const standby of recorded) {
      for (const metric of [isSynchronous, lagBytes, lagSeconds]) {
        yield* Metric.remove(Metric.withAttributes(metric, { standby }))
      }
    }
    recorded = (standbys ?? []).map(({ name }) => name)
    if (standbys === undefined) return yield* Metric.remove(synchronousStandbys)
    yield* Metric.update(synchronousStandbys, standbys.filter((standby) => standby.isSynchronous).length)
    for (const { name: standby, ...state } of standbys) {
      yield* Metric.update(Metric.withAttributes(isSynchronous, { standby }), state.isSynchronous ? 1 : 0)
      yield* Metric.update(Metric.withAttributes(lagBytes, { standby }), state.lagBytes)
      yield* Metric.update(Metric.withAttributes(lagSeconds, { standby }), state.lagSeconds)
    }
  })
}
