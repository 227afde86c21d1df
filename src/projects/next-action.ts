/** The next action of a project (2.4), derived from the project and viewed from one side. */
import type { Action, Role } from "../access/actions.ts"
import type { Instant } from "../vocabulary/instant.ts"
import { isAction } from "./acts.ts"
import { submissionDueAt } from "./conditions.ts"
import { endOfHold, nextActions, type Act, type NextAction } from "./moves.ts"
import type { RelatedFacts } from "./guard-context.ts"
import type { Progress } from "./progress.ts"
import type { Hold } from "./project.ts"
import { hasSigned } from "./signing.ts"

interface Context {
  readonly project: Progress
  readonly isIssuanceRequested: boolean
  readonly relatedFacts: Pick<RelatedFacts, "isRepresentedByAnother">
  readonly now: Instant
}

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
  readonly action: NextAction
  /** The action of a grant that performs it; null if only a person can, or if nothing is left. */
  readonly agentAction: Action | null
  readonly reason: string
  readonly dueAt: Instant | null
}

const stepOf = (party: Role | "NONE", action: NextAction, reason: string, dueAt: Instant | null = null): Step => {
  const acts: ReadonlyArray<Act> = nextActions[action]
  return { party, action, agentAction: acts.find(isAction) ?? null, reason, dueAt }
}

const revision = (reason: string): Step => stepOf("BUYER", "REVISE_AGREEMENT", reason)

/** The next step of a project, the same for every viewer. */
export const nextStep = (context: Context): Step => {
  const { project, now } = context
  const { reviewDeadline } = project.agreement.terms
  if (project.hold !== null) return holdStep(project.hold)
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
      return now > reviewDeadline
        ? revision("The date for this review has passed; people revise it.")
        : stepOf("BUYER", "REVIEW", "The buyer decides this submission.", reviewDeadline)
    case "BUYER_CONFIRMED":
      return afterAcceptance(context)
    case "AGREEMENT_CHANGES_REQUESTED":
      return revision("The supplier asked for other terms; people renegotiate.")
    case "CONFIRMATION_CONTESTED":
      return stepOf("BUYER", "RESOLVE_CONCERN", "A concern pauses reliance on the confirmation.")
    case "SUPPLIER_DECLINED":
    case "BUYER_REJECTED":
    case "CONFIRMATION_WITHDRAWN":
    case "SUPERSEDED":
      return stepOf("NONE", "NONE", "Nothing more happens under this agreement.")
  }
}

/** The agreement is the buyer's: a person there revises its dates; either side can lift the hold. */
const holdStep = ({ purpose }: Pick<Hold, "purpose">): Step => {
  const held = purpose === "DELIVERY" ? "delivery" : "review"
  return stepOf(
    "BUYER",
    endOfHold,
    `Another date for the ${held} was asked for; people revise the terms or lift the hold.`
  )
}

const delivery = ({ project, now }: Context, reason: string): Step => {
  const dueAt = submissionDueAt(project)
  return now > dueAt
    ? revision("The date for this delivery has passed; people revise it.")
    : stepOf("SUPPLIER", "SUBMIT", reason, dueAt)
}

/** The missing signature before a delivery, if the agreement requires signatures. */
const missingSignature = ({ project, now }: Context): Step | undefined => {
  const { signing } = project.agreement.terms
  const party = (["BUYER", "SUPPLIER"] as const).find((side) => !hasSigned(project, side))
  if (signing === undefined || party === undefined) return undefined
  const { agreementSignBy } = signing
  return now > agreementSignBy
    ? revision("The date by which the agreement was to be signed has passed; people revise it.")
    : stepOf(
        party,
        "SIGN_AGREEMENT",
        "The agreement is signed by both sides before anything is delivered.",
        agreementSignBy
      )
}

const beforeTerms = ({ project, relatedFacts, now }: Context): Step => {
  const { supplier, agreement } = project
  const dueAt = agreement.terms.deadline
  if (now > dueAt)
    return revision("The date for the delivery passed before the terms were agreed on; people revise it.")
  if (supplier.actorId === null) {
    const reason = "No person is named as the supplier yet; a person of the buyer's side invites one."
    return stepOf("BUYER", "INVITE_SUPPLIER", reason, dueAt)
  }
  if (relatedFacts.isRepresentedByAnother) {
    const reason = "The agreed project has another representative now; the supplier names that person here too."
    return stepOf("SUPPLIER", "CHANGE_REPRESENTATIVE", reason, dueAt)
  }
  return stepOf("SUPPLIER", "RESPOND", "The named supplier answers the exact terms.", dueAt)
}

const afterAcceptance = ({ project, isIssuanceRequested }: Context): Step => {
  if (project.recordId !== null) return stepOf("NONE", "NONE", "The record was issued.")
  return isIssuanceRequested
    ? stepOf("NONE", "WAIT_FOR_RECORD", "The record was asked for; it is issued once a result credit covers it.")
    : stepOf("BUYER", "ISSUE_RECORD", "The acceptance is recorded; its record can be issued.")
}
