/**
 * Default inputs of decisions about a project, by agents and people: the members that the actor has read and that the
 * step omits.
 */
import { isObject, type JsonObject } from "../script/json.ts"
import type { Filling } from "./api.ts"
import type { Plan } from "./knowledge.ts"

type Fill = (plan: Plan, given: JsonObject) => Filling

/** The members of every decision. */
export const decision: Fill = (plan) => ({
  requestId: plan.uuid,
  agreementDigest: () => plan.read("project.agreement.digest")
})

/** A decision whose input repeats the head. */
const boundToHead: Fill = (plan, given) => ({
  ...decision(plan, given),
  expectedEventHash: () => plan.read("project.headEventHash")
})

export const creation: Fill = (plan) => ({
  requestId: plan.uuid,
  ...plan.legalContext(),
  ...plan.previewedConfirmation()
})

export const respond: Fill = (plan, given) => ({
  ...decision(plan, given),
  actorId: () => plan.personId,
  actorRole: () => plan.role,
  authorityAttested: true,
  ...plan.confirmationFor("respond")
})

export const submit: Fill = (plan, given) => ({
  ...decision(plan, given),
  previousSubmissionId: () => plan.read("project.submission.id"),
  respondsToReviewId: () => plan.read("project.review.id")
})

export const review: Fill = (plan, given) => ({
  ...boundToHead(plan, given),
  submissionId: () => plan.read("project.submission.id"),
  ...(given["action"] === "ACCEPT" ? { nextAction: "", checkedFiles: plan.filesOfSubmission() } : {}),
  ...(given["action"] === "ACCEPT" ? plan.confirmationFor("acceptance") : {})
})

/** A person also signs the acceptance if the agreement requires a native signature. */
export const reviewAsPerson: Fill = (plan, given) => ({
  ...review(plan, given),
  ...(given["action"] === "ACCEPT" ? plan.nativeSignature("project.confirmations.acceptance.digest") : {})
})

export const sign: Fill = (plan, given) => ({
  ...decision(plan, given),
  ...plan.nativeSignature("project.agreement.digest")
})

export const dateRevision = boundToHead

/** Withdraws a confirmation, or resolves a concern about it. */
export const aboutConfirmation: Fill = (plan, given) => ({
  ...decision(plan, given),
  confirmationId: () => plan.read("project.confirmation.id")
})

export const concern: Fill = (plan, given) => ({ ...boundToHead(plan, given), ...aboutConfirmation(plan, given) })

export const issueRecord: Fill = (plan, given) => ({
  ...concern(plan, given),
  ...plan.confirmationFor("issuance"),
  maxCredits: 1
})

/** The terms last read, under the current legal documents, with the changes of the step. */
export const completeTerms = (plan: Plan, { terms, ...given }: JsonObject): JsonObject => ({
  ...given,
  terms: {
    ...plan.termsRead(),
    ...plan.legalContext(),
    ...plan.previewedConfirmation(),
    ...(isObject(terms) ? terms : {})
  }
})

export const subscription: Fill = (plan) => ({ requestId: plan.uuid, confirmed: true })

export const exported: Fill = (plan) => ({
  expectedAgreementDigest: () => plan.read("project.agreement.digest"),
  expectedEventHash: () => plan.read("project.headEventHash"),
  nonce: plan.uuid
})
