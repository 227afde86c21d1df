/** The moves of proposals that a trace shows: who did what from which state, read from requests and answers. */
import type { Role } from "../../src/access/actions.ts"
import { proposalMoves, type ProposalMove, type ProposalState } from "../../src/proposals/proposal.ts"

export interface SeenProposalMove {
  readonly move: ProposalMove
  readonly state: ProposalState
  readonly side: Role
  readonly caller: "agent" | "person"
}

/** Every move in the lines of one trace: each answered request that was carried out, and not only repeated. */
export const proposalMovesIn = (lines: ReadonlyArray<any>): ReadonlyArray<SeenProposalMove> => {
  const reading: Reading = { states: new Map(), agents: new Map(), asked: new Map() }
  return lines.flatMap((line) => {
    if (line.kind === "request" && !line.lost) asks(line, reading).push(line)
    if (line.kind !== "response") return []
    // Requests of one actor that happen inside each other are answered from the inside out.
    const question = asks(line, reading).pop()
    if (question === undefined || line.status >= 300) return []
    if (question.body?.agentName !== undefined) reading.agents.set(question.body.agentName, question.body.role)
    const { proposal, replayed } = line.body ?? {}
    const before = reading.states.get(proposal?.id)
    if (proposal?.state !== undefined) reading.states.set(proposal.id, proposal.state)
    const move = moveOf(question)
    if (move === undefined || before === undefined || replayed === true) return []
    // Of an agent that was there before the first step no line says for which side it acts; the move does.
    const side: Role = line.body.role ?? reading.agents.get(line.actor) ?? proposalMoves[move].by
    return [{ move, state: before, side, caller: line.body.role === undefined ? "agent" : "person" }]
  })
}

interface Reading {
  /** Each proposal's as last shown to anybody. */
  readonly states: Map<string, ProposalState>
  /** The sides of agents, by name. */
  readonly agents: Map<string, Role>
  /** What each actor has asked for and not been answered. */
  readonly asked: Map<string, Array<any>>
}

const asks = ({ actor }: { readonly actor: string }, { asked }: Reading): Array<any> => {
  const open = asked.get(actor) ?? []
  asked.set(actor, open)
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
