/** Webhook attempts by month of their start: their indexes stay small, and the past can move to another tablespace. */
import type { Step } from "./migration.ts"

export const monthlyAttempts: ReadonlyArray<Step> = [
  {
    kind: "index",
    name: "webhook_attempts_by_month",
    on: "webhook_attempts (delivery_id, attempt, at)",
    unique: true
  },
  { kind: "partitioning", table: "webhook_attempts", by: "at", keyIndex: "webhook_attempts_by_month" }
]
