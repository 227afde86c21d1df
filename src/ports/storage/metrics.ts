/** Metrics of transactions that hold for every store. No id is a label. */
import { counterBy } from "../../vocabulary/metric.ts"
import type { FailureCause } from "./transaction-retry.ts"

export const countRetry = counterBy<{ cause: FailureCause }>(
  "countersign_transaction_retries_total",
  "Retries of transactions whose attempt failed without effect, by cause"
)

export const countFailedTransaction = counterBy<{ cause: FailureCause }>(
  "countersign_transactions_failed_total",
  "Transactions that failed after their last attempt, by its cause; their requests are answered 503"
)
