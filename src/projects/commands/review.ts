/** The buyer decides a submission, criterion by criterion; ACCEPT is the completion decision. */
import { Result } from "effect"
import { refusal, type Refused } from "../../vocabulary/refusals.ts"
import { confirmAcceptance } from "../confirmation.ts"
import {
  requireConfirmation,
  requireMove,
  requirePerson,
  requireSignature,
  type Decision,
  type Given
} from "../requirements.ts"
import type { AcceptancePayload, CheckedFile, CriterionDecision, ReviewPayload } from "../event.ts"
import type { Project, Submission } from "../project.ts"
import { signatureOf, type SignatureInput } from "../signing.ts"
import { answersEachCriterion } from "./submit.ts"

export interface ReviewInput {
  readonly requestId: string
  readonly agreementDigest: string
  readonly submissionId: string
  readonly expectedEventHash: string
  readonly action: ReviewPayload["action"]
  readonly reason: string
  readonly nextAction: string
  readonly decisions: ReadonlyArray<CriterionDecision>
  readonly checkedFiles?: ReadonlyArray<CheckedFile>
  readonly confirmationDigest?: string
  /** A person's, where the agreement asks for one under the acceptance. */
  readonly signature?: SignatureInput
}

export const decideReview = (project: Project, input: ReviewInput, given: Given): Result.Result<Decision, Refused> =>
  Result.gen(function* () {
    const move = `REVIEW_${input.action}` as const
    yield* requireMove(project, input, move, given)
    const { submission } = project
    if (submission === null || submission.submissionId !== input.submissionId) {
      return yield* Result.fail(refusal("SUBMISSION_MISMATCH"))
    }
    if (!answersEachCriterion(project, input.decisions) || !fits(input)) {
      return yield* Result.fail(refusal("CRITERIA_INCOMPLETE"))
    }
    const { action } = input
    if (action === "ACCEPT" && !areExactlyTheFiles(input.checkedFiles ?? [], submission)) {
      return yield* Result.fail(refusal("CHECKED_FILES_MISMATCH"))
    }
    yield* requirePerson(project, move, given)
    if (action !== "ACCEPT") {
      return { event: { kind: "REVIEW", payload: { ...contentOf(input, submission, given), action } } }
    }
    const { digest } = confirmAcceptance(project, submission)
    yield* requireSignature(project, input.signature, digest, given)
    yield* requireConfirmation(input.confirmationDigest, digest)
    return { event: { kind: "REVIEW", payload: acceptancePayload(input, submission, digest, given) } }
  })

const contentOf = (input: ReviewInput, submission: Submission, given: Given) => ({
  reviewId: given.newId("review"),
  agreementDigest: input.agreementDigest,
  submissionId: input.submissionId,
  submissionDigest: submission.digest,
  reason: input.reason,
  nextAction: input.nextAction,
  decisions: input.decisions
})

const acceptancePayload = (
  input: ReviewInput,
  submission: Submission,
  digest: string,
  given: Given
): AcceptancePayload => ({
  ...contentOf(input, submission, given),
  action: "ACCEPT",
  checkedFiles: input.checkedFiles ?? [],
  confirmationId: given.newId("confirmation"),
  confirmationDigest: digest,
  ...(input.signature === undefined
    ? {}
    : { signature: signatureOf("ACCEPTANCE", input.signature, given.by.personId, digest) })
})

/** The decisions that each action stands on. */
const fits = ({ action, decisions }: ReviewInput): boolean => {
  const has = (decision: CriterionDecision["decision"]) => decisions.some((one) => one.decision === decision)
  switch (action) {
    case "ACCEPT":
      return !has("NOT_MET") && !has("EVIDENCE_NEEDED")
    case "REQUEST_CHANGES":
    case "REJECT":
      return has("NOT_MET")
    case "REQUEST_EVIDENCE":
      return has("EVIDENCE_NEEDED") && !has("NOT_MET")
  }
}

/** The reviewer's statement that each original was opened: the submission's files, as a set. */
const areExactlyTheFiles = (checked: ReadonlyArray<CheckedFile>, submission: Submission): boolean => {
  const identity = (file: CheckedFile) => JSON.stringify([file.criterionId, file.name, file.sha256])
  const wanted = new Set(
    submission.items.flatMap((item) =>
      item.files.map((file) => identity({ criterionId: item.criterionId, name: file.name, sha256: file.sha256 }))
    )
  )
  const given = new Set(checked.map(identity))
  return given.size === checked.length && given.size === wanted.size && [...given].every((one) => wanted.has(one))
}
