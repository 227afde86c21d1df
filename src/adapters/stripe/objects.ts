/**
 * The members of Stripe's objects that are read, and their words. Stripe's statuses are open lists: a word that is
 * missing here fails the decoding. Each table and form is held against the types of the package, and members that nothing reads may come and go.
 */
import { Schema } from "effect"
import type Stripe from "stripe"
import type { ChargeFacts, Facts } from "../../vocabulary/payment-facts.ts"
import { providerId, providerText } from "../../vocabulary/payments.ts"

/** A form whose every member the type of the package has. */
type MembersOf<T> = { readonly [M in keyof T]?: Schema.Top }

/** The words that the type of the package lists. */
type WordOf<T> = T extends string ? (string extends T ? never : T) : never

/** A word of a table. */
const wordOf = <W extends string>(table: { readonly [word in W]: unknown }) =>
  Schema.Literals(Object.keys(table).filter((word): word is W => Object.hasOwn(table, word)))

export const checkoutStates = {
  open: "OPEN",
  complete: "COMPLETE",
  expired: "EXPIRED"
} as const satisfies Record<WordOf<Stripe.Checkout.Session["status"]>, Facts<"CHECKOUT">["state"]>

export const checkoutPayments = {
  unpaid: "UNPAID",
  paid: "PAID",
  no_payment_required: "NOT_REQUIRED"
} as const satisfies Record<WordOf<Stripe.Checkout.Session["payment_status"]>, Facts<"CHECKOUT">["paymentState"]>

export const paymentStates = {
  requires_payment_method: "REQUIRES_ACTION",
  requires_confirmation: "REQUIRES_ACTION",
  requires_action: "REQUIRES_ACTION",
  processing: "PROCESSING",
  requires_capture: "REQUIRES_CAPTURE",
  succeeded: "SUCCEEDED",
  canceled: "CANCELED"
} as const satisfies Record<WordOf<Stripe.PaymentIntent["status"]>, Facts<"PAYMENT">["state"]>

export const chargeStates = {
  pending: "PENDING",
  succeeded: "SUCCEEDED",
  failed: "FAILED"
} as const satisfies Record<WordOf<Stripe.Charge["status"]>, ChargeFacts["state"]>

// The package types the statuses of refunds and payouts as text; these are the documented ones.
export const refundStates = {
  pending: "PENDING",
  requires_action: "REQUIRES_ACTION",
  succeeded: "SUCCEEDED",
  failed: "FAILED",
  canceled: "CANCELED"
} as const satisfies Record<string, Facts<"REFUND">["state"]>

export const payoutStates = {
  pending: "PENDING",
  in_transit: "IN_TRANSIT",
  paid: "PAID",
  failed: "FAILED",
  canceled: "CANCELED"
} as const satisfies Record<string, Facts<"PAYOUT">["state"]>

/** They stay Stripe's words; `true` for one that is known. */
const disputeStatuses: Record<WordOf<Stripe.Dispute["status"]>, true> = {
  appeal_needs_response: true,
  appeal_under_review: true,
  lost: true,
  needs_response: true,
  prevented: true,
  under_review: true,
  warning_closed: true,
  warning_needs_response: true,
  warning_under_review: true,
  won: true
}

/** Seconds since 1970, up to the year 9999. */
const seconds = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 253_402_300_799 }))
const amount = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
const currency = Schema.String.check(Schema.isPattern(/^[a-z]{3}$/u))
/** Another object: its id, or the object itself. */
const reference = Schema.Union([providerId, Schema.Struct({ id: providerId })])
const metadata = Schema.NullOr(Schema.Record(Schema.String, Schema.String))

/** The members of every object that has a mode. */
const objectOf = <O extends string>(object: O) => ({
  id: providerId,
  object: Schema.Literal(object),
  livemode: Schema.Boolean,
  created: seconds
})

