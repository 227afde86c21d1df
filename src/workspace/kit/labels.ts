/** Labels for the enumerations of the wire. */
import type { Action, GuardedAction, HumanDecision, Role } from "../../access/actions.ts"
import type { InvitationKind } from "../../people/invitation.ts"
import type { Authority } from "../../people/membership.ts"
import type { ItemState } from "../../participation/item.ts"
import type { State } from "../../projects/project.ts"

export const roleLabels: { readonly [R in Role]: string } = { BUYER: "Buyer", SUPPLIER: "Supplier" }

export const actionLabels: { readonly [A in Action]: string } = {
  CREATE_DRAFT: "Prepare drafts for a person to complete",
  CREATE_PROJECT: "Create agreements that bind your organization as buyer",
  CREATE_PROPOSAL: "Write proposals for your organization",
  UPDATE_PROPOSAL: "Change proposals: one that was published has to be published again",
  PUBLISH_PROPOSAL: "Publish proposals to their named recipients",
  RESPOND_PROPOSAL:
    "Answer proposals: ask for changes, decline, or accept one, which makes an agreement that binds your organization and that the agent then reaches",
  WITHDRAW_PROPOSAL: "Withdraw proposals, which ends them",
  RESPOND_TERMS:
    "Answer the terms of agreements: ask for others, decline, or accept them, which binds your organization",
  SUBMIT_MATERIALS: "Submit deliveries, by their digests",
  REVIEW_DELIVERY: "Review deliveries: ask for changes or evidence, or reject it, which ends the agreement",
  CONFIRM_COMPLETION: "Accept a delivery as complete",
  ISSUE_RESULT_RECORD: "Issue result records",
  REQUEST_DATE_CHANGE: "Request another date: delivery and review are on hold until a person lifts the request",
  RAISE_CONCERN: "Raise a concern about an acceptance, which is not to be relied on until people resolve it"
}

/** Several actions in one sentence. */
export const actionsText = (several: ReadonlyArray<Action>): string =>
  several.map((action) => actionLabels[action]).join("; ")

/** The consents to guarded actions, in the first person. */
export const guardedConsents: { readonly [A in GuardedAction]: string } = {
  CONFIRM_COMPLETION:
    "I let this agent accept deliveries as complete in my name: its decision is recorded and binds my organization.",
  ISSUE_RESULT_RECORD:
    "I let this agent issue result records in my name: each uses one of my organization's credits and cannot be taken back."
}

export const authorityLabels: { readonly [A in Authority]: string } = {
  DELEGATE: "Let agents act, within what this membership allows",
  AGREEMENT_CREATE: "Create agreements",
  RESULT_DRAFT_CREATE: "Prepare drafts",
  PROPOSAL_MANAGE: "Write, send and answer proposals",
  TERMS_RESPOND: "Answer the terms of agreements as supplier",
  MATERIALS_SUBMIT: "Submit deliveries",
  DELIVERY_REVIEW: "Review and reject deliveries",
  COMPLETION_CONFIRM: "Accept deliveries as complete",
  RECORD_ISSUE: "Issue result records",
  FINANCIAL_READ: "See credits and payments",
  FINANCIAL_MANAGE: "Offer, approve, decline and pay orders, and see credits and payments",
  PUBLICATION_MANAGE: "Publish and withdraw results",
  MEMBERS_MANAGE: "Invite and remove members"
}

export const decisionLabels: { readonly [D in HumanDecision]: string } = {
  RESPOND: "Answer the terms",
  REVIEW: "Review the delivery",
  ACCEPT: "Accept the delivery",
  ISSUE: "Issue the record"
}

export const presetLabels: { readonly [name: string]: string } = {
  READ_ONLY: "Read only",
  REVIEW: "Review",
  SUBMIT: "Submit"
}

export const invitationKindLabels: { readonly [K in InvitationKind]: string } = {
  MEMBERSHIP: "Membership",
  REPRESENTATIVE: "Supplier of an agreement",
  PARTICIPATION: "Task"
}

export const itemStateLabels: { readonly [S in ItemState]: string } = {
  OPEN: "open",
  DONE: "done",
  WITHDRAWN: "withdrawn"
}

/** The state of an agreement: a short name, and its meaning in one sentence. */
export const stateLabels: { readonly [S in State]: { readonly name: string; readonly meaning: string } } = {
  AWAITING_SUPPLIER: { name: "waits for the supplier", meaning: "The supplier has not answered the terms yet." },
  LOCKED: { name: "agreed", meaning: "Both parties agreed on the terms; the supplier delivers next." },
  SUBMITTED: { name: "submitted", meaning: "The supplier has delivered; the buyer reviews next." },
  CHANGES_REQUESTED: {
    name: "changes requested",
    meaning: "The buyer asked for changes; the supplier delivers again."
  },
  AWAITING_EVIDENCE: {
    name: "evidence requested",
    meaning: "The buyer asked for evidence; the supplier delivers again."
  },
  AGREEMENT_CHANGES_REQUESTED: {
    name: "other terms requested",
    meaning: "The supplier asked for other terms; a person of the buyer revises them."
  },
  SUPPLIER_DECLINED: { name: "declined", meaning: "The supplier declined the terms; the agreement has ended." },
  BUYER_REJECTED: { name: "rejected", meaning: "The buyer rejected what was delivered; the agreement has ended." },
  BUYER_CONFIRMED: { name: "accepted", meaning: "The buyer accepted what was delivered." },
  CONFIRMATION_CONTESTED: {
    name: "contested",
    meaning: "A concern about the acceptance was raised and has to be resolved by people."
  },
  CONFIRMATION_WITHDRAWN: {
    name: "withdrawn",
    meaning: "The acceptance was withdrawn and must not be relied on."
  },
  SUPERSEDED: { name: "superseded", meaning: "Another agreement has replaced this one." }
}
