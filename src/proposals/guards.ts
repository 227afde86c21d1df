/**
 * Guards of the moves of a proposal that depend on its state and the actor, not on the input. Commands and hints share
 * them. Pure; each returns a refusal or undefined.
 */
import type { Role } from "../access/actions.ts"
import { historyLimitReason } from "../projects/awaited-step.ts"
import { limits } from "../vocabulary/limits.ts"
import { refusal, type Refusal } from "../vocabulary/refusals.ts"
import {
  canMoveProposal,
  proposalMoves,
  type ProposalMove,
  type ProposalState,
  type ProposalTerms
} from "./proposal.ts"

/** The actor: a person for a side, or an agent on that person's behalf. */
export interface ProposalActor {
  readonly personId: string
  readonly side: Role
  readonly isPerson: boolean
}

/** The fields of a proposal that the guards read. */
export interface GuardInput {
  readonly state: ProposalState
  readonly eventCount: number
  readonly isPaused: boolean
  readonly terms: Pick<ProposalTerms, "subjectRequirements">
}

type GuardResult = Refusal | undefined

/** 403 if the move belongs to the other side. */
export const partyGuard = (move: ProposalMove, by: ProposalActor): GuardResult =>
  proposalMoves[move].by === by.side ? undefined : refusal(by.isPerson ? "FORBIDDEN" : "FORBIDDEN_AGENT_ACTION")

/** A pause stops agents and never people. */
export const pauseGuard = ({ isPaused }: Pick<GuardInput, "isPaused">, by: ProposalActor): GuardResult =>
  isPaused && !by.isPerson ? refusal("AGENT_PAUSED", { requiredHumanAction: "RESUME_AGENTS" }) : undefined

/** The last events of the history are reserved for the moves that end a proposal. */
export const historyLimitGuard = ({ eventCount }: Pick<GuardInput, "eventCount">, move: ProposalMove): GuardResult => {
  const reserved = endings.has(move) ? 0 : limits.eventsReserved
  return eventCount < limits.eventsPerProposal - reserved
    ? undefined
    : refusal("DELIVERY_HISTORY_LIMIT_REACHED", {
        detail: `${historyLimitReason(limits.eventsPerProposal, "proposal")}; the last ${limits.eventsReserved} are reserved for accepting, declining or withdrawing it.`,
        requiredHumanAction: "REVIEW_CONTINUATION"
      })
}

const endings: ReadonlySet<ProposalMove> = new Set(["ACCEPT", "DECLINE", "WITHDRAW"])

export const stateGuard = ({ state }: Pick<GuardInput, "state">, move: ProposalMove): GuardResult =>
  canMoveProposal(state, move)
    ? undefined
    : refusal("STATE_CONFLICT", {
        detail: `A proposal in ${state} does not allow this.`,
        nextAction: "REREAD_PROPOSAL"
      })

/** An agent cannot answer a proposal whose terms reserve RESPOND for people. */
export const personGuard = (
  { terms }: Pick<GuardInput, "terms">,
  move: ProposalMove,
  by: ProposalActor
): GuardResult => {
  if (by.isPerson || proposalMoves[move].by !== "BUYER") return undefined
  const reserving = terms.subjectRequirements.find(({ humanDecisions }) => humanDecisions.includes("RESPOND"))
  return reserving === undefined
    ? undefined
    : refusal("HUMAN_DECISION_REQUIRED", { requiredHumanAction: reserving.statement })
}
