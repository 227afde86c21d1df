/** The source of a payment: what the buyer accepted, as the payment provider is told it and every record repeats it. */
import { digestOf } from "../canonical/digest.ts"
import type { CommerceBinding } from "../vocabulary/payments.ts"
import type { ResultOrder } from "./result-order.ts"

/** The digest over the order as it stands: for an attempt, the order before its opening. */
export const acceptedSourceDigest = (
  { termsDigest, financialHead, terms }: Pick<ResultOrder, "termsDigest" | "financialHead" | "terms">,
  baseUrl: string
): string => digestOf([termsDigest, financialHead, baseUrl, baseUrl, terms.agreement.digest])

/** Everything that an attempt is bound to. */
export const bindingOf = (
  { resultOrderId, terms }: Pick<ResultOrder, "resultOrderId" | "terms">,
  attempt: { readonly commerceOrderId: string; readonly acceptedSourceDigest: string }
): CommerceBinding => ({
  commerceOrderId: attempt.commerceOrderId,
  resultOrderId,
  acceptedSourceDigest: attempt.acceptedSourceDigest,
  provider: terms.provider,
  environment: terms.environment,
  currency: terms.currency,
  amountMinor: terms.amountMinor,
  buyerScope: terms.buyer.organizationId,
  recipientScope: terms.supplier.organizationId,
  recipientAccount: terms.recipientAccount,
  item: terms.item
})
