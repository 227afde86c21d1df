/** Metrics of transactions that hold for every store. No id is a label. */
import { Effect, Metric } from "effect"
import type { FailureCause } from "./transaction-retry.ts"

const retries = Metric.counter("countersign_transaction_retries_total", {
  description: "Retries of transactions whose attempt failed without effect, by cause",
  incremental: true
})

const failed = Metric.counter("countersign_transactions_failed_total", {
  description: "Transactions that failed after their last attempt, by its cause; their requests are answered 503",
  incremental: true
})

export const countRetry = (cause: FailureCause): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(retries, { cause }), 1)

export const countFailedTransaction = (cause: FailureCause): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(failed, { cause }), 1)
