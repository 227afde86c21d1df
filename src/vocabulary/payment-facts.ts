/**
 * The facts that a payment provider states, by component: closed forms with closed lists of words, and no address, secret,
 * card, name or e-mail address. A provider's answer that does not fit them is no fact.
 */
import { Schema } from "effect"
import { limits } from "./limits.ts"
import { currency, paymentEnvironments, providerId, providerText, type Component } from "./payments.ts"
import { instant } from "./record-schemas.ts"

/** A sum in the currency's minor unit, as the provider states it. */
const sum = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
const environment = Schema.Literals(paymentEnvironments)
const createdAt = instant

const Checkout = Schema.Struct({
  state: Schema.Literals(["OPEN", "COMPLETE", "EXPIRED"]),
  paymentState: Schema.Literals(["UNPAID", "PAID", "NOT_REQUIRED"]),
  amountMinor: Schema.NullOr(sum),
  currency: Schema.NullOr(currency),
  commerceOrderId: Schema.NullOr(providerId),
  acceptedSourceDigest: Schema.NullOr(providerId),
  paymentId: Schema.NullOr(providerId),
  environment,
  createdAt,
  expiresAt: instant
}).annotate({ identifier: "CheckoutFacts" })

const Charge = Schema.Struct({
  id: providerId,
  state: Schema.Literals(["PENDING", "SUCCEEDED", "FAILED"]),
  amountMinor: sum,
  amountCapturedMinor: sum,
  amountRefundedMinor: sum,
  currency,
  paid: Schema.Boolean,
  captured: Schema.Boolean,
  disputed: Schema.Boolean,
  transferId: Schema.NullOr(providerId),
  createdAt
}).annotate({ identifier: "ChargeFacts" })

const Payment = Schema.Struct({
  state: Schema.Literals(["REQUIRES_ACTION", "PROCESSING", "REQUIRES_CAPTURE", "SUCCEEDED", "CANCELED"]),
  amountMinor: sum,
  amountReceivedMinor: sum,
  currency,
  commerceOrderId: Schema.NullOr(providerId),
  acceptedSourceDigest: Schema.NullOr(providerId),
  recipientAccount: Schema.NullOr(providerId),
  environment,
  createdAt,
  charge: Schema.NullOr(Charge)
}).annotate({ identifier: "PaymentFacts" })

const Refund = Schema.Struct({
  state: Schema.Literals(["PENDING", "REQUIRES_ACTION", "SUCCEEDED", "FAILED", "CANCELED"]),
  amountMinor: sum,
  currency,
  paymentId: Schema.NullOr(providerId),
  chargeId: Schema.NullOr(providerId),
  createdAt
}).annotate({ identifier: "RefundFacts" })

const Dispute = Schema.Struct({
  status: providerText,
  disputed: Schema.Boolean.annotateKey({ description: "The flag of the charge." }),
  amountMinor: sum,
  currency,
  chargeId: providerId,
  reason: providerText,
  createdAt
}).annotate({ identifier: "DisputeFacts" })

const Reversal = Schema.Struct({
  id: providerId,
  amountMinor: sum,
  refundId: Schema.NullOr(providerId),
  createdAt
}).annotate({ identifier: "ReversalFacts" })

const Transfer = Schema.Struct({
  amountMinor: sum,
  amountReversedMinor: sum,
  currency,
  destinationAccount: providerId,
  chargeId: Schema.NullOr(providerId),
  destinationPaymentId: Schema.NullOr(providerId),
  environment,
  createdAt,
  reversals: Schema.Array(Reversal).check(Schema.isMaxLength(limits.paymentEntities))
}).annotate({ identifier: "TransferFacts" })

/** Without an amount: a payout sums the money of other payments too. */
const Payout = Schema.Struct({
  state: Schema.Literals(["PENDING", "IN_TRANSIT", "PAID", "FAILED", "CANCELED"]),
  account: providerId,
  destinationPaymentId: providerId,
  currency,
  automatic: Schema.Boolean,
  environment,
  arrivalDate: instant,
  createdAt
}).annotate({ identifier: "PayoutFacts" })

export const factSchemas = {
  CHECKOUT: Checkout,
  PAYMENT: Payment,
  REFUND: Refund,
  DISPUTE: Dispute,
  TRANSFER: Transfer,
  PAYOUT: Payout
} as const satisfies { readonly [C in Component]: Schema.Top }

export type FactsOf = { readonly [C in Component]: (typeof factSchemas)[C]["Type"] }

/** The facts of one component; of any where none is named. */
export type Facts<C extends Component = Component> = FactsOf[C]
export type ChargeFacts = typeof Charge.Type
