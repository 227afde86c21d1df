/** The buyer reviews a delivery, criterion by criterion; accepting it is the completion decision. */
import { Effect, Result, Schema } from "effect"
import { criterionDecisions, reviewActions, type CheckedFile, type ReviewPayload } from "../../projects/event.ts"
import type { Submission } from "../../projects/project.ts"
import type { SignatureInput } from "../../projects/signing.ts"
import { now as currentTime } from "../../vocabulary/instant.ts"
import { limits } from "../../vocabulary/limits.ts"
import type { FormState, Problem } from "../kit/fields.ts"
import { decodeForm, type FormSubmission } from "../kit/form.ts"
import { anyOf, lines, oneOf, optionalLines } from "../kit/form-values.ts"
import { commandPage, type CommandDecision, type CommandFormContext } from "./command-page.ts"
import { readSignature, signatureFields, signInNotice } from "./signature.ts"
import { submissionSection } from "./delivery.ts"
import { allowedReviews, fileBoxes, reviewFields } from "./review-form.ts"

export const reviewPages = commandPage({
  path: "review",
  title: "Review the delivery",
  acts: ["REVIEW_DELIVERY", "CONFIRM_COMPLETION"],
  operation: "reviewAsPerson",
  submitLabel: "Send the decision",
  refusedAt: { CHECKED_FILES_MISMATCH: "checked", INVALID_REQUEST: "signedAt" },
  show: (context, state) =>
    Effect.map(currentTime, (now) => ({
      before: [
        // Only an acceptance is signed.
        allowedReviews(context).includes("ACCEPT") ? signInNotice(context.model, context.visitor, "review", now) : null,
        submissionSection(context.model)
      ],
      fields: reviewFields(context, state)
    })),
  read: (given, form) =>
    Effect.gen(function* () {
      const [perCriterion, whole] = partsOf(form)
      const decisions = yield* decodeForm(decisionsOf(given), perCriterion)
      const decision = yield* decodeForm(decisionOf(given), whole)
      if (Result.isFailure(decisions) || Result.isFailure(decision)) {
        const problems = [...problemsOf(decisions), ...problemsOf(decision)]
        return Result.fail({ sent: form.fields, problems })
      }
      return decodeDecision(given, { ...decision.success, answers: decisions.success }, form)
    })
})

const problemsOf = <A>(read: Result.Result<A, FormState>): ReadonlyArray<Problem> =>
  Result.isFailure(read) ? read.failure.problems : []

/** Splits the form into the decisions on criteria and the decision on the whole delivery. */
const partsOf = (form: FormSubmission): readonly [FormSubmission, FormSubmission] => {
  const isOfCriterion = ([name]: readonly [string, unknown]) => /^(?:decision|note)\d/.test(name)
  const all = Object.entries(form.fields)
  return [
    { ...form, fields: Object.fromEntries(all.filter(isOfCriterion)) },
    { ...form, fields: Object.fromEntries(all.filter((one) => !isOfCriterion(one))) }
  ]
}

const decisionsOf = ({ model: { project } }: CommandFormContext) =>
  Schema.Struct(
    Object.fromEntries<ReturnType<typeof decisionField> | ReturnType<typeof noteField>>(
      project.agreement.terms.criteria.flatMap((_, index) => [
        [`decision${index + 1}`, decisionField(index + 1)],
        [`note${index + 1}`, noteField(index + 1)]
      ])
    )
  )

const decisionField = (number: number) => oneOf(`the decision on criterion ${number}`, criterionDecisions)

const noteField = (number: number) => optionalLines(`The note on criterion ${number}`, limits.textCharacters)

/** The boxes are derived from the files of this delivery. */
const decisionOf = ({ model: { project } }: CommandFormContext) =>
  Schema.Struct({
    action: oneOf("the decision", reviewActions),
    reason: lines("The reason", limits.textCharacters),
    nextAction: optionalLines("What the supplier does next", limits.reviewNextActionCharacters),
    submissionId: Schema.optionalKey(Schema.String),
    confirmationDigest: Schema.optionalKey(Schema.String),
    checked: anyOf("the files", valuesOf(project.submission)),
    ...signatureFields
  })

