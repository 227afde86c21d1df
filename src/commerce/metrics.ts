/** Metrics of payments. No id is a label. */
import { Effect, Metric } from "effect"
import type { CapturedComponent } from "./capture.ts"

const readbacks = Metric.counter("countersign_payment_readbacks_total", {
  description: "Readbacks of payment attempts by outcome: all components read, or some failed",
  incremental: true
})

const failedComponents = Metric.counter("countersign_payment_components_failed_total", {
  description: "Components of payment attempts that a readback could not read, by component and reason",
  incremental: true
})

const entries = Metric.counter("countersign_payment_entries_total", {
  description: "Entries appended to the journals of payment attempts, by component",
  incremental: true
})

const discardedAnswers = Metric.counter("countersign_payment_discarded_answers_total", {
  description: "Answers of the payment provider that were discarded because the attempt had changed meanwhile",
  incremental: true
})

const deferred = Metric.counter("countersign_payment_deferred_total", {
  description: "Due attempts put off because the installation has another payment provider or environment",
  incremental: true
})

const notifications = Metric.counter("countersign_payment_notifications_total", {
  description:
    "Notifications of the payment provider by outcome: attempts made due, no attempt known here, or not authentic",
  incremental: true
})

const due = Metric.gauge("countersign_payment_due_age_milliseconds", {
  description: "Milliseconds that the oldest due attempt had waited at this process's last claim; 0 if none was due"
})

export const countReadback = Effect.fnUntraced(function* (components: ReadonlyArray<CapturedComponent>) {
  const failures = components.filter(({ outcome }) => outcome === "FAILED")
  yield* Metric.update(Metric.withAttributes(readbacks, { outcome: failures.length === 0 ? "READ" : "FAILED" }), 1)
  for (const { component, reason } of failures) {
    yield* Metric.update(Metric.withAttributes(failedComponents, { component, reason: reason ?? "" }), 1)
  }
  for (const { component, newEntries } of components) {
    if (newEntries > 0) yield* Metric.update(Metric.withAttributes(entries, { component }), newEntries)
  }
})

export const countDiscardedAnswer: Effect.Effect<void> = Metric.update(discardedAnswers, 1)

export const countDeferred: Effect.Effect<void> = Metric.update(deferred, 1)

export const countNotification = (outcome: "DUE" | "UNKNOWN" | "INVALID"): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(notifications, { outcome }), 1)

export const recordDueAge = (milliseconds: number): Effect.Effect<void> => Metric.update(due, milliseconds)
