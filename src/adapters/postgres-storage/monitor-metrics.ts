/** Metrics of the queues in the database, and of the standbys of the primary. No id of a client is a label. */
import { Effect, Metric } from "effect"
import { limits } from "../../vocabulary/limits.ts"
import type { QueueState, StandbyState } from "./monitor.ts"

const queueDue = Metric.gauge("countersign_queue_due", {
  description: `Due entries of a queue of the workers, counted up to ${limits.queueCounted}`
})

const queueAge = Metric.gauge("countersign_queue_age_milliseconds", {
  description: "Milliseconds that the oldest entry of a queue has been due; 0 if none is"
})

const standbyRequired = Metric.gauge("countersign_standby_required", {
  description: "1 where commands need a synchronous standby (REQUIRE_SYNC_STANDBY), else 0"
})

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

export const recordQueue = ({ name, due, age }: QueueState): Effect.Effect<void> =>
  Effect.andThen(
    Metric.update(Metric.withAttributes(queueDue, { queue: name }), due),
    Metric.update(Metric.withAttributes(queueAge, { queue: name }), age)
  )

export const recordRequirement = (isRequired: boolean): Effect.Effect<void> =>
  Metric.update(standbyRequired, isRequired ? 1 : 0)

/** Records the standbys of each pass, undefined where the primary does not report them; the series of others end. */
export const makeStandbyRecord = () => {
  let recorded: ReadonlyArray<string> = []
  return Effect.fnUntraced(function* (standbys: ReadonlyArray<StandbyState> | undefined) {
    for (const standby of recorded) {
      for (const gauge of [isSynchronous, lagBytes, lagSeconds]) {
        yield* Metric.remove(Metric.withAttributes(gauge, { standby }))
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
