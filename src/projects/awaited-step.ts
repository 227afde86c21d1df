/** What has to happen before a blocked act becomes possible, and whose turn that is. Pure. */
import type { Role } from "../access/actions.ts"
import { limits } from "../vocabulary/limits.ts"
import type { Refused } from "../vocabulary/refusals.ts"
import type { Act, Possibility } from "./acts.ts"
import type { Situation } from "./hints.ts"
import { nextStep } from "./next-action.ts"
import { canMove, canStillMove, isEnded } from "./project.ts"
import { hasSigned } from "./signing.ts"

/** The step that removes what blocks an act; `A` names acts of a project, or actions of a proposal. */
export interface AwaitedStep<A extends string = Act> {
  /** EITHER where each side can take the step, SERVICE where the service does, NONE where no step leads to the act. */
  readonly party: Role | "EITHER" | "SERVICE" | "NONE"
  /** The acts that are this step: a viewer who can do one of them now is told that one. */
  readonly acts: ReadonlyArray<A>
  /** What a person of the viewer's side is asked for; null where another party is awaited. */
  readonly humanAction: string | null
  readonly reason: string
}

/** What `nextAction` of a blocked act says, for the documents of the wire. */
export const nextActionWords =
  "The act that comes first, where the viewer can do it now; `WAIT_FOR_HUMAN` where a person of the viewer's side must act; `WAIT_FOR_OTHER_PARTY` where the other side must; `WAIT_FOR_RECORD` while the service issues; `NONE` where this stays impossible."

/** The `nextAction` of a blocked act: never another read, since a read alone changes nothing. */
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

/** No act of either side makes this possible again. */
export const neverAgain = (reason: string): AwaitedStep<never> => ({
  party: "NONE",
  acts: [],
  humanAction: null,
  reason
})

/** Each side resumes what it paused; where the viewer's own side paused too, it begins. */
export const resumption = (pausedBy: ReadonlyArray<Role>, side: Role): AwaitedStep<never> => {
  const other = otherThan(side)
  const isOwn = pausedBy.includes(side)
  const reason =
    isOwn && pausedBy.includes(other)
      ? "Both sides paused the agents; a person of each side resumes them."
      : `The ${sideWords[isOwn ? side : other]} paused the agents; a person of that side resumes them.`
  return { party: isOwn ? side : other, acts: [], humanAction: "RESUME_AGENTS", reason }
}

/** A decision that the viewer's own people kept for themselves. */
export const keptForPeople = (obstacle: Refused, side: Role): AwaitedStep<never> => ({
  party: side,
  acts: [],
  humanAction: obstacle.facts.requiredHumanAction ?? obstacle.code,
  reason: `This decision is kept for a person of the ${sideWords[side]}'s side.`
})

/** The first half of a reason: the limit with its number. */
export const historyLimit = (events: number, noun: string): string =>
  `Limit reached: ${events} events in the history of this ${noun}`

export const sideWords: { readonly [R in Role]: string } = { BUYER: "buyer", SUPPLIER: "supplier" }

const otherThan = (side: Role): Role => (side === "BUYER" ? "SUPPLIER" : "BUYER")

export const awaitedStep = (
  obstacle: Refused,
  possibility: Possibility,
  situation: Situation,
  side: Role
): AwaitedStep => {
  const { project, pausedBy, circumstances } = situation
  if (isEnded(project.state)) return neverAgain(nextStep(situation).reason)
  const { requiredHumanAction, dueAt } = obstacle.facts
  switch (obstacle.code) {
    case "AGENT_PAUSED":
      return possibility.move === "RESPOND_ACCEPT"
        ? resumption([...pausedBy, ...circumstances.agreedPausedBy], side)
        : resumption(pausedBy, side)
    case "DELIVERY_HISTORY_LIMIT_REACHED":
      return revised(
        `${historyLimit(limits.eventsPerProject, "project")}; a person of the buyer's side revises the agreement.`,
        {
          humanAction: requiredHumanAction ?? "REVISE_AGREEMENT"
        }
      )
    case "DELIVERY_DEADLINE_PASSED":
    case "REVIEW_DEADLINE_PASSED":
      return revised(`The agreed date ${dueAt} has passed; a person of the buyer's side revises it.`, {
        acts: ["REVISE_AGREEMENT", "REQUEST_DATE_CHANGE"]
      })
    case "SIGNATURE_DATE_PASSED":
      return revised(`The date ${dueAt} for this signature has passed; a person of the buyer's side revises it.`)
    case "DATE_REVISION_PENDING":
      return holdEnds(situation)
    case "WAIT_FOR_HUMAN":
      return signature(possibility, situation, side)
    case "HUMAN_DECISION_REQUIRED":
      return keptForPeople(obstacle, side)
    case "UNKNOWN_SIGNER":
      return {
        party: "SUPPLIER",
        acts: [],
        humanAction: "INVITE_SIGNER",
        reason:
          "The person who is to sign for the supplier is no member of its organization; a person there invites them."
      }
    default:
      return stateChange(obstacle, possibility, situation, side)
  }
}

