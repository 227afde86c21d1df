/** Metrics of transactions that hold for every store. No id is a label. */
import { Effect, Metric } from "effect"
import type { FailureCause } from "./transaction-retry.ts"

const repeated = Metric.counter("countersign_attempts_repeated_total", {
  description: "Attempts of transactions that failed without effect and were repeated, by cause",
  incremental: true
})

const givenUp = Metric.counter("countersign_transactions_given_up_total", {
  description: "Transactions given up after a failed attempt, by its cause; their requests are answered 503",
  incremental: true
})

export const countRepeatedAttempt = (cause: FailureCause): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(repeated, { cause }), 1)

export const countGivenUpTransaction = (cause: FailureCause): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(givenUp, { cause }), 1)
