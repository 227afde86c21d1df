/** The step that unblocks a blocked act, and the party that can take it. Pure. */
import type { Role } from "../access/actions.ts"
import { limits } from "../vocabulary/limits.ts"
import type { Refusal } from "../vocabulary/refusals.ts"
import type { Possibility } from "./acts.ts"
import type { HintContext } from "./hints.ts"
import { nextStep } from "./next-action.ts"
import { canMove, canStillMove, endOfHold, isEnded, moveNamed, nextActions, type Act } from "./moves.ts"
import { hasSigned } from "./signing.ts"

/** The step that unblocks an act; `A` is the type of a project's acts or a proposal's actions. */
export interface AwaitedStep<A extends string = Act> {
  /** EITHER: each side can take the step. SERVICE: the service takes it. NONE: no step unblocks the act. */
  readonly party: Role | "EITHER" | "SERVICE" | "NONE"
  /** The acts that are this step; the viewer's next action is the first one available to them. */
  readonly acts: ReadonlyArray<A>
  /** The required action of a person of the viewer's side; null if another party is awaited. */
  readonly humanAction: string | null
  readonly reason: string
}

/** The description of a blocked act's `nextAction` in the OpenAPI documents. */
export const nextActionDescription =
  "The act to perform first, if it is available to the viewer; `WAIT_FOR_HUMAN` if a person of the viewer's side must act; `WAIT_FOR_OTHER_PARTY` if the other side must; `WAIT_FOR_RECORD` during issuance; `NONE` if the act stays impossible."

/** The `nextAction` of a blocked act; never a read, which changes nothing. */
export const nextActionOf = <A extends string>(
  { party, acts }: AwaitedStep<A>,
  side: Role,
  available: ReadonlyArray<A>
): string => {
  const own = acts.find((act) => available.includes(act))
  if (own !== undefined) return own
  if (party === "NONE") return "NONE"
  if (party === "SERVICE") return "WAIT_FOR_RECORD"
  return party === "EITHER" || party === side ? "WAIT_FOR_HUMAN" : "WAIT_FOR_OTHER_PARTY"
}

/** A blocked act in a view: its refusal, and the step that unblocks it. */
export const blockedAction = <A extends string>(
  { action, refused, step }: { readonly action: A; readonly refused: Refusal; readonly step: AwaitedStep<A> },
  side: Role,
  available: ReadonlyArray<A>,
  humanUrl: string
) => {
  const nextAction = nextActionOf(step, side, available)
  return {
    action,
    code: refused.code,
    reason: step.reason,
    nextAction,
    requiredHumanAction: nextAction === "WAIT_FOR_HUMAN" ? step.humanAction : null,
    humanUrl
  }
}

/** The step of an act that stays impossible. */
export const impossibleStep = (reason: string): AwaitedStep<never> => ({
  party: "NONE",
  acts: [],
  humanAction: null,
  reason
})

/** Each side lifts its own pause; the viewer's side comes first. */
export const resumeStep = (pausedBy: ReadonlyArray<Role>, side: Role): AwaitedStep<never> => {
  const other = otherSide(side)
  const isOwn = pausedBy.includes(side)
  const reason =
    isOwn && pausedBy.includes(other)
      ? "Both sides paused the agents; a person of each side resumes them."
      : `The ${sideNames[isOwn ? side : other]} paused the agents; a person of that side resumes them.`
  return { party: isOwn ? side : other, acts: [], humanAction: "RESUME_AGENTS", reason }
}

/** A decision reserved for people of the viewer's side. */
export const reservedForPeople = (refused: Refusal, side: Role): AwaitedStep<never> => ({
  party: side,
  acts: [],
  humanAction: refused.facts.requiredHumanAction ?? refused.code,
  reason: `This decision is reserved for a person of the ${sideNames[side]}'s side.`
})

/** The first half of a reason: the limit and its number. */
export const historyLimitReason = (events: number, noun: string): string =>
  `Limit reached: ${events} events in the history of this ${noun}`

export const sideNames: { readonly [R in Role]: string } = { BUYER: "buyer", SUPPLIER: "supplier" }

const otherSide = (side: Role): Role => (side === "BUYER" ? "SUPPLIER" : "BUYER")

