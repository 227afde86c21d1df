/** A new payment attempt: its row with everything that its checkout and its records need, and the signed order record. */
import { Effect } from "effect"
import { canonicalText, parseCanonical } from "../canonical/jcs.ts"
import { Installation } from "../ports/installation.ts"
import type { CheckoutRequest, PaymentProvider } from "../ports/payments.ts"
import { Signer } from "../ports/signer.ts"
import type { Transaction } from "../ports/storage.ts"
import type { ProjectRow } from "../projects/project-row.ts"
import { signOrRefuse } from "../records/signed-copy.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { nextReadback } from "./due.ts"
import type { FinancialEventContent } from "./financial-event.ts"
import { emptyJournal } from "./journal.ts"
import { resultOrderPayload } from "./result-order-record.ts"
import { baseUrlOf, orderPage } from "./site-addresses.ts"
import { bindingOf } from "./source.ts"
import { CommerceOrders, type CommerceOrderRow } from "./store.ts"
import type { StoredOrder } from "./stored-order.ts"

/**
 * True also if the provider does not answer, which prevents no attempt: a provider refuses the checkout of an account that
 * cannot receive payments. A refused key says nothing about the account: it is the operator's.
 */
export const readIsPayable = (payments: PaymentProvider, account: string, returnUrl: string) =>
  payments.readRecipientAccount(account, returnUrl).pipe(
    Effect.map(({ payable }) => payable),
    Effect.catchTags({
      ProviderUnavailable: () => Effect.succeed(true),
      ProviderRefused: ({ reason, isKeyRefused }) =>
        isKeyRefused === true
          ? Effect.andThen(
              Effect.logWarning("the payment provider refused the key", reason),
              refuse("PAYMENTS_NOT_CONFIGURED", {
                detail:
                  "The payment provider refused the installation's key; ask the operator, whose log has the reason."
              })
            )
          : Effect.succeed(false)
    })
  )

interface AttemptOpening {
  /** The order before the attempt: the record and the source digest are over its head. */
  readonly before: StoredOrder
  readonly after: StoredOrder
  readonly project: ProjectRow
  readonly opened: FinancialEventContent<"ATTEMPT_OPENED">
}

export const insertAttempt = Effect.fnUntraced(function* (
  transaction: Transaction,
  { before, after, project, opened }: AttemptOpening
) {
  const { keys } = yield* Signer
  const { siteUrl } = yield* Installation
  const { commerceOrderId, number, acceptedSourceDigest, expiresAt } = opened.payload
  const { order } = before
  const { resultOrderId, projectId } = before.row
  const openedAt = after.order.events.at(-1)!.occurredAt
  const record = resultOrderPayload(order, { commerceOrderId, baseUrl: baseUrlOf(siteUrl) }, keys, openedAt)
  const orderRecord = yield* signOrRefuse("COMMERCE", record)
  const binding = bindingOf(order, { commerceOrderId, acceptedSourceDigest })
  const { currency, amountMinor, recipientAccount } = binding
  const checkoutRequest: CheckoutRequest = {
    commerceOrderId,
    acceptedSourceDigest,
    currency,
    amountMinor,
    recipientAccount,
    title: parseCanonical(project.agreement).terms.title,
    expiresAt,
    returnUrl: orderPage(siteUrl, resultOrderId)
  }
  const started = { state: "OPENING", openedAt, lastEntryAt: null, releasedAt: null, failures: 0 } as const
  const journal = emptyJournal(binding)
  const row: CommerceOrderRow = {
    ...started,
    commerceOrderId,
    resultOrderId,
    projectId,
    number,
    binding: canonicalText(binding),
    orderRecord,
    checkoutRequest,
    expiresAt,
    checkoutId: null,
    checkoutUrl: null,
    hintedCheckoutId: null,
    journalCount: journal.count,
    journalBytes: 0,
    journalHead: journal.head,
    captureRevision: 0,
    dueAt: nextReadback(started, openedAt),
    leasedUntil: openedAt,
    leaseToken: ""
  }
  yield* transaction.insert(CommerceOrders, row)
  return row
})
