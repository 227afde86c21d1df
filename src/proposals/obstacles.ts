/**
 * Guards of the moves of a proposal that depend on its state and the actor, not on the input. Commands and hints share
 * them. Pure; each returns a refusal or undefined.
 */
import type { Role } from "../access/actions.ts"
import { historyLimit } from "../projects/awaited-step.ts"
import { limits } from "../vocabulary/limits.ts"
import { refusal, type Refused } from "../vocabulary/refusals.ts"
import {
  canMoveProposal,
  proposalMoves,
  type ProposalMove,
  type ProposalState,
  type ProposedTerms
} from "./proposal.ts"

/** The actor: a person for a side, or an agent on that person's behalf. */
export interface Acting {
  readonly personId: string
  readonly side: Role
  readonly isPerson: boolean
}

/** The fields of a proposal that the guards read. */
export interface Judged {
  readonly state: ProposalState
  readonly eventCount: number
  readonly isPaused: boolean
  readonly terms: Pick<ProposedTerms, "subjectRequirements">
}

type GuardResult = Refused | undefined

/** 403 if the move belongs to the other side. */
export const sideObstacle = (move: ProposalMove, by: Acting): GuardResult =>
  proposalMoves[move].by === by.side ? undefined : refusal(by.isPerson ? "FORBIDDEN" : "FORBIDDEN_AGENT_ACTION")

/** A pause stops agents and never people. */
export const pauseObstacle = ({ isPaused }: Pick<Judged, "isPaused">, by: Acting): GuardResult =>
  isPaused && !by.isPerson ? refusal("AGENT_PAUSED", { requiredHumanAction: "RESUME_AGENTS" }) : undefined

/** The last events of the history are reserved for the moves that end a proposal. */
export const roomObstacle = ({ eventCount }: Pick<Judged, "eventCount">, move: ProposalMove): GuardResult => {
  const reserved = endings.has(move) ? 0 : limits.eventsReserved
  return eventCount < limits.eventsPerProposal - reserved
    ? undefined
    : refusal("DELIVERY_HISTORY_LIMIT_REACHED", {
        detail: `${historyLimit(limits.eventsPerProposal, "proposal")}; the last ${limits.eventsReserved} are reserved for accepting, declining or withdrawing it.`,
        requiredHumanAction: "REVIEW_CONTINUATION"
      })
}

const endings: ReadonlySet<ProposalMove> = new Set(["ACCEPT", "DECLINE", "WITHDRAW"])

export const stateObstacle = ({ state }: Pick<Judged, "state">, move: ProposalMove): GuardResult =>
  canMoveProposal(state, move)
    ? undefined
    : refusal("STATE_CONFLICT", {
        detail: `A proposal in ${state} does not allow this.`,
        nextAction: "REREAD_PROPOSAL"
      })

/** An agent cannot answer a proposal whose terms reserve RESPOND for people. */
export const personObstacle = ({ terms }: Pick<Judged, "terms">, move: ProposalMove, by: Acting): GuardResult => {
  if (by.isPerson || proposalMoves[move].by !== "BUYER") return undefined
  const reserving = terms.subjectRequirements.find(({ humanDecisions }) => humanDecisions.includes("RESPOND"))
  return reserving === undefined
    ? undefined
    : refusal("HUMAN_DECISION_REQUIRED", { requiredHumanAction: reserving.statement })
}
