/**
 * What stands between somebody and a move of a proposal whatever they would send: whose move it is, a pause, the room
 * left, the state, a decision kept for people. Commands refuse with these and hints explain with them. Pure; each answers
 * with a refusal or nothing.
 */
import type { Role } from "../access/actions.ts"
import { limits } from "../vocabulary/limits.ts"
import { refusal, type Refused } from "../vocabulary/refusals.ts"
import {
  canMoveProposal,
  proposalMoves,
  type ProposalMove,
  type ProposalState,
  type ProposedTerms
} from "./proposal.ts"

/** Who acts: a person for a side, or an agent in that person's name. */
export interface Acting {
  readonly personId: string
  readonly side: Role
  readonly isPerson: boolean
}

/** A proposal as far as moves are judged by it. */
export interface Judged {
  readonly state: ProposalState
  readonly eventCount: number
  readonly isPaused: boolean
  readonly terms: Pick<ProposedTerms, "subjectRequirements">
}

type Obstacle = Refused | undefined

/** 403: the move is the other side's. */
export const sideObstacle = (move: ProposalMove, by: Acting): Obstacle =>
  proposalMoves[move].by === by.side ? undefined : refusal(by.isPerson ? "FORBIDDEN" : "FORBIDDEN_AGENT_ACTION")

/** A pause stops agents and never people. */
export const pauseObstacle = ({ isPaused }: Pick<Judged, "isPaused">, by: Acting): Obstacle =>
  isPaused && !by.isPerson ? refusal("AGENT_PAUSED", { requiredHumanAction: "RESUME_AGENTS" }) : undefined

/** The last two of the 100 places are kept for what ends a proposal. */
export const roomObstacle = ({ eventCount }: Pick<Judged, "eventCount">, move: ProposalMove): Obstacle => {
  const kept = endings.has(move) ? 0 : limits.eventsReserved
  return eventCount < limits.eventsPerProposal - kept
    ? undefined
    : refusal("DELIVERY_HISTORY_LIMIT_REACHED", {
        detail: "The history of this proposal is full; it can only be accepted, declined or withdrawn.",
        requiredHumanAction: "REVIEW_CONTINUATION"
      })
}

const endings: ReadonlySet<ProposalMove> = new Set(["ACCEPT", "DECLINE", "WITHDRAW"])

export const stateObstacle = ({ state }: Pick<Judged, "state">, move: ProposalMove): Obstacle =>
  canMoveProposal(state, move)
    ? undefined
    : refusal("STATE_CONFLICT", {
        detail: `A proposal in ${state} does not allow this.`,
        nextAction: "REREAD_PROPOSAL"
      })

/** Answering a proposal is answering terms: where that is kept for people, no agent does it. */
export const personObstacle = ({ terms }: Pick<Judged, "terms">, move: ProposalMove, by: Acting): Obstacle => {
  if (by.isPerson || proposalMoves[move].by !== "BUYER") return undefined
  const kept = terms.subjectRequirements.find(({ humanDecisions }) => humanDecisions.includes("RESPOND"))
  return kept === undefined ? undefined : refusal("HUMAN_DECISION_REQUIRED", { requiredHumanAction: kept.statement })
}
