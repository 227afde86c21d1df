/** The transitions of proposals in a trace: caller, transition and state, derived from requests and answers. */
import type { Role } from "../../src/access/actions.ts"
import { proposalMoves, type ProposalMove, type ProposalState } from "../../src/proposals/proposal.ts"

export interface TracedProposalMove {
  readonly move: ProposalMove
  readonly state: ProposalState
  readonly side: Role
  readonly caller: "agent" | "person"
}

/** All transitions in one trace: each accepted request that is not a replay. */
export const proposalMovesIn = (lines: ReadonlyArray<any>): ReadonlyArray<TracedProposalMove> => {
  const reading: TraceState = { states: new Map(), agents: new Map(), requests: new Map() }
  return lines.flatMap((line) => {
    if (line.kind === "request" && !line.lost) pendingOf(line, reading).push(line)
    if (line.kind !== "response") return []
    // Nested requests of one actor are answered in reverse order.
    const request = pendingOf(line, reading).pop()
    if (request === undefined || line.status >= 300) return []
    if (request.body?.agentName !== undefined) reading.agents.set(request.body.agentName, request.body.role)
    const { proposal, replayed } = line.body ?? {}
    const before = reading.states.get(proposal?.id)
    if (proposal?.state !== undefined) reading.states.set(proposal.id, proposal.state)
    const move = moveOf(request)
    if (move === undefined || before === undefined || replayed === true) return []
    // The trace does not name the side of an initial agent; it follows from the transition.
    const side: Role = line.body.role ?? reading.agents.get(line.actor) ?? proposalMoves[move].by
    return [{ move, state: before, side, caller: line.body.role === undefined ? "agent" : "person" }]
  })
}

interface TraceState {
  /** The latest state of each proposal in an answer. */
  readonly states: Map<string, ProposalState>
  /** The sides of agents, by name. */
  readonly agents: Map<string, Role>
  /** The unanswered requests of each actor. */
  readonly requests: Map<string, Array<any>>
}

const pendingOf = ({ actor }: { readonly actor: string }, { requests }: TraceState): Array<any> => {
  const open = requests.get(actor) ?? []
  requests.set(actor, open)
  return open
}

const moveOf = ({ path, body }: any): ProposalMove | undefined => {
  switch (/\/proposals\/proposal_[^/]+\/(\w+)$/.exec(path)?.[1]) {
    case "update":
      return "UPDATE"
    case "publish":
      return "PUBLISH"
    case "withdraw":
      return "WITHDRAW"
    case "respond":
      return body.input.action
    default:
      return undefined
  }
}
