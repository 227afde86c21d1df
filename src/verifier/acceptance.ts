/** The acceptance: the submission that was reviewed, criterion by criterion and file by file. */
import { allOf, fail, pass, same, sameDigest, type Finding } from "./ledger.ts"
import type { History } from "./history.ts"
import { type Linked, payloadDigest } from "./objects.ts"
import type { Given } from "./parts.ts"
import type { ProjectEvent } from "./shapes.ts"

type EventOfKind<K extends ProjectEvent["kind"]> = Extract<ProjectEvent, { readonly kind: K }>

export const eventsOfKind = <K extends ProjectEvent["kind"]>(
  history: History,
  kind: K
): ReadonlyArray<Linked<EventOfKind<K>>> =>
  history.filter((event): event is Linked<EventOfKind<K>> => event.content.kind === kind)

/** Submissions and reviews name each other in the order in which they were made. */
export const checkSubmissionChain = ({ history }: Given<"history">): Finding<null> => {
  let submission: { readonly id: string; readonly digest: string } | null = null
  let review: string | null = null
  const seen = new Set<string>()
  for (const [index, event] of history.entries()) {
    const { content } = event
    const at = `events[${index}].payload`
    if (content.kind === "SUBMIT") {
      const { payload } = content
      const linked = allOf(null, [
        same("SUBMISSION_MISMATCH", `${at}.previousSubmissionId`, submission?.id ?? null, payload.previousSubmissionId),
        same("SUBMISSION_MISMATCH", `${at}.respondsToReviewId`, review, payload.respondsToReviewId),
        seen.has(payload.submissionId) ? fail("SUBMISSION_MISMATCH", `${at}.submissionId`) : pass(null)
      ])
      if (!linked.ok) return linked
      submission = { id: payload.submissionId, digest: payloadDigest(event) }
      seen.add(payload.submissionId)
    }
    if (content.kind === "REVIEW") {
      const { payload } = content
      const linked = allOf(null, [
        same("SUBMISSION_MISMATCH", `${at}.submissionId`, submission?.id ?? null, payload.submissionId),
        sameDigest(`${at}.submissionDigest`, submission?.digest ?? null, payload.submissionDigest),
        seen.has(payload.reviewId) ? fail("REVIEW_MISMATCH", `${at}.reviewId`) : pass(null)
      ])
      if (!linked.ok) return linked
      review = payload.reviewId
      seen.add(payload.reviewId)
    }
  }
  return pass(null)
}

/** The enclosed review is the one accepting review of the history. */
export const checkReview = ({
  history,
  review
}: Given<"history" | "review">): Finding<Linked<EventOfKind<"REVIEW">>> => {
  const accepting = eventsOfKind(history, "REVIEW").filter((event) => event.content.payload.action === "ACCEPT")
  const [event] = accepting
  if (event === undefined || accepting.length > 1) {
    return fail("REVIEW_MISMATCH", "", 1, accepting.length)
  }
  return allOf(event, [sameDigest("review", payloadDigest(event), review.digest)], review.digest)
}

/** The enclosed submission is the one that the accepting review decided on. */
export const checkSubmission = ({
  history,
  submission,
  review
}: Given<"history" | "submission" | "review">): Finding<null> => {
  const event = eventsOfKind(history, "SUBMIT").at(-1)
  if (event === undefined) return fail("SUBMISSION_MISMATCH", "", "SUBMIT")
  return allOf(
    null,
    [
      sameDigest("submission", payloadDigest(event), submission.digest),
      same("SUBMISSION_MISMATCH", "review.submissionId", submission.content.submissionId, review.content.submissionId),
      sameDigest("review.submissionDigest", submission.digest, review.content.submissionDigest)
    ],
    submission.digest
  )
}

/** The submission answers every criterion of the agreement once, and the review finds every one of them met. */
export const checkAcceptance = ({
  criteria,
  submission: { content: submission },
  review: { content: review }
}: Given<"criteria" | "submission" | "review">): Finding<null> => {
  const notMet = review.decisions.findIndex((decision) => decision.decision !== "MET")
  return allOf(
    null,
    [
      sameSet(
        "CRITERIA_INCOMPLETE",
        "submission.items",
        criteria,
        submission.items.map((item) => item.criterionId)
      ),
      sameSet(
        "CRITERIA_INCOMPLETE",
        "review.decisions",
        criteria,
        review.decisions.map((one) => one.criterionId)
      ),
      notMet < 0
        ? pass(null)
        : fail("CRITERIA_INCOMPLETE", `review.decisions[${notMet}].decision`, "MET", review.decisions[notMet]!.decision)
    ],
    criteria.length
  )
}

/** The files that the reviewer states to have opened are the files of the submission: all of them and no other. */
export const checkFiles = ({ submission, review }: Given<"submission" | "review">): Finding<null> => {
  const submitted = submission.content.items.flatMap(({ criterionId, files }) =>
    files.map(({ name, sha256 }) => fileKey({ criterionId, name, sha256 }))
  )
  return sameSet("CHECKED_FILES_MISMATCH", "review.checkedFiles", submitted, review.content.checkedFiles.map(fileKey))
}

const fileKey = (file: { readonly criterionId: string; readonly name: string; readonly sha256: string }): string =>
  JSON.stringify([file.criterionId, file.name, file.sha256])

/** Both lists hold the same texts, and neither holds one twice. */
const sameSet = (
  code: "CRITERIA_INCOMPLETE" | "CHECKED_FILES_MISMATCH",
  at: string,
  expected: ReadonlyArray<string>,
  actual: ReadonlyArray<string>
): Finding<null> => {
  const wanted = new Set(expected)
  const given = new Set(actual)
  const equal =
    wanted.size === expected.length &&
    given.size === actual.length &&
    wanted.size === given.size &&
    actual.every((one) => wanted.has(one))
  return equal ? pass(null, actual.length) : fail(code, at, expected.length, actual.length)
}
