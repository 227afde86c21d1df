/** Cases on the delivery and the acceptance: the chain of submissions and reviews, the criteria and the files. */
import { editAccepting, editEvent, hex } from "../forgeries.ts"
import type { Forgery } from "../sample.ts"
import { digest, type Members, sha256, uuid } from "../signing.ts"
import { payloadOf, repack, twoRounds, refusal } from "./samples.ts"
import { reviewAgain } from "./brief-sample.ts"
import type { Case } from "./case.ts"

const incomplete = ["acceptance-criteria", "CRITERIA_INCOMPLETE"] as const
const unchecked = ["acceptance-files", "CHECKED_FILES_MISMATCH"] as const

const editReview = (edit: (payload: Members) => unknown): Forgery =>
  editEvent("REVIEW", (event) => edit(event["payload"]))

/** Changes the submission, and the review with it, so that the review still names its digest. */
const resubmit = (edit: (payload: Members) => unknown): Forgery => ({
  history: (events) => {
    const submission = events.findLast(({ kind }) => kind === "SUBMIT")!["payload"]
    edit(submission)
    const { submissionId } = submission
    const review = events.findLast(({ kind }) => kind === "REVIEW")!["payload"]
    Object.assign(review, { submissionId, submissionDigest: digest(submission) })
  }
})

const editEnclosedReview = (changes: Members): Forgery =>
  repack((content) => (content["review"] = { ...content["review"], ...changes }))

const chained: ReadonlyArray<Case> = [
  refusal(
    "acceptance/delivery-changed-by-one-byte_fail",
    "The enclosed submission lost one letter after its acceptance, and the package was signed again; its digest is not the accepted one.",
    "submission-event",
    "DIGEST_MISMATCH",
    {
      forgery: repack((content) => {
        content["submission"] = { ...content["submission"], summary: "Everything is here" }
      })
    }
  ),
  refusal(
    "acceptance/delivery-event-changed_fail",
    "A file was exchanged in the submission and its event signed again; the review names the digest of the old one.",
    "submission-chain",
    "DIGEST_MISMATCH",
    { forgery: editEvent("SUBMIT", (event) => (event["payload"].items[0].files[0].sha256 = hex("3"))) }
  ),
  refusal(
    "acceptance/of-indented-text_fail",
    "The review names the digest of the submission as indented text; a digest is over the canonical form.",
    "submission-chain",
    "DIGEST_MISMATCH",
    {
      forgery: {
        history: ([, , submit, review]) =>
          void (review!["payload"].submissionDigest = sha256(JSON.stringify(submit!["payload"], null, 2)))
      }
    }
  ),
  refusal(
    "acceptance/earlier-submission-enclosed_fail",
    "The enclosed submission is the first one, which was sent back, and not the one that was accepted.",
    "submission-event",
    "DIGEST_MISMATCH",
    {
      base: twoRounds,
      forgery: repack((content) => (content["submission"] = payloadOf(content["events"][2])["payload"]))
    }
  ),
  refusal(
    "acceptance/enclosed-review-of-another-submission_fail",
    "The enclosed review names another submission than the enclosed one.",
    "submission-event",
    "SUBMISSION_MISMATCH",
    { forgery: editEnclosedReview({ submissionId: `submission_${uuid(88)}` }) }
  ),
  refusal(
    "acceptance/enclosed-review-of-other-bytes_fail",
    "The enclosed review names another digest than that of the enclosed submission.",
    "submission-event",
    "DIGEST_MISMATCH",
    { forgery: editEnclosedReview({ submissionDigest: hex("2") }) }
  ),
  refusal(
    "acceptance/review-changed_fail",
    "The reason in the enclosed review was changed after it was given, and the package signed again; its event says otherwise.",
    "review-event",
    "DIGEST_MISMATCH",
    { forgery: repack((content) => (content["review"] = { ...content["review"], reason: "Looked at nothing" })) }
  ),
  refusal(
    "acceptance/of-an-earlier-submission_fail",
    "The review accepts the first submission, although a second one had taken its place.",
    "submission-chain",
    "SUBMISSION_MISMATCH",
    {
      base: twoRounds,
      forgery: {
        history: ([, , first, , , review]) => {
          const { submissionId } = first!["payload"]
          Object.assign(review!["payload"], { submissionId, submissionDigest: digest(first!["payload"]) })
        }
      }
    }
  ),
  refusal(
    "acceptance/submission-hides-its-predecessor_fail",
    "The second submission says that it is the first, and so hides that one was sent back.",
    "submission-chain",
    "SUBMISSION_MISMATCH",
    { base: twoRounds, forgery: resubmit((payload) => (payload["previousSubmissionId"] = null)) }
  ),
  refusal(
    "acceptance/submission-answers-no-review_fail",
    "The first submission says that it answers a review, of which there was none.",
    "submission-chain",
    "SUBMISSION_MISMATCH",
    { forgery: resubmit((payload) => (payload["respondsToReviewId"] = `review_${uuid(88)}`)) }
  ),
  refusal(
    "acceptance/submission-id-twice_fail",
    "Both submissions have one id, so that a reference to it is a reference to either.",
    "submission-chain",
    "SUBMISSION_MISMATCH",
    { base: twoRounds, forgery: resubmit((payload) => (payload["submissionId"] = payload["previousSubmissionId"])) }
  ),
  refusal(
    "acceptance/review-id-twice_fail",
    "The accepting review has the id of the one that asked for changes, so that a reference to it is a reference to either.",
    "submission-chain",
    "REVIEW_MISMATCH",
    {
      base: twoRounds,
      forgery: { history: (events) => void (events[5]!["payload"].reviewId = events[3]!["payload"].reviewId) }
    }
  )
]

