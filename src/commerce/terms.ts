/** The terms of a Result Order: a fixed inclusive total for the issued record of an accepted result. */
import { Schema } from "effect"
import { digestOf } from "../canonical/digest.ts"
import type { Project } from "../projects/project.ts"
import {
  currency,
  orderAmount,
  OrderItem,
  paymentEnvironments,
  providerId,
  providers,
  type PaymentEnvironment,
  type Provider
} from "../vocabulary/payments.ts"
import {
  confirmationId,
  digest,
  name,
  ordinal,
  organizationId,
  projectId,
  recordId,
  reviewId,
  submissionId
} from "../vocabulary/record-schemas.ts"

const party = Schema.Struct({ organizationId, name })

export const OrderTerms = Schema.Struct({
  projectId,
  agreement: Schema.Struct({ digest, version: ordinal }),
  submission: Schema.Struct({ id: submissionId, digest }),
  review: Schema.Struct({ id: reviewId, digest }),
  confirmation: Schema.Struct({ id: confirmationId }),
  record: Schema.Struct({ id: recordId, digest }),
  packageDigest: digest.annotateKey({ description: "The Result Package that was signed with the offer." }),
  buyer: party,
  supplier: party,
  provider: Schema.Literals(providers),
  environment: Schema.Literals(paymentEnvironments),
  recipientAccount: providerId,
  currency,
  amountMinor: orderAmount,
  item: OrderItem
}).annotate({ identifier: "OrderTerms" })
export type OrderTerms = typeof OrderTerms.Type

/** The digest that every command on the order names; it is also the predecessor of the first financial event. */
export const termsDigest = (terms: OrderTerms): string => digestOf(terms)

/** What an offer adds to the project. */
export interface Offer {
  readonly record: { readonly id: string; readonly digest: string }
  readonly packageDigest: string
  readonly provider: Provider
  readonly environment: PaymentEnvironment
  readonly recipientAccount: string
  readonly currency: string
  readonly amountMinor: number
}

/** The terms of an offer for the accepted result of a project, whose record is issued. */
export const orderTerms = (project: Project, { record, packageDigest, ...price }: Offer): OrderTerms => {
  const { agreement, agreementDigest, submission, review, confirmation, supplier } = project
  if (submission === null || review === null || confirmation === null || supplier.organizationId === null) {
    throw new Error("a Result Order needs an accepted submission")
  }
  return {
    projectId: agreement.projectId,
    agreement: { digest: agreementDigest, version: agreement.version },
    submission: { id: submission.submissionId, digest: submission.digest },
    review: { id: review.reviewId, digest: review.digest },
    confirmation: { id: confirmation.confirmationId },
    record,
    packageDigest,
    buyer: { organizationId: agreement.buyer.organizationId, name: agreement.terms.buyerName },
    supplier: { organizationId: supplier.organizationId, name: agreement.terms.supplierName },
    provider: price.provider,
    environment: price.environment,
    recipientAccount: price.recipientAccount,
    currency: price.currency,
    amountMinor: price.amountMinor,
    item: { type: "RESULT_RECORD", id: record.id, digest: record.digest }
  }
}
