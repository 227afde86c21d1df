/**
 * What a careful client fills in of work that binds nobody yet: proposals and drafts, by agents and people. As with
 * projects, it is what its actor has read and the step leaves out.
 */
import { creationFields } from "../../src/projects/input.ts"
import { isObject, type Json, type JsonObject } from "../script/json.ts"
import type { Filling } from "./api.ts"
import type { Plan } from "./knowledge.ts"

type Fill = (plan: Plan, given: JsonObject) => Filling
type Complete = (plan: Plan, given: JsonObject) => JsonObject

export const writeProposal: Fill = (plan) => ({ requestId: plan.uuid, expectedVersion: 0 })

/** Publish and withdraw name the version that was read. */
export const versioned: Fill = (plan) => ({
  requestId: plan.uuid,
  expectedVersion: () => plan.read("proposal.version")
})

export const proposalUpdate: Fill = (plan, given) => ({
  ...versioned(plan, given),
  recipientActorId: () => plan.read("proposal.recipient.actorId"),
  recipientReference: () => plan.read("proposal.recipient.reference")
})

export const answerProposal: Fill = (plan, given) => ({
  requestId: plan.uuid,
  proposalDigest: () => plan.read("proposal.digest"),
  ...(given["action"] === "ACCEPT" ? plan.previewedConfirmation() : {})
})

/** Terms under the current documents. */
export const fullTerms: Complete = (plan, { terms, ...given }) => ({
  ...given,
  terms: { ...plan.legalContext(), ...members(terms) }
})

/** An update replaces everything: it repeats the terms that were read, with what the step changes in them. */
export const fullUpdate: Complete = (plan, { terms, ...given }) => ({
  ...given,
  terms: { ...members(plan.read("proposal.terms")), ...plan.legalContext(), ...members(terms) }
})

/** A change of a draft as it was read. */
export const draftChange: Fill = (plan) => ({ requestId: plan.uuid, revision: () => plan.read("revision") })

/** What a step writes into a draft goes beside what stood there. */
export const fullContent: Complete = (plan, { content, ...given }) => ({
  ...given,
  content: { ...members(plan.read("content")), ...members(content) }
})

/** An agreement on what the draft says, under the current documents; where the draft came from is no part of it. */
export const fullAgreement: Complete = (plan, given) => {
  const content = members(plan.read("content"))
  const terms = Object.entries(content).filter(([member]) => Object.hasOwn(creationFields, member))
  return { ...Object.fromEntries(terms), ...plan.legalContext(), ...plan.previewedConfirmation(), ...given }
}

const members = (value: Json | undefined): JsonObject => (isObject(value) ? value : {})
