/** The automation log of a proposal: each pause and resume raises the revision; neither moves the head. */
import { Effect } from "effect"
import type { Transaction } from "../ports/storage.ts"
import type { AutomationChange, Pause } from "../projects/pause.ts"
import type { CommandContext } from "./command-context.ts"
import type { StoredProposal } from "./history.ts"
import { recordProposalSide } from "./side-exclusivity.ts"
import { ProposalAutomationChanges, Proposals, type ProposalRow } from "./store.ts"

/** Writes the pauses after a change; returns the changed columns. */
export const writeProposalAutomation = Effect.fnUntraced(function* (
  transaction: Transaction,
  { proposalId, automationRevision }: ProposalRow,
  pauses: ReadonlyArray<Pause>,
  change: AutomationChange
) {
  const revision = automationRevision + 1
  const changes = { automationRevision: revision, pauses }
  yield* transaction.update(Proposals, [proposalId], changes)
  yield* transaction.insert(ProposalAutomationChanges, { proposalId, revision, ...change })
  return changes
})

/** A hand-off: pauses the side of the agent until a person resumes it. */
export const handOffProposal = Effect.fnUntraced(function* (
  context: CommandContext,
  { reason }: { readonly reason: string }
) {
  const { transaction, stored, authority, by, at } = context
  const { side } = by
  yield* recordProposalSide(context)
  const pause = { side, by: authority.grant?.agentId ?? by.personId, at, reason }
  const pauses = [...stored.row.pauses, pause]
  const columns = yield* writeProposalAutomation(transaction, stored.row, pauses, { paused: true, ...pause })
  return { ...stored, row: { ...stored.row, ...columns } } satisfies StoredProposal
})
