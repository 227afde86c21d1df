/** One person acts on one side of a proposal at most, and stays on it for good. */
import { Effect } from "effect"
import type { Reader } from "../ports/storage.ts"
import type { Doing } from "./doing.ts"
import { ProposalSides } from "./store.ts"

/** The side that a person took before, of one proposal. */
export const readTakenProposalSide = (reader: Reader, proposalId: string, personId: string) =>
  Effect.map(reader.get(ProposalSides, [personId, proposalId]), (taken) => taken?.role)

/** Whoever acts on a proposal has taken that side of it for good. */
export const takeSide = ({ transaction, stored, by, taken, at }: Doing) =>
  taken === undefined
    ? transaction.insert(ProposalSides, {
        party: by.personId,
        proposalId: stored.row.proposalId,
        role: by.side,
        at
      })
    : Effect.void
