/** Updates of a payment attempt: its row, its next readback and the event of its order. */
import { Effect } from "effect"
import { parseCanonical } from "../canonical/jcs.ts"
import type { NoPayments, PaymentProvider } from "../ports/payments.ts"
import type { Transaction } from "../ports/storage.ts"
import { never, type Instant } from "../vocabulary/instant.ts"
import { attemptOutcome, eventOfOutcome, type AttemptOutcome } from "./attempt.ts"
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

/** The outcome of an attempt of which nothing was read back; undefined if its state is unchanged. */
export const outcomeWithoutReadback = (
  { state, binding, checkoutId, expiresAt }: Pick<CommerceOrderRow, "state" | "binding" | "checkoutId" | "expiresAt">,
  now: Instant
): AttemptOutcome | undefined =>
  attemptOutcome(
    { state, binding: parseCanonical(binding), checkoutId, expiresAt, observations: [], isPaymentRead: false },
    now
  )

type AttemptChanges = Partial<
  Pick<
    CommerceOrderRow,
    | "checkoutId"
    | "checkoutUrl"
    | "hintedCheckoutId"
    | "journalCount"
    | "journalBytes"
    | "journalHead"
    | "lastEntryAt"
    | "failures"
  >
>

/**
 * Updates the row of an attempt, ends its lease, and appends the event of its order, if there is one. The caller holds the
 * project's lock, under which it read `row`.
 */
export const updateAttempt = Effect.fnUntraced(function* (
  transaction: Transaction,
  row: CommerceOrderRow,
  changes: AttemptChanges,
  outcome: AttemptOutcome | undefined
) {
  const now = yield* transaction.now
  const { commerceOrderId, resultOrderId } = row
  const state = outcome?.state ?? row.state
  const releasedAt = state === "RELEASED" ? (row.releasedAt ?? now) : row.releasedAt
  const updated = { ...row, ...changes, state, releasedAt }
  // Without a checkout there is nothing to read back.
  const isUnknown = state === "RELEASED" && updated.checkoutId === null && updated.hintedCheckoutId === null
  yield* transaction.update(CommerceOrders, [commerceOrderId], {
    ...changes,
    state,
    releasedAt,
    captureRevision: row.captureRevision + 1,
    dueAt: isUnknown ? never : nextReadback(updated, now),
    leasedUntil: now,
    leaseToken: ""
  })
  if (outcome === undefined || (state !== "PAID" && state !== "RELEASED")) return
  const stored = (yield* readStoredOrder(transaction, resultOrderId))!
  const journal = { count: updated.journalCount, head: updated.journalHead }
  const content = eventOfOutcome(stored.order, commerceOrderId, outcome, journal)
  if (content !== undefined) yield* appendFinancialEvent(transaction, stored, content, { by: "SERVICE", now })
})
