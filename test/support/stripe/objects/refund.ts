/** Refunds and disputes. */
import type Stripe from "stripe"
import type { Entity, Purchase } from "../../../../simulator/payments/provider.ts"
import type { Facts } from "../../../../src/vocabulary/payment-facts.ts"
import { livemode, refundStatus, stripeCurrency, toSeconds } from "./values.ts"

export const refundObject = ({ entity, facts }: Entity<Facts<"REFUND">>) =>
  ({
    id: entity,
    object: "refund",
    amount: facts.amountMinor,
    balance_transaction: `txn_of_${entity}`,
    charge: facts.chargeId,
    created: toSeconds(facts.createdAt),
    currency: stripeCurrency(facts.currency),
    customer: null,
    customer_account: null,
    destination_details: {
      card: { reference_status: "pending", reference_type: "acquirer_reference_number", type: "refund" },
      type: "card"
    },
    ...(facts.state === "FAILED"
      ? { failure_balance_transaction: `txn_of_failed_${entity}`, failure_reason: "expired_or_canceled_card" }
      : {}),
    metadata: {},
    payment_intent: facts.paymentId,
    payment_method: null,
    reason: "requested_by_customer",
    receipt_number: null,
    source_transfer_reversal: null,
    status: refundStatus[facts.state],
    transfer_reversal: null
  }) satisfies Stripe.Refund

export const disputeObject = ({ entity, facts }: Purchase["disputes"][number], paymentIntent: string) =>
  ({
    id: entity,
    object: "dispute",
    amount: facts.amountMinor,
    balance_transactions: [],
    charge: facts.chargeId,
    created: toSeconds(facts.createdAt),
    currency: stripeCurrency(facts.currency),
    enhanced_eligibility_types: [],
    evidence,
    evidence_details: {
      due_by: toSeconds(facts.createdAt) + 7 * 86_400,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: "not_submitted"
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode,
    metadata: {},
    payment_intent: paymentIntent,
    payment_method_details: {
      card: { brand: "visa", case_type: "chargeback", network: "visa", network_reason_code: "10.4" },
      type: "card"
    },
    reason: facts.reason,
    status: facts.status
  }) satisfies Stripe.Dispute

const evidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null
} satisfies Stripe.Dispute.Evidence
