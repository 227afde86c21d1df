/** The commands on a proposal and their guards: pure, in the documented order. */
import type { Action } from "../access/actions.ts"
import { refusal, type Refusal } from "../vocabulary/refusals.ts"
import { proposalPreconditions, type StoredProposal } from "./history.ts"
import type { PartyActor } from "../projects/guard-context.ts"
import { personGuard, historyLimitGuard, stateGuard } from "./guards.ts"
import type { AnswerInput, HandoffInput, UpdateInput, VersionedInput } from "./input.ts"
import { proposalMoves, type ProposalMove } from "./proposal.ts"

/** The input of each command. */
interface Inputs {
  readonly UPDATE: typeof UpdateInput.Type
  readonly PUBLISH: typeof VersionedInput.Type
  readonly WITHDRAW: typeof VersionedInput.Type
  readonly RESPOND: typeof AnswerInput.Type
  readonly HANDOFF: typeof HandoffInput.Type
}

export type ProposalCommandKind = keyof Inputs

export type ProposalCommand<Kind extends ProposalCommandKind = ProposalCommandKind> = {
  readonly [K in Kind]: { readonly kind: K; readonly input: Inputs[K] }
}[Kind]

/** A hand-off makes no move. */
type MovingCommand = Exclude<ProposalCommand, { readonly kind: "HANDOFF" }>

const moveOf = (command: MovingCommand): ProposalMove =>
  command.kind === "RESPOND" ? command.input.action : command.kind

/** The move of a command; a hand-off has none. */
export const proposalMoveOf = (command: ProposalCommand): ProposalMove | undefined =>
  command.kind === "HANDOFF" ? undefined : moveOf(command)

export const actionOfCommand = (command: ProposalCommand): Action | "HANDOFF" => {
  const move = proposalMoveOf(command)
  return move === undefined ? "HANDOFF" : proposalMoves[move].action
}

/** After head and revision: history limit, expected version or digest, state, decisions reserved for people. */
export const commandGuard = <K extends ProposalCommandKind>(
  stored: StoredProposal,
  command: ProposalCommand<K>,
  by: PartyActor
) => guardOf(stored, command as ProposalCommand, by) as Refusal<GuardCode<K>> | undefined

type GuardCode<K extends ProposalCommandKind> = K extends "HANDOFF"
  ? never
  :
      | "DELIVERY_HISTORY_LIMIT_REACHED"
      | "STATE_CONFLICT"
      | (K extends "RESPOND" ? "PROPOSAL_DIGEST_MISMATCH" | "HUMAN_DECISION_REQUIRED" : "PROPOSAL_VERSION_STALE")

const guardOf = (
  { row, current, published }: StoredProposal,
  command: ProposalCommand,
  by: PartyActor
): Refusal<GuardCode<ProposalCommandKind>> | undefined => {
  if (command.kind === "HANDOFF") return undefined
  const move = moveOf(command)
  return (
    historyLimitGuard(row, move) ??
    versionGuard({ row, current, published }, command, by) ??
    stateGuard(row, move) ??
    personGuard(current.document, move, by)
  )
}

const versionGuard = (stored: StoredProposal, command: MovingCommand, by: PartyActor) => {
  const current = proposalPreconditions(stored.row, by.side)
  if (command.kind === "RESPOND") {
    // An answer names the published version's digest.
    return command.input.proposalDigest === stored.published?.digest
      ? undefined
      : refusal("PROPOSAL_DIGEST_MISMATCH", { current })
  }
  return command.input.expectedVersion === stored.row.version
    ? undefined
    : refusal("PROPOSAL_VERSION_STALE", { current })
}
