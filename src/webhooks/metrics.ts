/** Metrics of webhooks. No id is a label. */
import { Effect, Metric } from "effect"
import type { Outcome } from "./delivery.ts"

const attempts = Metric.counter("countersign_webhook_attempts_total", {
  description: "Webhook attempts by outcome",
  incremental: true
})

const exhausted = Metric.counter("countersign_webhooks_exhausted_total", {
  description: "Webhooks exhausted after all attempts; their owners have to redeliver them",
  incremental: true
})

const fencedOff = Metric.counter("countersign_webhook_late_results_total", {
  description: "Results rejected because another worker had taken over the lease",
  incremental: true
})

const ownFailures = Metric.counter("countersign_webhook_internal_failures_total", {
  description: "Sends that failed inside this service, by unreachable component; not counted as attempts",
  incremental: true
})

const lag = Metric.histogram("countersign_webhook_lag_milliseconds", {
  description: "Milliseconds from the commit of an event to the request of its first attempt",
  boundaries: Metric.boundariesFromIterable([10, 50, 100, 500, 1_000, 5_000, 15_000, 60_000, 600_000])
})

const sendsInProgress = Metric.gauge("countersign_webhook_sends_in_progress", {
  description: "Sends leased by this process and not yet settled"
})

const behind = Metric.gauge("countersign_webhook_backlog_age_milliseconds", {
  description: "Milliseconds that the oldest due delivery had waited at this process's last claim; 0 if none was due"
})

export const countAttempt = (outcome: Outcome) => Metric.update(Metric.withAttributes(attempts, { outcome }), 1)

/** A send after its last attempt. */
export interface ExhaustedSend {
  readonly subscriptionId: string
  readonly deliveryId: string
}

/** Counts and logs an exhausted delivery, which needs its owner's attention. */
export const reportExhausted = ({ subscriptionId, deliveryId }: ExhaustedSend) =>
  Effect.andThen(
    Metric.update(exhausted, 1),
    Effect.logWarning("webhook exhausted after its last attempt: its owner can redeliver it", {
      subscriptionId,
      deliveryId
    })
  )

export const countLateResult = Metric.update(fencedOff, 1)

export const countOwnFailure = (unreachable: "RESOLVER" | "STORE" | "KEY") =>
  Metric.update(Metric.withAttributes(ownFailures, { unreachable }), 1)

export const recordLag = (milliseconds: number): Effect.Effect<void> => Metric.update(lag, milliseconds)

export const changeSendsInProgress = (change: 1 | -1): Effect.Effect<void> => Metric.modify(sendsInProgress, change)

export const recordBacklogAge = (milliseconds: number): Effect.Effect<void> => Metric.update(behind, milliseconds)
