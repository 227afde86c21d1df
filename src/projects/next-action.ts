/** The next action of a project (2.4), derived from the project and viewed from one side. */
import type { Action, Role } from "../access/actions.ts"
import type { Instant } from "../vocabulary/instant.ts"
import type { HintContext as FullContext } from "./hints.ts"
import { submissionDueAt } from "./conditions.ts"
import { endOfHold } from "./moves.ts"
import type { Project } from "./project.ts"
import { hasSigned } from "./signing.ts"

type Context = Pick<FullContext, "project" | "isIssuanceRequested" | "relatedFacts" | "now">

/** The next step from the perspective of one side. */
export const nextActionFor = (context: Context, side: Role) => {
  const { project } = context
  const { party, action, agentAction, reason, dueAt } = nextStep(context)
  return {
    party,
    viewer: party === "NONE" ? ("NONE" as const) : party === side ? ("NEEDS_YOU" as const) : ("WAITING" as const),
    action,
    agentAction,
    reason,
    dueAt,
    agreementVersion: project.agreement.version,
    expectedHeadEventHash: project.head
  }
}

interface Step {
  readonly party: Role | "NONE"
  readonly action: string
  /** The action of a grant that performs it; null if only a person can, or if nothing is left. */
  readonly agentAction: Action | null
  readonly reason: string
  readonly dueAt: Instant | null
}

const personOnly = { agentAction: null, dueAt: null }

/** The next step of a project, the same for every viewer. */
export const nextStep = (context: Context): Step => {
  const { project } = context
  if (project.hold !== null) return holdStep(project)
  switch (project.state) {
    case "AWAITING_SUPPLIER":
      return beforeTerms(context)
    case "LOCKED":
      return missingSignature(context) ?? delivery(context, "The terms are agreed; materials are awaited.")
    case "CHANGES_REQUESTED":
      return delivery(context, "The buyer asked for changes.")
    case "AWAITING_EVIDENCE":
      return delivery(context, "The buyer asked for evidence.")
    case "SUBMITTED":
      if (context.now > project.agreement.terms.reviewDeadline) {
        return revision("The date for this review has passed; people revise it.")
      }
      return {
        party: "BUYER",
        action: "REVIEW",
        agentAction: "REVIEW_DELIVERY",
        reason: "The buyer decides this submission.",
        dueAt: project.agreement.terms.reviewDeadline
      }
    case "BUYER_CONFIRMED":
      return afterAcceptance(context)
    case "AGREEMENT_CHANGES_REQUESTED":
      return revision("The supplier asked for other terms; people renegotiate.")
    case "CONFIRMATION_CONTESTED":
      return {
        party: "BUYER",
        action: "RESOLVE_CONCERN",
        ...personOnly,
        reason: "A concern pauses reliance on the confirmation."
      }
    case "SUPPLIER_DECLINED":
    case "BUYER_REJECTED":
    case "CONFIRMATION_WITHDRAWN":
    case "SUPERSEDED":
      return { party: "NONE", action: "NONE", ...personOnly, reason: "Nothing more happens under this agreement." }
  }
}

/** The agreement is the buyer's: a person there revises its dates; either side can lift the hold. */
const holdStep = ({ hold }: Project): Step => ({
  party: "BUYER",
  action: endOfHold.action,
  ...personOnly,
  reason:
    hold?.purpose === "DELIVERY"
      ? "Another date for the delivery was asked for; people revise the terms or lift the hold."
      : "Another date for the review was asked for; people revise the terms or lift the hold."
})

const delivery = ({ project, now }: Context, reason: string): Step => {
  const dueAt = submissionDueAt(project)
  return now > dueAt
    ? revision("The date for this delivery has passed; people revise it.")
    : { party: "SUPPLIER", action: "SUBMIT", agentAction: "SUBMIT_MATERIALS", reason, dueAt }
}

/** The missing signature before a delivery, if the agreement requires signatures. */
const missingSignature = ({ project, now }: Context): Step | undefined => {
  const { signing } = project.agreement.terms
  const party = (["BUYER", "SUPPLIER"] as const).find((side) => !hasSigned(project, side))
  if (signing === undefined || party === undefined) return undefined
  return now > signing.agreementSignBy
    ? revision("The date by which the agreement was to be signed has passed; people revise it.")
    : {
        party,
        action: "SIGN_AGREEMENT",
        agentAction: null,
        reason: "The agreement is signed by both sides before anything is delivered.",
        dueAt: signing.agreementSignBy
      }
}

const revision = (reason: string): Step => ({ party: "BUYER", action: "REVISE_AGREEMENT", ...personOnly, reason })

const beforeTerms = ({ project, relatedFacts, now }: Context): Step => {
  const { supplier, agreement } = project
  const dueAt = agreement.terms.deadline
  if (now > dueAt)
    return revision("The date for the delivery passed before the terms were agreed on; people revise it.")
  const forSupplier = { party: "SUPPLIER", dueAt } as const
  if (supplier.actorId === null) {
    return {
      party: "BUYER",
      action: "INVITE_SUPPLIER",
      agentAction: null,
      reason: "No person is named as the supplier yet; a person of the buyer's side invites one.",
      dueAt
    }
  }
  if (relatedFacts.isRepresentedByAnother) {
    const reason = "The agreed project has another representative now; the supplier names that person here too."
    return { ...forSupplier, action: "CHANGE_REPRESENTATIVE", agentAction: null, reason }
  }
  const reason = "The named supplier answers the exact terms."
  return { ...forSupplier, action: "RESPOND", agentAction: "RESPOND_TERMS", reason }
}

const afterAcceptance = ({ project, isIssuanceRequested }: Context): Step => {
  if (project.recordId !== null)
    return { party: "NONE", action: "NONE", ...personOnly, reason: "The record was issued." }
  if (isIssuanceRequested) {
    const reason = "The record was asked for; it is issued once a result credit covers it."
    return { party: "NONE", action: "WAIT_FOR_RECORD", ...personOnly, reason }
  }
  const reason = "The acceptance is recorded; its record can be issued."
  return { party: "BUYER", action: "ISSUE_RECORD", agentAction: "ISSUE_RESULT_RECORD", reason, dueAt: null }
}
