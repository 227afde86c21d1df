/**
 * Decodes Stripe's answers to facts of the port. Decoding fails on an unknown word, a missing member, an object of the other
 * environment, and an object that belongs to another payment, charge or transfer than the requested one. Pure.
 */
import { Result, Schema } from "effect"
import { componentReadback, failedComponent, type ProviderEntity } from "../../ports/payment-readback.ts"
import type { ComponentReadback, ReadEntity, ReadFailure } from "../../ports/payments.ts"
import { fromMilliseconds, type Instant } from "../../vocabulary/instant.ts"
import type { ChargeFacts, Facts } from "../../vocabulary/payment-facts.ts"
import type { Component, PaymentEnvironment } from "../../vocabulary/payments.ts"
import {
  BalanceTransaction,
  Charge,
  Checkout,
  checkoutPayments,
  checkoutStates,
  chargeStates,
  Dispute,
  Payment,
  PaymentOfCheckout,
  paymentStates,
  Payout,
  payoutStates,
  Refund,
  refundStates,
  Reversal,
  Transfer
} from "./objects.ts"

/** A decoded answer, or the failure of its component. */
export type Reading<A> = Result.Result<A, ReadFailure>

type List = ReadonlyArray<unknown>

const decoding = <A, I>(schema: Schema.Codec<A, I>) => {
  const decode = Schema.decodeUnknownOption(schema)
  return (answer: unknown): Reading<A> => Result.fromOption(decode(answer), () => "FACTS_UNKNOWN" as const)
}

const asCheckout = decoding(Checkout)
const asPaymentOfCheckout = decoding(PaymentOfCheckout)
const asPayment = decoding(Payment)
const asRefund = decoding(Refund)
const asDispute = decoding(Dispute)
const asTransfer = decoding(Transfer)
const asReversal = decoding(Reversal)
const asPayout = decoding(Payout)
const asBalanceTransaction = decoding(BalanceTransaction)

/** The checkout of the answer to `readCheckout`. */
export const checkoutReadback = (
  answer: unknown,
  checkoutId: string,
  environment: PaymentEnvironment
): ComponentReadback<"CHECKOUT"> =>
  readback("CHECKOUT", () =>
    Result.gen(function* () {
      const checkout = yield* asCheckout(answer)
      const named = checkout.metadata?.["commerceOrderId"] ?? null
      yield* requireConsistent(checkout.id === checkoutId && isOf(environment, checkout))
      // The reference was given twice: one that differs from the other is none.
      yield* requireConsistent(
        checkout.client_reference_id === null || named === null || checkout.client_reference_id === named
      )
      const facts: Facts<"CHECKOUT"> = {
        state: checkoutStates[checkout.status],
        paymentState: checkoutPayments[checkout.payment_status],
        amountMinor: checkout.amount_total,
        currency: checkout.currency?.toUpperCase() ?? null,
        commerceOrderId: checkout.client_reference_id ?? named,
        acceptedSourceDigest: checkout.metadata?.["acceptedSourceDigest"] ?? null,
        paymentId: idOf(checkout.payment_intent),
        environment,
        createdAt: instantOf(checkout.created),
        expiresAt: instantOf(checkout.expires_at)
      }
      return [{ entity: checkout.id, facts }]
    })
  )

/** The payment in the answer to `readCheckout`; none before the payer has begun. */
export const paymentReadback = (answer: unknown, environment: PaymentEnvironment): ComponentReadback<"PAYMENT"> =>
  readback("PAYMENT", () =>
    Result.gen(function* () {
      const { payment_intent: expanded } = yield* asPaymentOfCheckout(answer)
      if (expanded === null) return []
      const payment = yield* asPayment(expanded)
      yield* requireConsistent(isOf(environment, payment))
      const { latest_charge: charge } = payment
      yield* requireConsistent(
        charge === null || (isOf(environment, charge) && idOf(charge.payment_intent) === payment.id)
      )
      const facts: Facts<"PAYMENT"> = {
        state: paymentStates[payment.status],
        amountMinor: payment.amount,
        amountReceivedMinor: payment.amount_received,
        currency: payment.currency.toUpperCase(),
        commerceOrderId: payment.metadata?.["commerceOrderId"] ?? null,
        acceptedSourceDigest: payment.metadata?.["acceptedSourceDigest"] ?? null,
        recipientAccount: idOf(payment.transfer_data?.destination),
        environment,
        createdAt: instantOf(payment.created),
        charge: charge === null ? null : chargeFacts(charge)
      }
      return [{ entity: payment.id, facts }]
    })
  )

