/** Charges, as a payment by card makes them. */
import type Stripe from "stripe"
import type { Purchase } from "../../../../simulator/payments/provider.ts"
import type { ChargeFacts } from "../../../../src/vocabulary/payment-facts.ts"
import type { CheckoutParameters } from "../checkout-parameters.ts"
import { refundObject } from "./refund.ts"
import { chargeStatus, enclosedList, livemode, newestFirst, noAddress, stripeCurrency, toSeconds } from "./values.ts"

export const chargeObject = (
  facts: ChargeFacts,
  { payment, refunds }: Purchase,
  { payment_intent_data: data }: CheckoutParameters
) => {
  const { id, amountMinor } = facts
  const isFailed = facts.state === "FAILED"
  return {
    id,
    object: "charge",
    amount: amountMinor,
    amount_captured: facts.amountCapturedMinor,
    amount_refunded: facts.amountRefundedMinor,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: isFailed ? null : `txn_of_${id}`,
    billing_details: { address: noAddress, email: null, name: "Jenny Rosen", phone: null, tax_id: null },
    calculated_statement_descriptor: null,
    captured: facts.captured,
    created: toSeconds(facts.createdAt),
    currency: stripeCurrency(facts.currency),
    customer: null,
    description: null,
    disputed: facts.disputed,
    failure_balance_transaction: null,
    failure_code: isFailed ? "card_declined" : null,
    failure_message: isFailed ? "Your card was declined." : null,
    fraud_details: {},
    livemode,
    metadata: data.metadata ?? {},
    on_behalf_of: null,
    outcome: isFailed ? outcomeOfDecline : outcome,
    paid: facts.paid,
    payment_intent: payment?.entity ?? null,
    payment_method: `pm_of_${id}`,
    payment_method_details: { type: "card", card: cardDetails(amountMinor) },
    receipt_email: null,
    receipt_number: null,
    receipt_url: isFailed ? null : `https://pay.stripe.test/receipts/${id}`,
    refunded: facts.amountRefundedMinor === amountMinor,
    refunds: enclosedList(`/v1/charges/${id}/refunds`, newestFirst(refunds).map(refundObject)),
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: chargeStatus[facts.state],
    ...(facts.transferId === null ? {} : { transfer: facts.transferId }),
    transfer_data: { amount: null, destination: data.transfer_data.destination },
    transfer_group: null
  } satisfies Stripe.Charge
}

const outcome = {
  advice_code: null,
  network_advice_code: null,
  network_decline_code: null,
  network_status: "approved_by_network",
  reason: null,
  risk_level: "normal",
  seller_message: "Payment complete.",
  type: "authorized"
} satisfies Stripe.Charge.Outcome

const outcomeOfDecline = {
  ...outcome,
  network_status: "declined_by_network",
  reason: "generic_decline",
  seller_message: "The bank did not return any further details with this decline.",
  type: "issuer_declined"
} satisfies Stripe.Charge.Outcome

const cardDetails = (amount: number) =>
  ({
    amount_authorized: amount,
    authorization_code: null,
    brand: "visa",
    checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: "pass" },
    country: "US",
    electronic_commerce_indicator: null,
    exp_month: 8,
    exp_year: 2030,
    extended_authorization: { status: "disabled" },
    fingerprint: "AOB934RVNwzk6xtn",
    funding: "credit",
    incremental_authorization: { status: "unavailable" },
    installments: null,
    last4: "4242",
    mandate: null,
    multicapture: { status: "unavailable" },
    network: "visa",
    network_token: { used: false },
    network_transaction_id: null,
    overcapture: { maximum_amount_capturable: amount, status: "unavailable" },
    regulated_status: "unregulated",
    three_d_secure: null,
    transaction_link_id: null,
    wallet: null
  }) satisfies Stripe.Charge.PaymentMethodDetails.Card
