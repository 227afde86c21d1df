/** The buyer reviews a submission by criterion; ACCEPT is the completion decision. */
import { Result, Schema } from "effect"
import { Digest, idOf, UuidV4 } from "../../vocabulary/ids.ts"
import { limits } from "../../vocabulary/limits.ts"
import { refusal } from "../../vocabulary/refusals.ts"
import { optionalTextUpTo, Text, Title } from "../../vocabulary/text.ts"
import { defineCommand } from "../command.ts"
import { confirmAcceptance } from "../confirmation.ts"
import {
  criterionDecisions,
  reviewActions,
  type AcceptancePayload,
  type CheckedFile,
  type CriterionDecision,
  type ReviewPayload
} from "../event.ts"
import { withDigest, type Submission } from "../project.ts"
import { requireConfirmation, requirePerson, requireSignature, type DecisionContext } from "../requirements.ts"
import { SignatureInput, signatureOf } from "../signing.ts"
import { upTo } from "../terms.ts"
import { answersEachCriterion } from "./submit.ts"

export const reviewFields = {
  requestId: UuidV4,
  agreementDigest: Digest,
  submissionId: idOf("submission"),
  expectedEventHash: Digest,
  action: Schema.Literals(reviewActions),
  reason: Text,
  nextAction: optionalTextUpTo(limits.reviewNextActionCharacters),
  decisions: upTo(
    Schema.Struct({
      criterionId: Title,
      decision: Schema.Literals(criterionDecisions),
      note: Schema.optionalKey(Text)
    }),
    limits.criteria
  ),
  checkedFiles: Schema.optionalKey(
    upTo(Schema.Struct({ criterionId: Title, name: Title, sha256: Digest }), limits.criteria * limits.filesPerItem)
  ),
  confirmationDigest: Schema.optionalKey(Digest)
}

/** The members of a review for each action. */
export const reviewFits = Schema.makeFilter(
  (review: {
    readonly action: string
    readonly nextAction: string
    readonly checkedFiles?: unknown
    readonly confirmationDigest?: unknown
    readonly signature?: unknown
  }) => {
    const endsDelivery = review.action === "ACCEPT" || review.action === "REJECT"
    if (!endsDelivery && review.nextAction === "") {
      return { path: ["nextAction"], issue: "says what the supplier does next; empty only for ACCEPT and REJECT" }
    }
    const isAcceptance = review.action === "ACCEPT"
    if (isAcceptance !== (review.checkedFiles !== undefined)) {
      return { path: ["checkedFiles"], issue: "belongs to ACCEPT, and ACCEPT needs it" }
    }
    if (isAcceptance) return undefined
    const [misplaced] = (["confirmationDigest", "signature"] as const).filter((member) => review[member] !== undefined)
    return misplaced === undefined ? undefined : { path: [misplaced], issue: "belongs to ACCEPT" }
  }
)

/** A person signs an acceptance if the agreement requires it. */
export const ReviewInput = Schema.Struct({ ...reviewFields, signature: Schema.optionalKey(SignatureInput) }).check(
  reviewFits
)

export const review = defineCommand({
  kind: "REVIEW",
  moveOf: ({ action }: Pick<ReviewPayload, "action">) => `REVIEW_${action}`,
  decide: (project, input: typeof ReviewInput.Type, context) =>
    Result.gen(function* () {
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
      yield* requirePerson(project, `REVIEW_${action}`, context)
      if (action !== "ACCEPT") {
        return { event: { kind: "REVIEW", payload: { ...contentOf(input, submission, context), action } } }
      }
      const { digest } = confirmAcceptance(project, submission)
      yield* requireSignature(project, input.signature, digest, context)
      yield* requireConfirmation(input.confirmationDigest, digest)
      return { event: { kind: "REVIEW", payload: acceptancePayload(input, submission, digest, context) } }
    }),
  evolve: ({ signatures }, { payload, requestId, occurredAt }) => {
    const review = withDigest(payload, { ...payload, requestId, occurredAt })
    if (payload.action !== "ACCEPT") return { review }
    const { confirmationId, reviewId, submissionId, signature } = payload
    const signed = { subject: "ACCEPTANCE", party: "BUYER", occurredAt } as const
    return {
      review,
      confirmation: { confirmationId, reviewId, submissionId, occurredAt },
      signatures: signature === undefined ? signatures : [...signatures, { ...signed, signature }]
    }
  }
})

const contentOf = (input: typeof ReviewInput.Type, submission: Submission, context: DecisionContext) => ({
  reviewId: context.newId("review"),
  agreementDigest: input.agreementDigest,
  submissionId: input.submissionId,
  submissionDigest: submission.digest,
  reason: input.reason,
  nextAction: input.nextAction,
  decisions: input.decisions
})

const acceptancePayload = (
  input: typeof ReviewInput.Type,
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
const decisionsMatchAction = ({ action, decisions }: typeof ReviewInput.Type): boolean => {
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
