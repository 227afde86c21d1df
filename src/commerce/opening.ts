/**
 * Opens the checkout of a payment attempt, or repeats an opening whose answer was lost: the same key and parameters give
 * the same checkout. The provider is asked outside of any transaction.
 */
import { Effect } from "effect"
import { Payments, type PaymentProvider } from "../ports/payments.ts"
import { inTransaction } from "../ports/storage/run.ts"
import { exclusive } from "../ports/storage.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { traced } from "../vocabulary/traced.ts"
import type { AttemptOutcome } from "./attempt.ts"
import { mayRepeatOpening } from "./due.ts"
import { countDiscardedAnswer } from "./metrics.ts"
import { isHeldBy, outcomeWithoutReadback, updateAttempt } from "./attempt-update.ts"
import { CommerceOrders, type CommerceOrderRow } from "./store.ts"

type OpeningAnswer =
  | { readonly kind: "OPENED"; readonly checkoutId: string; readonly checkoutUrl: string }
  | { readonly kind: "REFUSED" | "UNAVAILABLE"; readonly reason: string }
  /** Too little time is left to pay a checkout that opens now. */
  | { readonly kind: "NOT_ASKED" }

/** `row`: an attempt whose checkout was not learned, as it was read. Another change since then wins. */
export const openCheckout = traced("commerce.openCheckout")(function* (row: CommerceOrderRow) {
  const payments = yield* Payments
  if (!isHeldBy(payments, row)) return
  const { commerceOrderId, projectId } = row
  const answer = yield* askProvider(payments, row, yield* currentTime)
  if (answer.kind === "REFUSED" || answer.kind === "UNAVAILABLE") {
    yield* Effect.logWarning("a checkout was not opened", { commerceOrderId, answer: answer.kind }, answer.reason)
  }
  yield* inTransaction({ locks: [exclusive("project", projectId)] }, function* (transaction) {
    const current = yield* transaction.get(CommerceOrders, [commerceOrderId])
    const now = yield* transaction.now
    if (current === undefined || current.captureRevision !== row.captureRevision) return yield* countDiscardedAnswer
    const { changes, outcome } = effectOf(current, answer, now)
    yield* updateAttempt(transaction, current, changes, outcome)
  })
})

const askProvider = (
  payments: PaymentProvider,
  { checkoutRequest, expiresAt }: CommerceOrderRow,
  now: Instant
): Effect.Effect<OpeningAnswer> =>
  mayRepeatOpening(expiresAt, now)
    ? payments.openCheckout(checkoutRequest).pipe(
        Effect.map(({ checkoutId, url }): OpeningAnswer => ({ kind: "OPENED", checkoutId, checkoutUrl: url })),
        Effect.catchTags({
          ProviderUnavailable: ({ reason }) => Effect.succeed<OpeningAnswer>({ kind: "UNAVAILABLE", reason }),
          ProviderRefused: ({ reason }) => Effect.succeed<OpeningAnswer>({ kind: "REFUSED", reason })
        })
      )
    : Effect.succeed({ kind: "NOT_ASKED" })

const effectOf = (row: CommerceOrderRow, answer: OpeningAnswer, now: Instant) => {
  switch (answer.kind) {
    case "OPENED": {
      const { checkoutId, checkoutUrl } = answer
      const changes = { checkoutId, checkoutUrl, hintedCheckoutId: null, failures: 0 }
      return { changes, outcome: outcomeWithoutReadback({ ...row, checkoutId }, now) }
    }
    case "REFUSED": {
      const outcome: AttemptOutcome = { state: "RELEASED", reason: "PROVIDER_REFUSED" }
      return { changes: {}, outcome }
    }
    case "UNAVAILABLE":
      return { changes: { failures: row.failures + 1 }, outcome: undefined }
    case "NOT_ASKED":
      return { changes: { failures: 0 }, outcome: outcomeWithoutReadback(row, now) }
  }
}