interface ReviewValues extends Readonly<ReturnType<typeof decisionOf>["Type"]> {
  readonly answers: Readonly<Record<string, string>>
}

const decodeDecision = (
  given: CommandFormContext,
  values: ReviewValues,
  form: FormSubmission
): Result.Result<CommandDecision, FormState> => {
  const { requestId, expectedEventHash, agreementDigest, model } = given
  const decisions = decisionsIn(given, values)
  const isAcceptance = values.action === "ACCEPT"
  const signature = isAcceptance ? readSignature(model, values) : Result.succeed(undefined)
  const problems = [
    ...problemsIn(values, decisions),
    ...(Result.isFailure(signature) ? signature.failure : []),
    ...(allowedReviews(given).includes(values.action) || model.project.head !== expectedEventHash
      ? []
      : [{ field: "action", message: "This decision is not available now: choose another one." }])
  ]
  if (Result.isFailure(signature) || problems.length > 0) return Result.fail({ sent: form.fields, problems })
  return Result.succeed({
    command: {
      kind: "REVIEW",
      input: {
        requestId,
        agreementDigest,
        expectedEventHash,
        submissionId: values.submissionId ?? "",
        action: values.action,
        reason: values.reason,
        nextAction: values.nextAction,
        decisions,
        ...(isAcceptance ? acceptance(model.project.submission, values, signature.success) : {})
      }
    }
  })
}

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

const valuesOf = (submission: Submission | null): ReadonlyArray<string> =>
  submission === null ? [] : fileBoxes(submission).map(({ value }) => value)

const decisionsIn = ({ model: { project } }: CommandFormContext, values: ReviewValues): ReviewPayload["decisions"] =>
  project.agreement.terms.criteria.map(({ id }, index) => {
    const sent = values.answers[`decision${index + 1}`]
    const note = values.answers[`note${index + 1}`]
    // The form's schema permits only these values.
    const decision = criterionDecisions.find((one) => one === sent) ?? "NOT_MET"
    return { criterionId: id, decision, ...(note !== undefined && note !== "" ? { note } : {}) }
  })

/** Checks the criterion decisions against the overall one; a mismatch is reported at its first criterion. */
const problemsIn = (values: ReviewValues, decisions: ReviewPayload["decisions"]): ReadonlyArray<Problem> => {
  const { action, nextAction } = values
  const first = (fits: (decision: string) => boolean) => {
    const index = decisions.findIndex(({ decision }) => !fits(decision))
    return index === -1 ? [] : [`decision${index + 1}`]
  }
  const has = (wanted: string) => decisions.some(({ decision }) => decision === wanted)
  const unmet = action === "REQUEST_CHANGES" || action === "REJECT"
  return [
    ...(action === "ACCEPT"
      ? first((decision) => decision === "MET").map((field) => ({
          field,
          message: "To accept, every criterion must be met."
        }))
      : []),
    ...(unmet && !has("NOT_MET")
      ? [{ field: "decision1", message: "For this decision, at least one criterion must be not met." }]
      : []),
    ...(action === "REQUEST_EVIDENCE" && !has("EVIDENCE_NEEDED")
      ? [{ field: "decision1", message: "For this decision, at least one criterion must need evidence." }]
      : []),
    ...(action === "REQUEST_EVIDENCE"
      ? first((decision) => decision !== "NOT_MET").map((field) => ({
          field,
          message: "Where a criterion is not met, ask for changes."
        }))
      : []),
    ...((action === "REQUEST_CHANGES" || action === "REQUEST_EVIDENCE") && nextAction === ""
      ? [{ field: "nextAction", message: "State what the supplier does next." }]
      : [])
  ].filter(({ field }, index, all) => all.findIndex((other) => other.field === field) === index)
}
