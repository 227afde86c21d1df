/** Side exclusivity: a person acts for at most one side of a proposal, permanently. */
import { Effect } from "effect"
import type { Reader } from "../ports/storage.ts"
import type { CommandContext } from "./command-context.ts"
import { ProposalSides } from "./store.ts"

/** The recorded side of a person on one proposal. */
export const readRecordedProposalSide = (reader: Reader, proposalId: string, personId: string) =>
  Effect.map(reader.get(ProposalSides, [personId, proposalId]), (row) => row?.role)

/** Records the acting person's side, on their first command. */
export const recordProposalSide = ({ transaction, stored, by, recordedSide, at }: CommandContext) =>
  recordedSide === undefined
    ? transaction.insert(ProposalSides, {
        party: by.personId,
        proposalId: stored.row.proposalId,
        role: by.side,
        at
      })
    : Effect.void
