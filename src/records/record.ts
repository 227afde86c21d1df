/** The Result Record: what an accepted submission is certified as, in one signed payload. */
import type { Project } from "../projects/project.ts"
import type { Instant } from "../vocabulary/instant.ts"

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
) => {
  const { agreement, agreementDigest, submission, review, confirmation, supplier } = project
  if (submission === null || review === null || confirmation === null) {
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
  } as const
}
