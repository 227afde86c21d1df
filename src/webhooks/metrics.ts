/** Metrics of webhooks. No id is a label. */
import { Effect, Metric } from "effect"
import { counter, counterBy, gauge } from "../vocabulary/metric.ts"
import type { Outcome } from "./delivery.ts"

export const countAttempt = counterBy<{ outcome: Outcome }>(
  "countersign_webhook_attempts_total",
  "Webhook attempts by outcome"
)

const countExhausted = counter(
  "countersign_webhooks_exhausted_total",
  "Webhooks exhausted after all attempts; their owners have to redeliver them"
)

/** A send after its last attempt. */
export interface ExhaustedSend {
  readonly subscriptionId: string
  readonly deliveryId: string
}

/** Counts and logs an exhausted delivery, which needs its owner's attention. */
export const reportExhausted = ({ subscriptionId, deliveryId }: ExhaustedSend) =>
  Effect.andThen(
    countExhausted,
    Effect.logWarning("webhook exhausted after its last attempt: its owner can redeliver it", {
      subscriptionId,
      deliveryId
    })
  )

export const countLateResult = counter(
  "countersign_webhook_late_results_total",
  "Results rejected because another worker had taken over the lease"
)

export const countOwnFailure = counterBy<{ unreachable: "RESOLVER" | "STORE" | "KEY" }>(
  "countersign_webhook_internal_failures_total",
  "Sends that failed inside this service, by unreachable component; not counted as attempts"
)

const lag = Metric.histogram("countersign_webhook_lag_milliseconds", {
  description: "Milliseconds from the commit of an event to the request of its first attempt",
  boundaries: Metric.boundariesFromIterable([10, 50, 100, 500, 1_000, 5_000, 15_000, 60_000, 600_000])
})

export const recordLag = (milliseconds: number): Effect.Effect<void> => Metric.update(lag, milliseconds)

const sendsInProgress = Metric.gauge("countersign_webhook_sends_in_progress", {
  description: "Sends leased by this process and not yet settled"
})

export const changeSendsInProgress = (change: 1 | -1): Effect.Effect<void> => Metric.modify(sendsInProgress, change)

export const recordBacklogAge = gauge(
  "countersign_webhook_backlog_age_milliseconds",
  "Milliseconds that the oldest due delivery had waited at this process's last claim; 0 if none was due"
)
