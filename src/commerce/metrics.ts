/** Metrics of payments. No id is a label. */
import { Effect } from "effect"
import { counter, counterBy, gauge } from "../vocabulary/metric.ts"
import type { CapturedComponent } from "./capture.ts"

const countRead = counterBy<{ outcome: "READ" | "FAILED" }>(
  "countersign_payment_readbacks_total",
  "Readbacks of payment attempts by outcome: all components read, or some failed"
)

const countFailedComponent = counterBy<{ component: CapturedComponent["component"]; reason: string }>(
  "countersign_payment_components_failed_total",
  "Components of payment attempts that a readback could not read, by component and reason"
)

const countEntries = counterBy<{ component: CapturedComponent["component"] }>(
  "countersign_payment_entries_total",
  "Entries appended to the journals of payment attempts, by component"
)

export const countReadback = Effect.fnUntraced(function* (components: ReadonlyArray<CapturedComponent>) {
  const failures = components.filter(({ outcome }) => outcome === "FAILED")
  yield* countRead({ outcome: failures.length === 0 ? "READ" : "FAILED" })
  for (const { component, reason } of failures) yield* countFailedComponent({ component, reason: reason ?? "" })
  for (const { component, newEntries } of components) {
    if (newEntries > 0) yield* countEntries({ component }, newEntries)
  }
})

export const countDiscardedAnswer = counter(
  "countersign_payment_discarded_answers_total",
  "Answers of the payment provider that were discarded because the attempt had changed meanwhile"
)

export const countDeferred = counter(
  "countersign_payment_deferred_total",
  "Due attempts put off because the installation has another payment provider or environment"
)

export const countNotification = counterBy<{ outcome: "DUE" | "UNKNOWN" | "INVALID" }>(
  "countersign_payment_notifications_total",
  "Notifications of the payment provider by outcome: attempts made due, no attempt known here, or not authentic"
)

export const recordDueAge = gauge(
  "countersign_payment_due_age_milliseconds",
  "Milliseconds that the oldest due attempt had waited at this process's last claim; 0 if none was due"
)