export const Checkout = Schema.Struct({
  ...objectOf("checkout.session"),
  expires_at: seconds,
  status: wordOf(checkoutStates),
  payment_status: wordOf(checkoutPayments),
  amount_total: Schema.NullOr(amount),
  currency: Schema.NullOr(currency),
  client_reference_id: Schema.NullOr(providerId),
  metadata,
  payment_intent: Schema.NullOr(reference)
} satisfies MembersOf<Stripe.Checkout.Session>)

/** The member of a checkout from which its payment is decoded; the others do not matter. */
export const PaymentOfCheckout = Schema.Struct({ payment_intent: Schema.NullOr(Schema.Unknown) })

export const Charge = Schema.Struct({
  ...objectOf("charge"),
  status: wordOf(chargeStates),
  amount,
  amount_captured: amount,
  amount_refunded: amount,
  currency,
  paid: Schema.Boolean,
  captured: Schema.Boolean,
  disputed: Schema.Boolean,
  payment_intent: Schema.NullOr(reference),
  transfer: Schema.optionalKey(Schema.NullOr(reference))
} satisfies MembersOf<Stripe.Charge>)

export const Payment = Schema.Struct({
  ...objectOf("payment_intent"),
  status: wordOf(paymentStates),
  amount,
  amount_received: amount,
  currency,
  metadata,
  transfer_data: Schema.optionalKey(Schema.NullOr(Schema.Struct({ destination: reference }))),
  latest_charge: Schema.NullOr(Charge)
} satisfies MembersOf<Stripe.PaymentIntent>)

export const Refund = Schema.Struct({
  id: providerId,
  object: Schema.Literal("refund"),
  created: seconds,
  status: wordOf(refundStates),
  amount,
  currency,
  payment_intent: Schema.NullOr(reference),
  charge: Schema.NullOr(reference)
} satisfies MembersOf<Stripe.Refund>)

export const Dispute = Schema.Struct({
  ...objectOf("dispute"),
  status: wordOf(disputeStatuses),
  amount,
  currency,
  reason: providerText,
  charge: reference,
  payment_intent: Schema.NullOr(reference)
} satisfies MembersOf<Stripe.Dispute>)

export const Transfer = Schema.Struct({
  ...objectOf("transfer"),
  amount,
  amount_reversed: amount,
  currency,
  destination: reference,
  destination_payment: Schema.optionalKey(Schema.NullOr(reference)),
  source_transaction: Schema.NullOr(reference)
} satisfies MembersOf<Stripe.Transfer>)

export const Reversal = Schema.Struct({
  id: providerId,
  object: Schema.Literal("transfer_reversal"),
  created: seconds,
  amount,
  transfer: reference,
  source_refund: Schema.NullOr(reference)
} satisfies MembersOf<Stripe.TransferReversal>)

export const Payout = Schema.Struct({
  ...objectOf("payout"),
  status: wordOf(payoutStates),
  currency,
  automatic: Schema.Boolean,
  arrival_date: seconds
} satisfies MembersOf<Stripe.Payout>)

export const BalanceTransaction = Schema.Struct({
  id: providerId,
  object: Schema.Literal("balance_transaction"),
  source: Schema.NullOr(reference)
} satisfies MembersOf<Stripe.BalanceTransaction>)

export const Account = Schema.Struct({
  id: providerId,
  object: Schema.Literal("account"),
  payouts_enabled: Schema.Boolean,
  capabilities: Schema.optionalKey(Schema.Struct({ transfers: Schema.optionalKey(Schema.String) }))
} satisfies MembersOf<Stripe.Account>)

const link = Schema.String.check(Schema.isPattern(/^https?:\/\//u))

export const AccountLink = Schema.Struct({
  object: Schema.Literal("account_link"),
  url: link
} satisfies MembersOf<Stripe.AccountLink>)

/** A checkout as it is opened: the page where it is paid. */
export const OpenedCheckout = Schema.Struct({
  id: providerId,
  object: Schema.Literal("checkout.session"),
  livemode: Schema.Boolean,
  client_reference_id: providerId,
  url: link
} satisfies MembersOf<Stripe.Checkout.Session>)