const criteria: ReadonlyArray<Case> = [
  refusal(
    "acceptance/criterion-not-met_fail",
    "The review accepts although it finds a criterion not met; an acceptance meets all of them.",
    ...incomplete,
    {
      forgery: editReview((payload) => (payload["decisions"][0].decision = "NOT_MET"))
    }
  ),
  refusal(
    "acceptance/criterion-undecided_fail",
    "The review accepts without a word on one of the criteria that were agreed on.",
    ...incomplete,
    {
      base: twoRounds,
      forgery: editAccepting((payload) => payload["decisions"].pop())
    }
  ),
  refusal(
    "acceptance/criterion-not-delivered_fail",
    "The accepted submission has nothing for one of the criteria.",
    ...incomplete,
    {
      base: twoRounds,
      forgery: {
        history: (events) => {
          const { items } = events[4]!["payload"]
          const { decisions } = events[5]!["payload"]
          items.pop()
          reviewAgain(events)
          events[5]!["payload"].decisions = decisions
        }
      }
    }
  ),
  refusal(
    "acceptance/criterion-in-another-spelling_fail",
    "The criterion is written with a combining accent in the review and with one letter in the terms; they are two names.",
    ...incomplete,
    {
      forgery: {
        agreement: ({ terms }) => void (terms.criteria[0].id = "caf\u00e9"),
        history: ([, , submit, review]) => {
          submit!["payload"].items[0].criterionId = "caf\u00e9"
          reviewAgain([submit!, review!])
          review!["payload"].decisions[0].criterionId = "cafe\u0301"
        }
      }
    }
  )
]

const files: ReadonlyArray<Case> = [
  refusal(
    "acceptance/file-not-checked_fail",
    "The review does not list a file that was submitted; somebody accepted what nobody had opened.",
    ...unchecked,
    {
      forgery: editReview((payload) => payload["checkedFiles"].pop())
    }
  ),
  refusal(
    "acceptance/file-of-other-bytes_fail",
    "The review checked a file of other bytes under the name of the submitted one.",
    ...unchecked,
    {
      forgery: editReview((payload) => (payload["checkedFiles"][0].sha256 = hex("3")))
    }
  ),
  refusal(
    "acceptance/file-checked-twice_fail",
    "The review lists one file twice and another one not at all.",
    ...unchecked,
    {
      base: twoRounds,
      forgery: editAccepting((payload) => (payload["checkedFiles"][2] = payload["checkedFiles"][1]))
    }
  )
]

export const acceptanceCases: ReadonlyArray<Case> = [...chained, ...criteria, ...files]
