/** What an operator watches of callbacks. No id is a label. */
import { Effect, Metric } from "effect"
import type { Outcome } from "./delivery.ts"

const attempts = Metric.counter("countersign_callback_attempts_total", {
  description: "Attempts to send a callback, by what came of them",
  incremental: true
})

const exhausted = Metric.counter("countersign_callbacks_exhausted_total", {
  description: "Callbacks that failed as often as they are tried: somebody has to redeliver them",
  incremental: true
})

const fencedOff = Metric.counter("countersign_callback_late_results_total", {
  description: "Results of sends that another worker had taken over by then; they changed nothing",
  incremental: true
})

const ownFailures = Metric.counter("countersign_callback_own_failures_total", {
  description: "Sends that failed on this side, by what was unreachable; they count as no attempt",
  incremental: true
})

const toFirstByte = Metric.histogram("countersign_callback_lag_milliseconds", {
  description: "From the commit of an event to the request of its first attempt, in milliseconds",
  boundaries: Metric.boundariesFromIterable([10, 50, 100, 500, 1_000, 5_000, 15_000, 60_000, 600_000])
})

const underWay = Metric.gauge("countersign_callbacks_under_way", {
  description: "Sends that this process has taken and not yet settled"
})

const behind = Metric.gauge("countersign_callback_behind_milliseconds", {
  description: "How long the oldest that was due had waited when this process last claimed; 0 where nothing was due"
})

export const countAttempt = (outcome: Outcome) => Metric.update(Metric.withAttributes(attempts, { outcome }), 1)

/** A send that has failed as often as it is tried. */
export interface SpentSend {
  readonly subscriptionId: string
  readonly deliveryId: string
}

/** Somebody has to look: in the log and in the metric, whoever found it. */
export const noteExhausted = ({ subscriptionId, deliveryId }: SpentSend) =>
  Effect.andThen(
    Metric.update(exhausted, 1),
    Effect.logWarning("a callback is exhausted: its owner redelivers it", { subscriptionId, deliveryId })
  )

export const countFencedOff = Metric.update(fencedOff, 1)

export const countOwnFailure = (unreachable: "RESOLVER" | "STORE" | "KEY") =>
  Metric.update(Metric.withAttributes(ownFailures, { unreachable }), 1)

export const noteLag = (milliseconds: number): Effect.Effect<void> => Metric.update(toFirstByte, milliseconds)

export const noteUnderWay = (change: 1 | -1): Effect.Effect<void> => Metric.modify(underWay, change)

export const noteBehind = (milliseconds: number): Effect.Effect<void> => Metric.update(behind, milliseconds)
