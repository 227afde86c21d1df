/** Checks of the acceptance: the reviewed submission, criterion by criterion and file by file. */
import { allOf, fail, pass, same, sameDigest, type Finding } from "./ledger.ts"
import { type ChainedEvent, payloadDigest } from "./verified-objects.ts"
import type { CheckInputs, History } from "./check-inputs.ts"
import type { ProjectEvent } from "./schemas.ts"

type EventOfKind<K extends ProjectEvent["kind"]> = Extract<ProjectEvent, { readonly kind: K }>

export const eventsOfKind = <K extends ProjectEvent["kind"]>(
  history: History,
  kind: K
): ReadonlyArray<ChainedEvent<EventOfKind<K>>> =>
  history.filter((event): event is ChainedEvent<EventOfKind<K>> => event.content.kind === kind)

/** Each submission and review names its predecessors, and has an id of its own. */
export const checkSubmissionChain = ({ history }: CheckInputs<"history">): Finding<null> => {
  let submission: { readonly id: string; readonly digest: string } | null = null
  let review: string | null = null
  const ids = new Set<string>()
  for (const [index, event] of history.entries()) {
    const { content } = event
    const at = `events[${index}].payload`
    if (content.kind === "SUBMIT") {
      const { payload } = content
      const links = allOf(null, [
        same("SUBMISSION_MISMATCH", `${at}.previousSubmissionId`, submission?.id ?? null, payload.previousSubmissionId),
        same("SUBMISSION_MISMATCH", `${at}.respondsToReviewId`, review, payload.respondsToReviewId),
        ids.has(payload.submissionId) ? fail("SUBMISSION_MISMATCH", `${at}.submissionId`) : pass(null)
      ])
      if (!links.ok) return links
      submission = { id: payload.submissionId, digest: payloadDigest(event) }
      ids.add(payload.submissionId)
    }
    if (content.kind === "REVIEW") {
      const { payload } = content
      const links = allOf(null, [
        same("SUBMISSION_MISMATCH", `${at}.submissionId`, submission?.id ?? null, payload.submissionId),
        sameDigest(`${at}.submissionDigest`, submission?.digest ?? null, payload.submissionDigest),
        ids.has(payload.reviewId) ? fail("REVIEW_MISMATCH", `${at}.reviewId`) : pass(null)
      ])
      if (!links.ok) return links
      review = payload.reviewId
      ids.add(payload.reviewId)
    }
  }
  return pass(null)
}

/** The enclosed review is the one accepting review of the history. */
export const checkReview = ({
  history,
  review
}: CheckInputs<"history" | "review">): Finding<ChainedEvent<EventOfKind<"REVIEW">>> => {
  const accepting = eventsOfKind(history, "REVIEW").filter((event) => event.content.payload.action === "ACCEPT")
  const [event] = accepting
  if (event === undefined || accepting.length > 1) {
    return fail("REVIEW_MISMATCH", "", 1, accepting.length)
  }
  return allOf(event, [sameDigest("review", payloadDigest(event), review.digest)], review.digest)
}

/** The enclosed submission is that of the accepting review. */
export const checkSubmission = ({
  history,
  submission,
  review
}: CheckInputs<"history" | "submission" | "review">): Finding<null> => {
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

/** The submission has one item for each criterion of the agreement, and the review finds each of them met. */
export const checkAcceptance = ({
  criteria,
  submission: { content: submission },
  review: { content: review }
}: CheckInputs<"criteria" | "submission" | "review">): Finding<null> => {
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
        review.decisions.map((decision) => decision.criterionId)
      ),
      notMet < 0
        ? pass(null)
        : fail("CRITERIA_INCOMPLETE", `review.decisions[${notMet}].decision`, "MET", review.decisions[notMet]!.decision)
    ],
    criteria.length
  )
}

/** The files that the review lists as checked are exactly those of the submission. */
export const checkFiles = ({ submission, review }: CheckInputs<"submission" | "review">): Finding<null> => {
  const submitted = submission.content.items.flatMap(({ criterionId, files }) =>
    files.map(({ name, sha256 }) => fileKey({ criterionId, name, sha256 }))
  )
  return sameSet("CHECKED_FILES_MISMATCH", "review.checkedFiles", submitted, review.content.checkedFiles.map(fileKey))
}

const fileKey = (file: { readonly criterionId: string; readonly name: string; readonly sha256: string }): string =>
  JSON.stringify([file.criterionId, file.name, file.sha256])

/** Both lists hold the same texts, without duplicates. */
const sameSet = (
  code: "CRITERIA_INCOMPLETE" | "CHECKED_FILES_MISMATCH",
  at: string,
  expected: ReadonlyArray<string>,
  actual: ReadonlyArray<string>
): Finding<null> => {
  const expectedSet = new Set(expected)
  const actualSet = new Set(actual)
  const equal =
    expectedSet.size === expected.length &&
    actualSet.size === actual.length &&
    expectedSet.size === actualSet.size &&
    actual.every((text) => expectedSet.has(text))
  return equal ? pass(null, actual.length) : fail(code, at, expected.length, actual.length)
}
