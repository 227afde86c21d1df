/** The Result Record: what it states is what the history shows, under the issuer that is trusted. */
import { eventsOfKind } from "./acceptance.ts"
import type { History } from "./history.ts"
import { allOf, fail, same, type Finding } from "./ledger.ts"
import type { Enclosed, Linked, Opened } from "./objects.ts"
import type { Acceptance, Agreement, ProjectEvent, ResultRecord, Submission } from "./shapes.ts"
import type { Trust } from "./trust.ts"

export const checkIssuer = (record: ResultRecord, trust: Trust): Finding<null> =>
  allOf(
    null,
    [
      same("ISSUER_MISMATCH", "issuer", trust.issuer, record.issuer),
      same("ENVIRONMENT_MISMATCH", "environment", trust.environment, record.environment)
    ],
    { actual: record.environment }
  )

export const checkRecordAgreement = (record: ResultRecord, agreement: Enclosed<Agreement>): Finding<null> =>
  allOf(
    null,
    [
      same("JOURNAL_TRANSACTION", "projectId", agreement.content.projectId, record.projectId),
      same("AGREEMENT_MISMATCH", "agreement.digest", agreement.digest, record.agreement.digest),
      same("AGREEMENT_MISMATCH", "agreement.version", agreement.content.version, record.agreement.version)
    ],
    { actual: record.agreement.digest }
  )

/** The parties are those of the agreement and whoever represented the supplier, under the names its terms give them. */
export const checkRecordParties = (
  record: ResultRecord,
  agreement: Agreement,
  representative: string
): Finding<null> => {
  const { buyer, supplier } = record.parties
  const at = "parties"
  return allOf(null, [
    same("PARTY_MISMATCH", `${at}.buyer.organizationId`, agreement.buyer.organizationId, buyer.organizationId),
    same("PARTY_MISMATCH", `${at}.buyer.actorId`, agreement.buyer.actorId, buyer.actorId),
    same("PARTY_MISMATCH", `${at}.buyer.name`, agreement.terms.buyerName, buyer.name),
    same("PARTY_MISMATCH", `${at}.supplier.actorId`, representative, supplier.actorId),
    same("PARTY_MISMATCH", `${at}.supplier.name`, agreement.terms.supplierName, supplier.name)
  ])
}

/** The record names the accepted submission, the accepting review, its confirmation and its time. */
export const checkRecordAcceptance = (
  record: ResultRecord,
  submission: Enclosed<Submission>,
  review: Enclosed<Acceptance>,
  accepting: Linked<ProjectEvent>
): Finding<null> =>
  allOf(
    null,
    [
      same("SUBMISSION_MISMATCH", "submission.id", submission.content.submissionId, record.submission.id),
      same("DIGEST_MISMATCH", "submission.digest", submission.digest, record.submission.digest),
      same("REVIEW_MISMATCH", "review.id", review.content.reviewId, record.review.id),
      same("DIGEST_MISMATCH", "review.digest", review.digest, record.review.digest),
      same("CONFIRMATION_MISMATCH", "confirmation.id", review.content.confirmationId, record.confirmation.id),
      same("RECORD_MISMATCH", "acceptedAt", accepting.content.occurredAt, record.acceptedAt)
    ],
    { actual: record.acceptedAt }
  )

/** The record pins the history before its issuance: its length and its last hash. Nothing can be cut off unseen. */
export const checkRecordHead = (
  record: ResultRecord,
  history: History,
  accepting: Linked<ProjectEvent>
): Finding<null> => {
  const { count, eventHash } = record.head
  const at = "head.count"
  if (count > history.length) return fail("JOURNAL_COUNT", { at, expected: history.length, actual: count })
  if (accepting.content.sequence > count) {
    return fail("JOURNAL_COUNT", { at, expected: accepting.content.sequence, actual: count })
  }
  return same("JOURNAL_HEAD", "head.eventHash", history[count - 1]?.hash ?? null, eventHash)
}

/** One ISSUE event follows the pinned head directly and binds this record. */
export const checkIssue = (record: Opened<ResultRecord>, history: History): Finding<Linked<ProjectEvent>> => {
  const issues = eventsOfKind(history, "ISSUE")
  const [event] = issues
  if (event === undefined || issues.length > 1) return fail("ISSUE_MISMATCH", { expected: 1, actual: issues.length })
  const { payload } = event.content
  const { content } = record
  return allOf(
    event,
    [
      same("JOURNAL_COUNT", "sequence", content.head.count + 1, event.content.sequence),
      same("JOURNAL_HEAD", "previous", content.head.eventHash, event.content.previous),
      same("ISSUE_MISMATCH", "payload.recordId", content.recordId, payload.recordId),
      same("DIGEST_MISMATCH", "payload.recordDigest", record.signed.digest, payload.recordDigest),
      same("CONFIRMATION_MISMATCH", "payload.confirmationId", content.confirmation.id, payload.confirmationId)
    ],
    { actual: event.hash }
  )
}
