/** Changes of a payment attempt, and what they mean for its order. */
import { Effect } from "effect"
import { parseCanonical } from "../canonical/jcs.ts"
import type { NoPayments, PaymentProvider } from "../ports/payments.ts"
import type { Transaction } from "../ports/storage.ts"
import { never } from "../vocabulary/instant.ts"
import { eventOfOutcome, type AttemptOutcome } from "./attempt.ts"
import { nextReadback } from "./due.ts"
import { CommerceOrders, type CommerceOrderRow } from "./store.ts"
import { appendFinancialEvent, readStoredOrder } from "./stored-order.ts"

/** True if this provider, in its environment, holds the attempt. */
export const isHeldBy = (
  payments: NoPayments | PaymentProvider,
  { binding }: Pick<CommerceOrderRow, "binding">
): payments is PaymentProvider => {
  const { provider, environment } = parseCanonical(binding)
  return payments.kind === "PROVIDER" && payments.provider === provider && payments.environment === environment
}

type AttemptChanges = Partial<
  Pick<
    CommerceOrderRow,
    "checkoutId" | "checkoutUrl" | "journalCount" | "journalBytes" | "journalHead" | "lastEntryAt" | "failures"
  >
>

/** Under the project's lock, on the row as it is: changes the attempt, ends its lease, and appends the order's event. */
export const settleAttempt = Effect.fnUntraced(function* (
  transaction: Transaction,
  row: CommerceOrderRow,
  changes: AttemptChanges,
  outcome: AttemptOutcome | undefined
) {
  const now = yield* transaction.now
  const { commerceOrderId, resultOrderId } = row
  const state = outcome?.state ?? row.state
  const releasedAt = state === "RELEASED" ? (row.releasedAt ?? now) : row.releasedAt
  const settled = { ...row, ...changes, state, releasedAt }
  // Without a checkout there is nothing to read back.
  const isUnknown = state === "RELEASED" && settled.checkoutId === null
  yield* transaction.update(CommerceOrders, [commerceOrderId], {
    ...changes,
    state,
    releasedAt,
    captureRevision: row.captureRevision + 1,
    dueAt: isUnknown ? never : nextReadback(settled, now),
    leasedUntil: now,
    leaseToken: ""
  })
  if (outcome === undefined || (state !== "PAID" && state !== "RELEASED")) return
  const stored = (yield* readStoredOrder(transaction, resultOrderId))!
  const journal = { count: settled.journalCount, head: settled.journalHead }
  const content = eventOfOutcome(stored.order, commerceOrderId, outcome, journal)
  if (content !== undefined) yield* appendFinancialEvent(transaction, stored, content, { by: "SERVICE", now })
})
