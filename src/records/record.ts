/** The Result Record: the certificate of an accepted submission, in one signed payload. */
import { Schema } from "effect"
import type { Project } from "../projects/project.ts"
import type { Instant } from "../vocabulary/instant.ts"
import {
  confirmationId,
  digest,
  instant,
  name,
  ordinal,
  organizationId,
  personId,
  projectId,
  recordId,
  reviewId,
  signed,
  submissionId
} from "../vocabulary/record-schemas.ts"

export const ResultRecord = Schema.Struct({
  ...signed("service.result-record/v1"),
  issuer: name,
  environment: name,
  recordId,
  projectId,
  agreement: Schema.Struct({ digest, version: ordinal }),
  parties: Schema.Struct({
    buyer: Schema.Struct({ organizationId, actorId: personId, name }),
    supplier: Schema.Struct({ actorId: personId, name })
  }),
  submission: Schema.Struct({ id: submissionId, digest }),
  review: Schema.Struct({ id: reviewId, digest }),
  confirmation: Schema.Struct({ id: confirmationId }),
  acceptedAt: instant,
  head: Schema.Struct({ eventHash: digest, count: ordinal }).annotate({
    description: "The last event before the issuance, and the number of events up to it."
  })
})
export type ResultRecord = typeof ResultRecord.Type

export interface Issuer {
  readonly issuer: string
  readonly environment: string
}

/** The payload of the record of the project's confirmation; it binds the head before it and the number of events. */
export const recordPayload = (
  project: Project,
  recordId: string,
  { issuer, environment }: Issuer,
  issuedAt: Instant
): ResultRecord => {
  const { agreement, agreementDigest, submission, review, confirmation, supplier } = project
  if (submission === null || review === null || confirmation === null || supplier.actorId === null) {
    throw new Error("a record needs an accepted submission")
  }
  return {
    schema: "service.result-record/v1",
    issuedAt,
    issuer,
    environment,
    recordId,
    projectId: agreement.projectId,
    agreement: { digest: agreementDigest, version: agreement.version },
    parties: {
      buyer: { ...agreement.buyer, name: agreement.terms.buyerName },
      supplier: { actorId: supplier.actorId, name: agreement.terms.supplierName }
    },
    submission: { id: submission.submissionId, digest: submission.digest },
    review: { id: review.reviewId, digest: review.digest },
    confirmation: { id: confirmation.confirmationId },
    acceptedAt: confirmation.occurredAt,
    head: { eventHash: project.head, count: project.events.length }
  }
}
