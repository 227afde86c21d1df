/** The Result Record: what it states is what the history shows, under the issuer that is trusted. */
import { eventsOfKind } from "./acceptance.ts"
import { allOf, fail, pass, same, sameDigest, type Finding } from "./ledger.ts"
import type { Linked, Opened } from "./objects.ts"
import type { Given } from "./parts.ts"
import type { PackageContent, ProjectEvent } from "./shapes.ts"

export const checkIssuer = ({ record: { content: record }, trust }: Given<"record" | "trust">): Finding<null> =>
  allOf(
    null,
    [
      same("ISSUER_MISMATCH", "issuer", trust.issuer, record.issuer),
      same("ENVIRONMENT_MISMATCH", "environment", trust.environment, record.environment)
    ],
    record.environment
  )

export const checkRecordAgreement = ({
  record: { content: record },
  agreement
}: Given<"record" | "agreement">): Finding<null> =>
  allOf(
    null,
    [
      same("JOURNAL_TRANSACTION", "projectId", agreement.content.projectId, record.projectId),
      same("AGREEMENT_MISMATCH", "agreement.digest", agreement.digest, record.agreement.digest),
      same("AGREEMENT_MISMATCH", "agreement.version", agreement.content.version, record.agreement.version)
    ],
    record.agreement.digest
  )

/** The parties are those of the agreement and whoever represented the supplier, under the names its terms give them. */
export const checkRecordParties = (given: Given<"record" | "agreement" | "representative">): Finding<null> => {
  const { buyer, supplier } = given.record.content.parties
  const { content: agreement } = given.agreement
  const at = "parties"
  return allOf(null, [
    same("PARTY_MISMATCH", `${at}.buyer.organizationId`, agreement.buyer.organizationId, buyer.organizationId),
    same("PARTY_MISMATCH", `${at}.buyer.actorId`, agreement.buyer.actorId, buyer.actorId),
    same("PARTY_MISMATCH", `${at}.buyer.name`, agreement.terms.buyerName, buyer.name),
    same("PARTY_MISMATCH", `${at}.supplier.actorId`, given.representative, supplier.actorId),
    same("PARTY_MISMATCH", `${at}.supplier.name`, agreement.terms.supplierName, supplier.name)
  ])
}

/** The record names the accepted submission, the accepting review, its confirmation and its time. */
export const checkRecordAcceptance = ({
  record: { content: record },
  submission,
  review,
  accepting
}: Given<"record" | "submission" | "review" | "accepting">): Finding<null> =>
  allOf(
    null,
    [
      same("SUBMISSION_MISMATCH", "submission.id", submission.content.submissionId, record.submission.id),
      sameDigest("submission.digest", submission.digest, record.submission.digest),
      same("REVIEW_MISMATCH", "review.id", review.content.reviewId, record.review.id),
      sameDigest("review.digest", review.digest, record.review.digest),
      same("CONFIRMATION_MISMATCH", "confirmation.id", review.content.confirmationId, record.confirmation.id),
      same("RECORD_MISMATCH", "acceptedAt", accepting.content.occurredAt, record.acceptedAt),
      inOrder("issuedAt", record.acceptedAt, record.issuedAt)
    ],
    record.acceptedAt
  )

/** The record pins the history before its issuance: its length and its last hash. Nothing can be cut off unseen. */
export const checkRecordHead = ({
  record,
  history,
  accepting
}: Given<"record" | "history" | "accepting">): Finding<null> => {
  const { count, eventHash } = record.content.head
  const at = "head.count"
  if (count > history.length) return fail("JOURNAL_COUNT", at, history.length, count)
  if (accepting.content.sequence > count) {
    return fail("JOURNAL_COUNT", at, accepting.content.sequence, count)
  }
  return same("JOURNAL_HEAD", "head.eventHash", history[count - 1]?.hash ?? null, eventHash)
}

/** One ISSUE event follows the pinned head directly and binds this record. */
export const checkIssue = ({ record, history }: Given<"record" | "history">): Finding<Linked<ProjectEvent>> => {
  const issues = eventsOfKind(history, "ISSUE")
  const [event] = issues
  if (event === undefined || issues.length > 1) return fail("ISSUE_MISMATCH", "", 1, issues.length)
  const { payload } = event.content
  const { content } = record
  return allOf(
    event,
    [
      same("JOURNAL_COUNT", "sequence", content.head.count + 1, event.content.sequence),
      same("JOURNAL_HEAD", "previous", content.head.eventHash, event.content.previous),
      same("ISSUE_MISMATCH", "payload.recordId", content.recordId, payload.recordId),
      sameDigest("payload.recordDigest", record.signed.digest, payload.recordDigest),
      same("CONFIRMATION_MISMATCH", "payload.confirmationId", content.confirmation.id, payload.confirmationId),
      inOrder("occurredAt", content.issuedAt, event.content.occurredAt)
    ],
    event.hash
  )
}

/** Nothing that the package holds happened after it was signed. */
export const checkPackageTime = ({ opened, history }: Given<"history"> & { readonly opened: Opened<PackageContent> }) =>
  inOrder("issuedAt", history.at(-1)?.content.occurredAt ?? "", opened.content.issuedAt)

const inOrder = (at: string, before: string, after: string): Finding<null> =>
  before <= after ? pass(null, after) : fail("JOURNAL_TIME", at, before, after)