const revised = (reason: string, changes: Partial<AwaitedStep> = {}): AwaitedStep => ({
  party: "BUYER",
  acts: ["REVISE_AGREEMENT"],
  humanAction: "REVISE_AGREEMENT",
  reason,
  ...changes
})

const holdEnds = (situation: Situation): AwaitedStep => ({
  party: "EITHER",
  acts: ["REVISE_AGREEMENT", "LIFT_HOLD"],
  humanAction: "REVISE_OR_LIFT_HOLD",
  reason: nextStep(situation).reason
})

/** The agreement is signed by both sides before a delivery; an acceptance by the buyer, in the same act. */
const signature = ({ move }: Possibility, { project }: Situation, side: Role): AwaitedStep => {
  if (move === "REVIEW_ACCEPT") {
    const reason = "The acceptance is signed in the same act; the person who is to sign it for the buyer accepts."
    return { party: "BUYER", acts: [], humanAction: "SIGN_ACCEPTANCE", reason }
  }
  const party = hasSigned(project, side) ? otherThan(side) : side
  const reason = hasSigned(project, otherThan(party))
    ? `The agreement waits for the signature of the ${sideWords[party]}.`
    : "The agreement waits for the signatures of both sides."
  return { party, acts: ["SIGN_AGREEMENT"], humanAction: "SIGN_AGREEMENT", reason }
}

const stateChange = (obstacle: Refused, possibility: Possibility, situation: Situation, side: Role): AwaitedStep => {
  const { project } = situation
  const { move, act } = possibility
  const inState = canMove(project.state, move) ? withinState(obstacle, possibility, situation) : undefined
  if (inState !== undefined) return inState
  const unneeded = unneededWithout[act]
  if (unneeded !== undefined) return neverAgain(unneeded)
  if (project.state === "AGREEMENT_CHANGES_REQUESTED") return revised(nextStep(situation).reason)
  if (!canStillMove(project.state, move)) return neverAgain(`No state that can follow ${project.state} allows this.`)
  return partyStep(situation, side)
}

/** Acts that respond to an event that no party has to cause. */
const unneededWithout: { readonly [A in Act]?: string } = {
  LIFT_HOLD: "No other date was asked for.",
  DISMISS_CONCERN: "No concern was raised.",
  UPHOLD_CONCERN: "No concern was raised."
}

/** The state would allow the move; something else in the project does not. */
const withinState = (
  { facts }: Refused,
  { move }: Possibility,
  { project, isCovered }: Situation
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
      return neverAgain(reason)
    case "ISSUE":
      if (project.recordId !== null) return neverAgain("The record was issued.")
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

/** The project's own next step comes first. */
const partyStep = (situation: Situation, side: Role): AwaitedStep => {
  const { party, action, agentAction, reason } = nextStep(situation)
  if (action === "REVISE_OR_LIFT_HOLD") return holdEnds(situation)
  const raisedBy = situation.project.concern?.raisedBy
  const isOwnConcern = action === "RESOLVE_CONCERN" && raisedBy === side
  return {
    party: isOwnConcern ? side : party,
    acts: agentAction === null ? (actsOfStep[action] ?? []) : [agentAction],
    humanAction: party === "NONE" ? null : action,
    reason: party === "NONE" ? reason : `This waits for ${action} by the ${sideWords[party]}: ${uncapitalized(reason)}`
  }
}

const uncapitalized = (sentence: string): string => sentence.charAt(0).toLowerCase() + sentence.slice(1)

/** The acts of people that are a step for which no agent can be granted anything. */
const actsOfStep: { readonly [action: string]: ReadonlyArray<Act> } = {
  SIGN_AGREEMENT: ["SIGN_AGREEMENT"],
  CHANGE_REPRESENTATIVE: ["CHANGE_REPRESENTATIVE"],
  REVISE_AGREEMENT: ["REVISE_AGREEMENT"],
  RESOLVE_CONCERN: ["DISMISS_CONCERN", "UPHOLD_CONCERN"]
}
