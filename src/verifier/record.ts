/** Checks of the Result Record: its statements agree with the history. */
import { eventsOfKind } from "./acceptance.ts"
import { allOf, fail, inOrder, same, sameDigest, type Finding } from "./ledger.ts"
import type { ChainedEvent, VerifiedJws } from "./verified-objects.ts"
import type { CheckInputs } from "./check-inputs.ts"
import type { PackageContent, ProjectEvent } from "./schemas.ts"

export const checkRecordAgreement = ({
  record: { content: record },
  agreement
}: CheckInputs<"record" | "agreement">): Finding<null> =>
  allOf(
    null,
    [
      same("JOURNAL_TRANSACTION", "projectId", agreement.content.projectId, record.projectId),
      same("AGREEMENT_MISMATCH", "agreement.digest", agreement.digest, record.agreement.digest),
      same("AGREEMENT_MISMATCH", "agreement.version", agreement.content.version, record.agreement.version)
    ],
    record.agreement.digest
  )

/** The parties are the agreement's buyer and the supplier's representative, with the names in the terms. */
export const checkRecordParties = (inputs: CheckInputs<"record" | "agreement" | "representative">): Finding<null> => {
  const { buyer, supplier } = inputs.record.content.parties
  const { content: agreement } = inputs.agreement
  const at = "parties"
  return allOf(null, [
    same("PARTY_MISMATCH", `${at}.buyer.organizationId`, agreement.buyer.organizationId, buyer.organizationId),
    same("PARTY_MISMATCH", `${at}.buyer.actorId`, agreement.buyer.actorId, buyer.actorId),
    same("PARTY_MISMATCH", `${at}.buyer.name`, agreement.terms.buyerName, buyer.name),
    same("PARTY_MISMATCH", `${at}.supplier.actorId`, inputs.representative, supplier.actorId),
    same("PARTY_MISMATCH", `${at}.supplier.name`, agreement.terms.supplierName, supplier.name)
  ])
}

/** The record names the accepted submission, and the accepting review with its confirmation and time. */
export const checkRecordAcceptance = ({
  record: { content: record },
  submission,
  review,
  accepting
}: CheckInputs<"record" | "submission" | "review" | "accepting">): Finding<null> =>
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

/** The record pins the history before its issuance by its length and last hash, so that truncation is detected. */
export const checkRecordHead = ({
  record,
  history,
  accepting
}: CheckInputs<"record" | "history" | "accepting">): Finding<null> => {
  const { count, eventHash } = record.content.head
  const at = "head.count"
  if (count > history.length) return fail("JOURNAL_COUNT", at, history.length, count)
  const accepted = history.indexOf(accepting) + 1
  if (accepted > count) return fail("JOURNAL_COUNT", at, accepted, count)
  return same("JOURNAL_HEAD", "head.eventHash", history[count - 1]?.hash ?? null, eventHash)
}

/** Exactly one ISSUE event follows the pinned head directly and names this record. */
export const checkIssue = ({
  record,
  history
}: CheckInputs<"record" | "history">): Finding<ChainedEvent<ProjectEvent>> => {
  const issues = eventsOfKind(history, "ISSUE")
  const [event] = issues
  if (event === undefined || issues.length > 1) return fail("ISSUE_MISMATCH", "", 1, issues.length)
  const { payload } = event.content
  const { content } = record
  return allOf(
    event,
    [
      same("JOURNAL_COUNT", "head.count", history.indexOf(event), content.head.count),
      same("JOURNAL_HEAD", "previous", content.head.eventHash, event.content.previous),
      same("ISSUE_MISMATCH", "payload.recordId", content.recordId, payload.recordId),
      sameDigest("payload.recordDigest", record.signed.digest, payload.recordDigest),
      same("CONFIRMATION_MISMATCH", "payload.confirmationId", content.confirmation.id, payload.confirmationId),
      inOrder("occurredAt", content.issuedAt, event.content.occurredAt)
    ],
    event.hash
  )
}

/** The package was signed no earlier than its last event and its last statement. */
export const checkPackageTime = ({
  opened,
  history,
  gaps
}: CheckInputs<"history" | "gaps"> & { readonly opened: VerifiedJws<PackageContent> }) =>
  allOf(
    null,
    [
      inOrder("issuedAt", history.at(-1)?.content.occurredAt ?? "", opened.content.issuedAt),
      inOrder("issuedAt", gaps.at(-1)?.content.issuedAt ?? "", opened.content.issuedAt)
    ],
    opened.content.issuedAt
  )