const chargeFacts = (charge: typeof Charge.Type): ChargeFacts => ({
  id: charge.id,
  state: chargeStates[charge.status],
  amountMinor: charge.amount,
  amountCapturedMinor: charge.amount_captured,
  amountRefundedMinor: charge.amount_refunded,
  currency: charge.currency.toUpperCase(),
  paid: charge.paid,
  captured: charge.captured,
  disputed: charge.disputed,
  transferId: idOf(charge.transfer),
  createdAt: instantOf(charge.created)
})

export const refundReadback = (list: Reading<List>, paymentId: string): ComponentReadback<"REFUND"> =>
  readback("REFUND", () =>
    eachOfRead(list, asRefund, (refund) =>
      Result.gen(function* () {
        yield* requireConsistent(idOf(refund.payment_intent) === paymentId)
        const facts: Facts<"REFUND"> = {
          state: refundStates[refund.status],
          amountMinor: refund.amount,
          currency: refund.currency.toUpperCase(),
          paymentId,
          chargeId: idOf(refund.charge),
          createdAt: instantOf(refund.created)
        }
        return { entity: refund.id, facts }
      })
    )
  )

/** Of a payment: a dispute has the flag of its charge, which is the payment's only one that was paid. */
export const disputeReadback = (
  list: Reading<List>,
  { entity: paymentId, facts: { charge, environment } }: ReadEntity<"PAYMENT">
): ComponentReadback<"DISPUTE"> =>
  readback("DISPUTE", () =>
    eachOfRead(list, asDispute, (dispute) =>
      Result.gen(function* () {
        const { id: chargeId, disputed } = yield* Result.fromNullishOr(charge, () => "LIST_INCONSISTENT" as const)
        yield* requireConsistent(isOf(environment, dispute) && idOf(dispute.payment_intent) === paymentId)
        yield* requireConsistent(idOf(dispute.charge) === chargeId)
        const facts: Facts<"DISPUTE"> = {
          status: dispute.status,
          disputed,
          amountMinor: dispute.amount,
          currency: dispute.currency.toUpperCase(),
          chargeId,
          reason: dispute.reason,
          createdAt: instantOf(dispute.created)
        }
        return { entity: dispute.id, facts }
      })
    )
  )

export const transferReadback = (
  [answer, reversals]: readonly [transfer: unknown, reversals: List],
  charge: ChargeFacts,
  environment: PaymentEnvironment
): ComponentReadback<"TRANSFER"> =>
  readback("TRANSFER", () =>
    Result.gen(function* () {
      const transfer = yield* asTransfer(answer)
      const source = idOf(transfer.source_transaction)
      yield* requireConsistent(isOf(environment, transfer) && transfer.id === charge.transferId)
      yield* requireConsistent(source === null || source === charge.id)
      const facts: Facts<"TRANSFER"> = {
        amountMinor: transfer.amount,
        amountReversedMinor: transfer.amount_reversed,
        currency: transfer.currency.toUpperCase(),
        destinationAccount: idOf(transfer.destination),
        chargeId: source,
        destinationPaymentId: idOf(transfer.destination_payment),
        environment,
        createdAt: instantOf(transfer.created),
        reversals: yield* reversalFacts(reversals, transfer.id)
      }
      return [{ entity: transfer.id, facts }]
    })
  )

