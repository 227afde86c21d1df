/** The offer of a Result Order: its guards, in order. Pure; the first refusal or undefined. */
import type { NoPayments, PaymentProvider } from "../ports/payments.ts"
import type { Project } from "../projects/project.ts"
import { refusal } from "../vocabulary/refusals.ts"

export interface OfferInput {
  readonly agreementDigest: string
  readonly recordId: string
  readonly currency: string
  readonly amountMinor: number
}

export interface OfferFacts {
  readonly payments: NoPayments | Pick<PaymentProvider, "kind" | "currencies">
  /** The supplier's account at that provider in that environment. */
  readonly recipientAccount: string | null
  /** An order for the record that is neither declined nor withdrawn. */
  readonly hasLiveOrder: boolean
}

export const offerGuard = (
  { agreementDigest, recordId, state }: Pick<Project, "agreementDigest" | "recordId" | "state">,
  input: OfferInput,
  { payments, recipientAccount, hasLiveOrder }: OfferFacts
) => {
  if (payments.kind === "PROVIDER" && !payments.currencies.includes(input.currency)) {
    const issues = [{ path: "currency", message: `The currency must be one of ${payments.currencies.join(", ")}.` }]
    return refusal("INVALID_REQUEST", { issues })
  }
  if (input.agreementDigest !== agreementDigest) return refusal("AGREEMENT_DIGEST_MISMATCH")
  if (recordId === null || input.recordId !== recordId) return refusal("RESULT_NOT_ISSUED")
  if (state !== "BUYER_CONFIRMED") {
    return refusal("STATE_CONFLICT", { detail: `A project in ${state} does not allow this.` })
  }
  if (hasLiveOrder) {
    return refusal("ALREADY_EXISTS", {
      detail: "A Result Order for this record exists; withdraw it before a new offer."
    })
  }
  if (payments.kind === "NONE") return refusal("PAYMENTS_NOT_CONFIGURED")
  return recipientAccount === null
    ? refusal("RECIPIENT_NOT_PAYABLE", {
        detail: "The supplier's organization has no recipient account at the provider; open one first."
      })
    : undefined
}
