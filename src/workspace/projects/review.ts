/** The buyer reviews a delivery, criterion by criterion; accepting it is the completion decision. */
import { Result } from "effect"
import type { CheckedFile, ReviewPayload } from "../../projects/event.ts"
import type { Submission } from "../../projects/project.ts"
import type { SignatureInput } from "../../projects/signing.ts"
import { now as currentTime } from "../../vocabulary/instant.ts"
import { brokenRules, firstOfEach } from "../kit/fields.ts"
import type { FormValues } from "../kit/form-field.ts"
import { comparePicker } from "./compare-picker.ts"
import { submissionSection } from "./delivery.ts"
import { reviewLabels } from "./labels.ts"
import type { ProjectPageModel } from "./read-model.ts"
import { allowedReviews, fileBoxes, reviewFields, showReviewFields, type ReviewFields } from "./review-form.ts"
import { readSignature, signInNotice } from "./signature.ts"
import { projectCommand } from "./subject.ts"

export const reviewPages = projectCommand({
  acts: ["REVIEW_DELIVERY", "CONFIRM_COMPLETION"],
  operation: "reviewAsPerson",
  submitLabel: "Send the decision",
  readExtra: () => currentTime,
  fields: ({ model }) => reviewFields(model),
  show: ({ visitor, model, extra: now }, controls) => ({
    before: [
      // Only an acceptance is signed.
      allowedReviews(model).includes("ACCEPT") ? signInNotice(model, visitor, "review", now) : null,
      submissionSection(model, { isWhole: true }),
      comparePicker(model.project)
    ],
    fields: showReviewFields(model, controls)
  }),
  command: ({ model, requestId, expectedHead: expectedEventHash }, values) => {
    const { agreementDigest, agreement, submission } = model.project
    const { action, reason, nextAction, submissionId = "" } = values
    const { signing } = agreement.terms
    const isAcceptance = action === "ACCEPT"
    const decisions = decisionsIn(model, values)
    const signature = isAcceptance && signing !== undefined ? readSignature(signing, values) : Result.succeed(undefined)
    const problems = [
      ...problemsIn(values, decisions),
      ...(Result.isFailure(signature) ? signature.failure : []),
      ...(allowedReviews(model).includes(action) || model.project.head !== expectedEventHash
        ? []
        : [{ field: "action", message: "This decision is not available now: choose another one." }])
    ]
    if (Result.isFailure(signature) || problems.length > 0) return { problems }
    return {
      kind: "REVIEW",
      input: {
        requestId,
        agreementDigest,
        expectedEventHash,
        submissionId,
        action,
        reason,
        nextAction,
        decisions,
        ...(isAcceptance ? acceptance(submission, values, signature.success) : {})
      }
    }
  },
  acknowledgement: ({ action }) => reviewLabels[action].acknowledgement,
  refusedAt: { CHECKED_FILES_MISMATCH: "checked", INVALID_REQUEST: "signedAt" }
})

type ReviewValues = FormValues<ReviewFields>

/** The members that only an acceptance has. */
const acceptance = (
  submission: Submission | null,
  { checked, confirmationDigest }: ReviewValues,
  signature: SignatureInput | undefined
) => ({
  checkedFiles: submission === null ? [] : filesOf(submission, checked),
  ...(confirmationDigest === undefined ? {} : { confirmationDigest }),
  ...(signature === undefined ? {} : { signature })
})

/** The files covered by the ticked boxes. */
const filesOf = (submission: Submission, checked: ReadonlyArray<string>): ReadonlyArray<CheckedFile> =>
  fileBoxes(submission).flatMap(({ value, files }) => (checked.includes(value) ? files : []))

const decisionsIn = ({ project }: ProjectPageModel, values: ReviewValues): ReviewPayload["decisions"] =>
  project.agreement.terms.criteria.map(({ id }, index) => {
    const note = values[`note${index + 1}`] ?? ""
    return {
      criterionId: id,
      decision: values[`decision${index + 1}`] ?? "NOT_MET",
      ...(note === "" ? {} : { note })
    }
  })

/** Checks the criterion decisions against the overall one; a mismatch is reported at its first criterion. */
const problemsIn = ({ action, nextAction }: ReviewValues, decisions: ReviewPayload["decisions"]) => {
  const firstUnmet = decisions.findIndex(({ decision }) => decision === "NOT_MET")
  const firstOpen = decisions.findIndex(({ decision }) => decision !== "MET")
  const needsEvidence = decisions.some(({ decision }) => decision === "EVIDENCE_NEEDED")
  const asksAgain = action === "REQUEST_CHANGES" || action === "REQUEST_EVIDENCE"
  const isUnmet = action === "REQUEST_CHANGES" || action === "REJECT"
  return firstOfEach(
    brokenRules([
      [action === "ACCEPT" && firstOpen !== -1, decisionAt(firstOpen), "To accept, every criterion must be met."],
      [isUnmet && firstUnmet === -1, decisionAt(0), "For this decision, at least one criterion must be not met."],
      [
        action === "REQUEST_EVIDENCE" && !needsEvidence,
        decisionAt(0),
        "For this decision, at least one criterion must need evidence."
      ],
      [
        action === "REQUEST_EVIDENCE" && firstUnmet !== -1,
        decisionAt(firstUnmet),
        "Where a criterion is not met, ask for changes."
      ],
      [asksAgain && nextAction === "", "nextAction", "State what the supplier does next."]
    ])
  )
}

const decisionAt = (index: number): string => `decision${index + 1}`
