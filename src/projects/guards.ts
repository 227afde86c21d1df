/**
 * Guards of moves that depend on the project and the actor, not on the payload: party, history limit, state, hold,
 * deadline, signature, reserved decision. Commands and hints use the same guards, so that they cannot differ. Pure; each
 * returns the first refusal of its kind or undefined.
 */
import type { HumanDecision } from "../access/actions.ts"
import { limits } from "../vocabulary/limits.ts"
import { refusal, type Refusal } from "../vocabulary/refusals.ts"
import type { Terms } from "./terms.ts"
import { refusalAfter } from "./conditions.ts"
import { usedSequence } from "./lost-head.ts"
import type { GuardContext, PartyActor } from "./guard-context.ts"
import {
  canMove,
  endOfHold,
  isForSide,
  isPersonOnly,
  moveNamed,
  type MoveName,
  type PersonCode,
  type StateCode
} from "./moves.ts"
import type { Project } from "./project.ts"
import { signerFor } from "./signing.ts"

/** 403 unless the move belongs to this side and, on it, to this actor. */
export const partyGuard = (project: Project, move: MoveName, by: PartyActor) => {
  if (!isForSide(move, by.side) || (isPersonOnly(move) && !by.isPerson)) return forbidden(by)
  const { actor } = moveNamed(move)
  if (actor === "MEMBER") return undefined
  if (actor === "SIGNER" && project.agreement.terms.signing?.method === "NATIVE") {
    return signerFor(project, by.side) === by.personId ? undefined : forbidden(by)
  }
  return representativeGuard(project, by)
}

/** 403 unless the representative, and only that person, acts for the supplier. */
export const representativeGuard = ({ supplier }: Project, by: PartyActor) =>
  (by.personId === supplier.actorId) === (by.side === "SUPPLIER") ? undefined : forbidden(by)

const forbidden = ({ isPerson }: PartyActor) => refusal(isPerson ? "FORBIDDEN" : "FORBIDDEN_AGENT_ACTION")

/** A pause of the project, or of the agreed project that its acceptance would supersede, stops agents. */
export const pauseGuard = (
  isPaused: boolean,
  move: MoveName | undefined,
  { by, relatedFacts }: Pick<GuardContext, "by" | "relatedFacts">
) => {
  const stops = isPaused || (move === "RESPOND_ACCEPT" && relatedFacts.agreedPausedBy.length > 0)
  return !by.isPerson && stops ? refusal("AGENT_PAUSED", { requiredHumanAction: "RESUME_AGENTS" }) : undefined
}

/**
 * Of 100 sequence numbers the last two are reserved: the 99th for issuance, both for events that end a project. Numbers of
 * lost events count, since none is used again.
 */
export const historyLimitGuard = (project: Project, move: MoveName) => {
  const { appends = true, reservedEvents = 0 } = moveNamed(move)
  const limit = limits.eventsPerProject - limits.eventsReserved + reservedEvents
  return !appends || usedSequence(project) < limit
    ? undefined
    : refusal("DELIVERY_HISTORY_LIMIT_REACHED", { requiredHumanAction: "REVIEW_CONTINUATION" })
}

/** State, condition, hold and deadlines, in this order. */
export const stateGuard = <Move extends MoveName>(project: Project, move: Move, context: GuardContext) =>
  stateRefusal(project, move, context) as Refusal<StateCode<Move>> | undefined

const stateRefusal = (project: Project, move: MoveName, context: GuardContext): Refusal | undefined => {
  const { condition, stoppedByHold, deadlines = [] } = moveNamed(move)
  if (!canMove(project.state, move)) {
    return refusal("STATE_CONFLICT", { detail: `A project in ${project.state} does not allow this.` })
  }
  const refused = condition?.(project, context)
  if (refused !== undefined) return refused
  if (stoppedByHold && project.hold !== null) {
    return refusal("DATE_REVISION_PENDING", { requiredHumanAction: endOfHold })
  }
  return firstOf(deadlines.map((deadline) => refusalAfter(deadline, project, context.now)))
}

/** A missing signature, then a decision reserved for people. */
export const personGuard = <Move extends MoveName>(project: Project, move: Move, context: GuardContext) => {
  const { signatures, humanDecisions = [] } = moveNamed(move)
  const refused =
    signatures?.(project, context) ?? reservedDecisionGuard(project.agreement.terms, humanDecisions, context.by)
  return refused as Refusal<PersonCode<Move>> | undefined
}

/** An agent makes no decision that a subject requirement reserves for people. */
export const reservedDecisionGuard = (
  { subjectRequirements }: Pick<Terms, "subjectRequirements">,
  decisions: ReadonlyArray<HumanDecision>,
  { isPerson }: PartyActor
) => {
  const requirement = subjectRequirements.find(({ humanDecisions }) =>
    humanDecisions.some((decision) => decisions.includes(decision))
  )
  return isPerson || requirement === undefined
    ? undefined
    : refusal("HUMAN_DECISION_REQUIRED", { requiredHumanAction: requirement.statement })
}

const firstOf = <A>(values: ReadonlyArray<A | undefined>): A | undefined => values.find((value) => value !== undefined)
