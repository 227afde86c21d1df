/**
 * Guards of the moves of a proposal that depend on its state and the actor, not on the input. Commands and hints share
 * them. Pure; each returns a refusal or undefined.
 */
import { historyLimitReason } from "../projects/awaited-step.ts"
import { reservedDecisionGuard } from "../projects/guards.ts"
import type { PartyActor } from "../projects/guard-context.ts"
import { limits } from "../vocabulary/limits.ts"
import { refusal } from "../vocabulary/refusals.ts"
import {
  canMoveProposal,
  proposalMoveNamed,
  proposalMoves,
  type ProposalMove,
  type ProposalState,
  type ProposalTerms
} from "./proposal.ts"

/** The fields of a proposal that the guards read. */
export interface GuardInput {
  readonly state: ProposalState
  readonly eventCount: number
  readonly isPaused: boolean
  readonly terms: Pick<ProposalTerms, "subjectRequirements">
}

/** 403 if the move belongs to the other side. */
export const partyGuard = (move: ProposalMove, by: PartyActor) =>
  proposalMoves[move].by === by.side ? undefined : refusal(by.isPerson ? "FORBIDDEN" : "FORBIDDEN_AGENT_ACTION")

/** A pause stops agents and never people. */
export const pauseGuard = ({ isPaused }: Pick<GuardInput, "isPaused">, by: PartyActor) =>
  isPaused && !by.isPerson ? refusal("AGENT_PAUSED", { requiredHumanAction: "RESUME_AGENTS" }) : undefined

/** The last events of the history are reserved for the moves that end a proposal. */
export const historyLimitGuard = ({ eventCount }: Pick<GuardInput, "eventCount">, move: ProposalMove) => {
  const reserved = proposalMoveNamed(move).ends ? 0 : limits.eventsReserved
  return eventCount < limits.eventsPerProposal - reserved
    ? undefined
    : refusal("DELIVERY_HISTORY_LIMIT_REACHED", {
        detail: `${historyLimitReason(limits.eventsPerProposal, "proposal")}; the last ${limits.eventsReserved} are reserved for accepting, declining or withdrawing it.`,
        requiredHumanAction: "REVIEW_CONTINUATION"
      })
}

export const stateGuard = ({ state }: Pick<GuardInput, "state">, move: ProposalMove) =>
  canMoveProposal(state, move)
    ? undefined
    : refusal("STATE_CONFLICT", {
        detail: `A proposal in ${state} does not allow this.`,
        nextAction: "REREAD_PROPOSAL"
      })

/** An agent cannot answer a proposal whose terms reserve the answer for people. */
export const personGuard = ({ terms }: Pick<GuardInput, "terms">, move: ProposalMove, by: PartyActor) => {
  const { humanDecisions = [] } = proposalMoveNamed(move)
  return reservedDecisionGuard(terms, humanDecisions, by)
}