/** The oldest first: Stripe lists the newest first, and the facts of one transfer have one order. */
const reversalFacts = (list: List, transferId: string): Reading<Facts<"TRANSFER">["reversals"]> =>
  Result.map(
    eachOf(list, asReversal, (reversal) =>
      Result.map(requireConsistent(idOf(reversal.transfer) === transferId), () => ({
        id: reversal.id,
        amountMinor: reversal.amount,
        refundId: idOf(reversal.source_refund),
        createdAt: instantOf(reversal.created)
      }))
    ),
    (reversals) => reversals.toSorted((a, b) => compare(a.createdAt, b.createdAt) || compare(a.id, b.id))
  )

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** The automatic payouts of an account: Stripe lists no balance transactions of a manual one. */
export const automaticPayouts = (
  list: List,
  environment: PaymentEnvironment
): Reading<ReadonlyArray<typeof Payout.Type>> =>
  Result.map(
    eachOf(list, asPayout, (payout) => Result.map(requireConsistent(isOf(environment, payout)), () => payout)),
    (payouts) => payouts.filter(({ automatic }) => automatic)
  )

/** True if the balance transactions of a payout include the payment to its account. */
export const isIncluded = (list: List, destinationPaymentId: string): Reading<boolean> =>
  Result.map(
    eachOf(list, asBalanceTransaction, (one) => Result.succeed(idOf(one.source))),
    (sources) => sources.includes(destinationPaymentId)
  )

/** The payment to an account, as a transfer names it. */
interface PayoutSubject {
  readonly account: string
  readonly payment: string
  readonly environment: PaymentEnvironment
}

/** `payouts`: those of the account that include the payment. */
export const payoutReadback = (
  payouts: Reading<ReadonlyArray<typeof Payout.Type>>,
  { account, payment, environment }: PayoutSubject
): ComponentReadback<"PAYOUT"> =>
  readback("PAYOUT", () =>
    Result.map(payouts, (included) =>
      included.map((payout) => {
        const facts: Facts<"PAYOUT"> = {
          state: payoutStates[payout.status],
          account,
          destinationPaymentId: payment,
          currency: payout.currency.toUpperCase(),
          automatic: payout.automatic,
          environment,
          arrivalDate: instantOf(payout.arrival_date),
          createdAt: instantOf(payout.created)
        }
        return { entity: payout.id, facts }
      })
    )
  )

const readback = <C extends Component>(
  component: C,
  read: () => Reading<ReadonlyArray<ProviderEntity>>
): ComponentReadback<C> =>
  Result.match(read(), {
    onFailure: failedComponent,
    onSuccess: (entities) => componentReadback(component, entities)
  })

type EachOf<L> = <A, B>(
  list: L,
  decode: (item: unknown) => Reading<A>,
  read: (item: A) => Reading<B>
) => Reading<ReadonlyArray<B>>

const eachOf: EachOf<List> = (list, decode, read) => Result.all(list.map((item) => Result.flatMap(decode(item), read)))

const eachOfRead: EachOf<Reading<List>> = (list, decode, read) =>
  Result.flatMap(list, (items) => eachOf(items, decode, read))

/** An answer that contradicts the request or another answer fails the component. */
const requireConsistent = (isConsistent: boolean): Reading<void> =>
  isConsistent ? Result.succeed(undefined) : Result.fail("LIST_INCONSISTENT")

const isOf = (environment: PaymentEnvironment, { livemode }: { readonly livemode: boolean }): boolean =>
  livemode === (environment === "LIVE")

type Reference = string | { readonly id: string }

/** The id of an object that Stripe names by it, or includes. */
function idOf(named: Reference): string
function idOf(named: Reference | null | undefined): string | null
function idOf(named: Reference | null | undefined): string | null {
  return typeof named === "object" ? (named?.id ?? null) : (named ?? null)
}

const instantOf = (seconds: number): Instant => fromMilliseconds(seconds * 1_000)
