/** The automation log of a proposal: each pause and resume raises the revision; none moves the head. */
import { Effect } from "effect"
import type { Transaction } from "../ports/storage.ts"
import type { AutomationChange } from "../projects/automation-log.ts"
import type { Pause } from "../projects/pause.ts"
import type { Doing } from "./doing.ts"
import type { StoredProposal } from "./history.ts"
import { takeSide } from "./one-side.ts"
import { ProposalAutomationChanges, Proposals, type ProposalRow } from "./store.ts"

/** Writes the pauses that stand after a change; returns the columns that changed. */
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

/** A pause for the side of the agent that asks for a person. */
export const handOffProposal = Effect.fnUntraced(function* (doing: Doing, { reason }: { readonly reason: string }) {
  const { transaction, stored, standing, by, at } = doing
  const { side } = by
  yield* takeSide(doing)
  const agent = standing.grant?.agentId ?? by.personId
  const pauses = [...stored.row.pauses, { side, by: agent, at, reason }]
  const change = { paused: true, side, by: agent, reason, at }
  const columns = yield* writeProposalAutomation(transaction, stored.row, pauses, change)
  return { ...stored, row: { ...stored.row, ...columns } } satisfies StoredProposal
})
