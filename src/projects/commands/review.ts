/** The buyer reviews a submission by criterion; ACCEPT is the completion decision. */
import { Result } from "effect"
import { refusal, type Refusal } from "../../vocabulary/refusals.ts"
import { confirmAcceptance } from "../confirmation.ts"
import {
  requireConfirmation,
  requireMove,
  requirePerson,
  requireSignature,
  type Decision,
  type DecisionContext
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
  /** A person's signature, if the agreement requires one for the acceptance. */
  readonly signature?: SignatureInput
}

export const decideReview = (
  project: Project,
  input: ReviewInput,
  context: DecisionContext
): Result.Result<Decision, Refusal> =>
  Result.gen(function* () {
    const move = `REVIEW_${input.action}` as const
    yield* requireMove(project, input, move, context)
    const { submission } = project
    if (submission === null || submission.submissionId !== input.submissionId) {
      return yield* Result.fail(refusal("SUBMISSION_MISMATCH"))
    }
    if (!answersEachCriterion(project, input.decisions) || !decisionsMatchAction(input)) {
      return yield* Result.fail(refusal("CRITERIA_INCOMPLETE"))
    }
    const { action } = input
    if (action === "ACCEPT" && !areExactlyTheFiles(input.checkedFiles ?? [], submission)) {
      return yield* Result.fail(refusal("CHECKED_FILES_MISMATCH"))
    }
    yield* requirePerson(project, move, context)
    if (action !== "ACCEPT") {
      return { event: { kind: "REVIEW", payload: { ...contentOf(input, submission, context), action } } }
    }
    const { digest } = confirmAcceptance(project, submission)
    yield* requireSignature(project, input.signature, digest, context)
    yield* requireConfirmation(input.confirmationDigest, digest)
    return { event: { kind: "REVIEW", payload: acceptancePayload(input, submission, digest, context) } }
  })

const contentOf = (input: ReviewInput, submission: Submission, context: DecisionContext) => ({
  reviewId: context.newId("review"),
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
  context: DecisionContext
): AcceptancePayload => ({
  ...contentOf(input, submission, context),
  action: "ACCEPT",
  checkedFiles: input.checkedFiles ?? [],
  confirmationId: context.newId("confirmation"),
  confirmationDigest: digest,
  ...(input.signature === undefined
    ? {}
    : { signature: signatureOf("ACCEPTANCE", input.signature, context.by.personId, digest) })
})

/** True if the criterion decisions match the action. */
const decisionsMatchAction = ({ action, decisions }: ReviewInput): boolean => {
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

/** The checked files, by which the reviewer states that each original was opened, equal the submission's as a set. */
const areExactlyTheFiles = (checked: ReadonlyArray<CheckedFile>, submission: Submission): boolean => {
  const identity = (file: CheckedFile) => JSON.stringify([file.criterionId, file.name, file.sha256])
  const expected = new Set(
    submission.items.flatMap((item) =>
      item.files.map((file) => identity({ criterionId: item.criterionId, name: file.name, sha256: file.sha256 }))
    )
  )
  const actual = new Set(checked.map(identity))
  return (
    actual.size === checked.length && actual.size === expected.size && [...actual].every((one) => expected.has(one))
  )
}