export const awaitedStep = (
  refused: Refusal,
  possibility: Possibility,
  situation: HintContext,
  side: Role
): AwaitedStep => {
  const { project, pausedBy, relatedFacts } = situation
  if (isEnded(project.state)) return impossibleStep(nextStep(situation).reason)
  const { requiredHumanAction, dueAt } = refused.facts
  switch (refused.code) {
    case "AGENT_PAUSED":
      return possibility.move === "RESPOND_ACCEPT"
        ? resumeStep([...pausedBy, ...relatedFacts.agreedPausedBy], side)
        : resumeStep(pausedBy, side)
    case "PROJECT_READ_ONLY":
      return {
        party: "EITHER",
        acts: [],
        humanAction: requiredHumanAction ?? refused.code,
        reason:
          "Events of this project were lost with an earlier database; the operator of the service states the loss."
      }
    case "DELIVERY_HISTORY_LIMIT_REACHED":
      return revisionStep(
        `${historyLimitReason(limits.eventsPerProject, "project")}; a person of the buyer's side revises the agreement.`,
        {
          humanAction: requiredHumanAction ?? "REVISE_AGREEMENT"
        }
      )
    case "DELIVERY_DEADLINE_PASSED":
    case "REVIEW_DEADLINE_PASSED":
      return revisionStep(`The agreed date ${dueAt} has passed; a person of the buyer's side revises it.`, {
        acts: ["REVISE_AGREEMENT", "REQUEST_DATE_CHANGE"]
      })
    case "SIGNATURE_DATE_PASSED":
      return revisionStep(`The date ${dueAt} for this signature has passed; a person of the buyer's side revises it.`)
    case "DATE_REVISION_PENDING":
      return holdStep(situation)
    case "WAIT_FOR_HUMAN":
      return signatureStep(possibility, situation, side)
    case "HUMAN_DECISION_REQUIRED":
      return reservedForPeople(refused, side)
    case "UNKNOWN_SIGNER":
      return {
        party: "SUPPLIER",
        acts: [],
        humanAction: "INVITE_SIGNER",
        reason:
          "The person named to sign for the supplier is not a member of its organization; a person there invites them."
      }
    default:
      return stateChange(refused, possibility, situation, side)
  }
}

const revisionStep = (reason: string, changes: Partial<AwaitedStep> = {}): AwaitedStep => ({
  party: "BUYER",
  acts: ["REVISE_AGREEMENT"],
  humanAction: "REVISE_AGREEMENT",
  reason,
  ...changes
})

const holdStep = (situation: HintContext): AwaitedStep => ({
  party: "EITHER",
  acts: nextActions[endOfHold],
  humanAction: endOfHold,
  reason: nextStep(situation).reason
})

/** Both sides sign the agreement before a delivery; the buyer signs an acceptance in the same act. */
const signatureStep = ({ move }: Possibility, { project }: HintContext, side: Role): AwaitedStep => {
  if (move === "REVIEW_ACCEPT") {
    const reason = "The acceptance is signed in the same act; the person who is to sign it for the buyer accepts."
    return { party: "BUYER", acts: [], humanAction: "SIGN_ACCEPTANCE", reason }
  }
  const party = hasSigned(project, side) ? otherSide(side) : side
  const reason = hasSigned(project, otherSide(party))
    ? `The agreement waits for the signature of the ${sideNames[party]}.`
    : "The agreement waits for the signatures of both sides."
  return { party, acts: ["SIGN_AGREEMENT"], humanAction: "SIGN_AGREEMENT", reason }
}

const stateChange = (refused: Refusal, possibility: Possibility, situation: HintContext, side: Role): AwaitedStep => {
  const { project } = situation
  const { move } = possibility
  const inState = canMove(project.state, move) ? withinState(refused, possibility, situation) : undefined
  if (inState !== undefined) return inState
  const { withoutTrigger } = moveNamed(move)
  if (withoutTrigger !== undefined) return impossibleStep(withoutTrigger)
  if (project.state === "AGREEMENT_CHANGES_REQUESTED") return revisionStep(nextStep(situation).reason)
  if (!canStillMove(project.state, move))
    return impossibleStep(`No state that can follow ${project.state} allows this.`)
  return partyStep(situation, side)
}

/** The state allows the move; another guard refuses it. */
const withinState = (
  { facts }: Refusal,
  { move }: Possibility,
  { project, isCovered }: HintContext
): AwaitedStep | undefined => {
  const reason = facts.detail ?? ""
  switch (move) {
    case "RESPOND_ACCEPT":
      return { party: "SUPPLIER", acts: ["CHANGE_REPRESENTATIVE"], humanAction: "CHANGE_REPRESENTATIVE", reason }
    case "CHANGE_REPRESENTATIVE":
      return { party: "SUPPLIER", acts: ["RESPOND_TERMS"], humanAction: "RESPOND", reason }
    case "OFFER_REVISION":
      return { party: "SUPPLIER", acts: [], humanAction: null, reason }
    case "SIGN_AGREEMENT":
      return impossibleStep(reason)
    case "ISSUE":
      if (project.recordId !== null) return impossibleStep("The record was issued.")
      return isCovered
        ? { party: "SERVICE", acts: [], humanAction: null, reason: "The record was asked for and is being issued." }
        : {
            party: "BUYER",
            acts: [],
            humanAction: "FUND_RECORD",
            reason: "The record was asked for; it is issued once the buyer's side has a result credit."
          }
    default:
      return undefined
  }
}

/** The project's next step, which precedes the blocked act. */
const partyStep = (situation: HintContext, side: Role): AwaitedStep => {
  const { party, action, reason } = nextStep(situation)
  if (action === endOfHold) return holdStep(situation)
  const raisedBy = situation.project.concern?.raisedBy
  const isOwnConcern = action === "RESOLVE_CONCERN" && raisedBy === side
  return {
    party: isOwnConcern ? side : party,
    acts: nextActions[action],
    humanAction: party === "NONE" ? null : action,
    reason: party === "NONE" ? reason : `This waits for ${action} by the ${sideNames[party]}: ${uncapitalized(reason)}`
  }
}

const uncapitalized = (sentence: string): string => sentence.charAt(0).toLowerCase() + sentence.slice(1)
