/** Checkout sessions and payment intents. */
import type Stripe from "stripe"
import type { Entity, Purchase } from "../../../../simulator/payments/provider.ts"
import type { Facts } from "../../../../src/vocabulary/payment-facts.ts"
import type { CheckoutParameters } from "../checkout-parameters.ts"
import { intentStatus, livemode, sessionPaymentStatus, sessionStatus, stripeCurrency, toSeconds } from "./values.ts"

export const sessionObject = ({ checkout }: Purchase, parameters: CheckoutParameters, origin: string) => {
  const { entity, facts } = checkout
  return {
    id: entity,
    object: "checkout.session",
    adaptive_pricing: { enabled: parameters.adaptive_pricing?.enabled ?? true },
    after_expiration: null,
    allow_promotion_codes: parameters.allow_promotion_codes ?? null,
    allowed_payment_method_types: parameters.allowed_payment_method_types ?? null,
    amount_subtotal: facts.amountMinor,
    amount_total: facts.amountMinor,
    automatic_tax: {
      enabled: parameters.automatic_tax?.enabled ?? false,
      liability: null,
      provider: null,
      status: null
    },
    billing_address_collection: null,
    cancel_url: parameters.cancel_url ?? null,
    client_reference_id: parameters.client_reference_id,
    client_secret: null,
    collected_information: { business_name: null, individual_name: null, shipping_details: null },
    consent: null,
    consent_collection: null,
    created: toSeconds(facts.createdAt),
    currency: facts.currency === null ? null : stripeCurrency(facts.currency),
    currency_conversion: null,
    custom_fields: [],
    custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
    customer: null,
    customer_account: null,
    customer_creation: "if_required",
    customer_details: facts.state === "COMPLETE" ? customerDetails : null,
    customer_email: null,
    discounts: null,
    expires_at: toSeconds(facts.expiresAt),
    integration_identifier: null,
    invoice: null,
    invoice_creation: { enabled: false, invoice_data: invoiceData },
    livemode,
    locale: null,
    managed_payments: { enabled: parameters.managed_payments?.enabled ?? false },
    metadata: parameters.metadata ?? {},
    mode: parameters.mode,
    origin_context: null,
    payment_intent: facts.paymentId,
    payment_link: null,
    payment_method_collection: "if_required",
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ["card"],
    payment_status: sessionPaymentStatus[facts.paymentState],
    permissions: null,
    phone_number_collection: { enabled: false },
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: sessionStatus[facts.state],
    submit_type: parameters.submit_type ?? null,
    subscription: null,
    success_url: parameters.success_url,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: "hosted_page",
    url: facts.state === "OPEN" ? `${origin}/c/pay/${entity}` : null,
    wallet_options: null
  } satisfies Stripe.Checkout.Session
}

const customerDetails = {
  address: { city: null, country: "DE", line1: null, line2: null, postal_code: null, state: null },
  business_name: null,
  email: "payer@example.com",
  individual_name: null,
  name: "Jenny Rosen",
  phone: null,
  tax_exempt: "none",
  tax_ids: []
} satisfies Stripe.Checkout.Session.CustomerDetails

const invoiceData = {
  account_tax_ids: null,
  custom_fields: null,
  description: null,
  footer: null,
  issuer: null,
  metadata: {},
  rendering_options: null
} satisfies Stripe.Checkout.Session.InvoiceCreation.InvoiceData

export const paymentIntentObject = (
  { entity, facts }: Entity<Facts<"PAYMENT">>,
  { payment_intent_data: data }: CheckoutParameters
) =>
  ({
    id: entity,
    object: "payment_intent",
    allowed_payment_method_types: null,
    amount: facts.amountMinor,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: facts.amountReceivedMinor,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: "automatic_async",
    client_secret: null,
    confirmation_method: "automatic",
    created: toSeconds(facts.createdAt),
    currency: stripeCurrency(facts.currency),
    customer: null,
    customer_account: null,
    description: null,
    excluded_payment_method_types: null,
    last_payment_error: facts.charge?.state === "FAILED" ? declined(facts.charge.id) : null,
    latest_charge: facts.charge?.id ?? null,
    livemode,
    managed_payments: { enabled: false },
    metadata: data.metadata ?? {},
    next_action: null,
    on_behalf_of: null,
    payment_method: facts.state === "SUCCEEDED" ? `pm_of_${entity}` : null,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ["card"],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: intentStatus[facts.state],
    transfer_data: { destination: data.transfer_data.destination },
    transfer_group: null
  }) satisfies Stripe.PaymentIntent

const declined = (charge: string) =>
  ({
    type: "card_error",
    code: "card_declined",
    charge,
    decline_code: "generic_decline",
    message: "Your card was declined."
  }) satisfies Stripe.PaymentIntent.LastPaymentError
