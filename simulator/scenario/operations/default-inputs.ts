/**
 * Default inputs of decisions about a project, by agents and people: the members that the actor has read and that the
 * step omits.
 */
import { isObject, type JsonObject } from "../../vocabulary/json.ts"
import type { DefaultInputs } from "./api-operation.ts"
import type { RequestPlan } from "../../clients/client-state.ts"

type Fill = (plan: RequestPlan, given: JsonObject) => DefaultInputs

/** The members of every decision. */
export const decisionInputs: Fill = (plan) => ({
  requestId: plan.uuid,
  agreementDigest: () => plan.read("project.agreement.digest")
})

/** A decision whose input repeats the head. */
const boundToHead: Fill = (plan, given) => ({
  ...decisionInputs(plan, given),
  expectedEventHash: () => plan.read("project.headEventHash")
})

export const creationInputs: Fill = (plan) => ({
  requestId: plan.uuid,
  ...plan.legalContext(),
  ...plan.previewedConfirmation()
})

export const respondInputs: Fill = (plan, given) => ({
  ...decisionInputs(plan, given),
  actorId: () => plan.personId,
  actorRole: () => plan.role,
  authorityAttested: true,
  ...plan.confirmationFor("respond")
})

export const submitInputs: Fill = (plan, given) => ({
  ...decisionInputs(plan, given),
  previousSubmissionId: () => plan.read("project.submission.id"),
  respondsToReviewId: () => plan.read("project.review.id")
})

export const reviewInputs: Fill = (plan, given) => ({
  ...boundToHead(plan, given),
  submissionId: () => plan.read("project.submission.id"),
  ...(given["action"] === "ACCEPT" ? { nextAction: "", checkedFiles: plan.filesOfSubmission() } : {}),
  ...(given["action"] === "ACCEPT" ? plan.confirmationFor("acceptance") : {})
})

/** A person also signs the acceptance if the agreement requires a native signature. */
export const personReviewInputs: Fill = (plan, given) => ({
  ...reviewInputs(plan, given),
  ...(given["action"] === "ACCEPT" ? plan.nativeSignature("project.confirmations.acceptance.digest") : {})
})

export const signInputs: Fill = (plan, given) => ({
  ...decisionInputs(plan, given),
  ...plan.nativeSignature("project.agreement.digest")
})

export const dateRevisionInputs = boundToHead

/** Withdraws a confirmation, or resolves a concern about it. */
export const confirmationInputs: Fill = (plan, given) => ({
  ...decisionInputs(plan, given),
  confirmationId: () => plan.read("project.confirmation.id")
})

export const concernInputs: Fill = (plan, given) => ({
  ...boundToHead(plan, given),
  ...confirmationInputs(plan, given)
})

export const issueRecordInputs: Fill = (plan, given) => ({
  ...concernInputs(plan, given),
  ...plan.confirmationFor("issuance"),
  maxCredits: 1
})

/** The terms last read, under the current legal documents, with the changes of the step. */
export const completeTerms = (plan: RequestPlan, { terms, ...given }: JsonObject): JsonObject => ({
  ...given,
  terms: {
    ...plan.lastTerms(),
    ...plan.legalContext(),
    ...plan.previewedConfirmation(),
    ...(isObject(terms) ? terms : {})
  }
})

export const subscriptionInputs: Fill = (plan) => ({ requestId: plan.uuid, confirmed: true })

export const exportInputs: Fill = (plan) => ({
  expectedAgreementDigest: () => plan.read("project.agreement.digest"),
  expectedEventHash: () => plan.read("project.headEventHash"),
  nonce: plan.uuid
})

/** The supplier states title and summary. */
export const publicationInputs: Fill = (plan) => ({ requestId: plan.uuid, namesBuyer: false })

/** The buyer approves the digest that they read. */
export const approvalInputs: Fill = (plan) => ({ requestId: plan.uuid, publicationDigest: plan.publicationDigest })

/** All publications that the list of the supplier had. */
export const selectionInputs: Fill = (plan) => ({ selections: plan.listedSelections })

/** The offer of the record that was issued for the accepted result. */
export const offerInputs: Fill = (plan, given) => ({
  ...decisionInputs(plan, given),
  recordId: () => plan.read("project.recordIssuance.recordId"),
  currency: "EUR"
})

/** A command on a Result Order names the terms and the head that were read. */
export const orderCommandInputs: Fill = (plan) => ({
  requestId: plan.uuid,
  termsDigest: () => plan.read("termsDigest"),
  financialHead: () => plan.read("financialHead")
})
