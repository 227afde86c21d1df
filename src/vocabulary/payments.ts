/** Payments as terms, bindings and the provider's port name them: providers, environments, components, amounts. */
import { Schema } from "effect"
import { limits } from "./limits.ts"
import { commerceOrderId, digest, organizationId, recordId, resultOrderId } from "./record-schemas.ts"

export const providers = ["STRIPE", "SIMULATED"] as const
export type Provider = (typeof providers)[number]

/** The environment of the provider, not of the issuer. */
export const paymentEnvironments = ["TEST", "LIVE"] as const
export type PaymentEnvironment = (typeof paymentEnvironments)[number]

/** What a provider is asked about, in the order of a journal's entries within one capture. */
export const components = ["CHECKOUT", "PAYMENT", "REFUND", "DISPUTE", "TRANSFER", "PAYOUT"] as const
export type Component = (typeof components)[number]

// With the flag u, a class without surrogates refuses only the lone ones, which have no UTF-8 and no canonical form. No
// store and no verifier takes NUL.
const wellFormed = (least: 0 | 1) =>
  Schema.String.check(
    Schema.isPattern(new RegExp(`^[^\\u0000\\ud800-\\udfff]{${least},${limits.providerTextCharacters}}$`, "u"))
  )

/** A text of the provider, which may be empty; it is compared and shown, never interpreted. */
export const providerText = wellFormed(0)

/** The same, non-empty: an id of the provider's, or a reference given to it. */
export const providerId = wellFormed(1)

/** A currency of any provider, as ISO 4217 writes its code. */
export const currency = Schema.String.check(Schema.isPattern(/^[A-Z]{3}$/u))

/** The fixed inclusive total, in the currency's minor unit. */
export const orderAmount = Schema.Int.check(
  Schema.isBetween({ minimum: limits.amountMinorLeast, maximum: limits.amountMinor })
)

/** What a Result Order sells: the issued Result Record. */
export const OrderItem = Schema.Struct({ type: Schema.Literal("RESULT_RECORD"), id: recordId, digest })

/** Everything that a payment attempt is bound to; its digest is the first `previousHash` of the attempt's journal. */
export const CommerceBinding = Schema.Struct({
  commerceOrderId,
  resultOrderId,
  acceptedSourceDigest: digest,
  provider: Schema.Literals(providers),
  environment: Schema.Literals(paymentEnvironments),
  currency,
  amountMinor: orderAmount,
  buyerScope: organizationId,
  recipientScope: organizationId,
  recipientAccount: providerId,
  item: OrderItem
}).annotate({ identifier: "CommerceBinding" })
export type CommerceBinding = typeof CommerceBinding.Type
