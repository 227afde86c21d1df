/**
 * Default inputs of proposals and drafts, by agents and people: the members that the actor has read and that the step
 * omits.
 */
import { creationFields } from "../../../src/projects/input.ts"
import { isObject, type Json, type JsonObject } from "../../vocabulary/json.ts"
import type { DefaultInputs } from "./api-operation.ts"
import type { RequestPlan } from "../../clients/client-state.ts"

type Fill = (plan: RequestPlan, given: JsonObject) => DefaultInputs
type Complete = (plan: RequestPlan, given: JsonObject) => JsonObject

export const proposalInputs: Fill = (plan) => ({ requestId: plan.uuid, expectedVersion: 0 })

/** Publish and withdraw name the version last read. */
export const versionInputs: Fill = (plan) => ({
  requestId: plan.uuid,
  expectedVersion: () => plan.read("proposal.version")
})

export const proposalUpdateInputs: Fill = (plan, given) => ({
  ...versionInputs(plan, given),
  recipientActorId: () => plan.read("proposal.recipient.actorId"),
  recipientReference: () => plan.read("proposal.recipient.reference")
})

export const proposalResponseInputs: Fill = (plan, given) => ({
  requestId: plan.uuid,
  proposalDigest: () => plan.read("proposal.digest"),
  ...(given["action"] === "ACCEPT" ? plan.previewedConfirmation() : {})
})

/** Terms under the current legal documents. */
export const completeProposalTerms: Complete = (plan, { terms, ...given }) => ({
  ...given,
  terms: { ...plan.legalContext(), ...members(terms) }
})

/** An update replaces all terms: it repeats the terms last read, with the changes of the step. */
export const completeProposalUpdate: Complete = (plan, { terms, ...given }) => ({
  ...given,
  terms: { ...members(plan.read("proposal.terms")), ...plan.legalContext(), ...members(terms) }
})

/** A change of a draft at the revision last read. */
export const draftChangeInputs: Fill = (plan) => ({ requestId: plan.uuid, revision: () => plan.read("revision") })

/** Merges the step's content into the content last read. */
export const completeDraftContent: Complete = (plan, { content, ...given }) => ({
  ...given,
  content: { ...members(plan.read("content")), ...members(content) }
})

/** An agreement on the draft's terms, under the current legal documents; the draft's origin is omitted. */
export const agreementFromDraft: Complete = (plan, given) => {
  const content = members(plan.read("content"))
  const terms = Object.entries(content).filter(([member]) => Object.hasOwn(creationFields, member))
  return { ...Object.fromEntries(terms), ...plan.legalContext(), ...plan.previewedConfirmation(), ...given }
}

const members = (value: Json | undefined): JsonObject => (isObject(value) ? value : {})
