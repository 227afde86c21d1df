/** The Layer through which access reads the parties of a proposal. */
import { Effect, Layer } from "effect"
import { readTogether } from "../ports/storage/run.ts"
import { ProposalParties } from "../access/scope.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { readRecordedProposalSide } from "./side-exclusivity.ts"
import { sideOfProposal } from "./proposal.ts"
import { Proposals } from "./store.ts"

export const proposalParties = Layer.succeed(ProposalParties, {
  isParty: (reader, proposalId, side) =>
    Effect.gen(function* () {
      const [row, recordedSide] = yield* readTogether([
        reader.get(Proposals, [proposalId]),
        readRecordedProposalSide(reader, proposalId, side.personId)
      ])
      return row !== undefined && sideOfProposal(row, side, recordedSide) === side.role
    }),
  addGrant: (transaction, proposalId, { grantId, role, personId }) =>
    Effect.gen(function* () {
      const row = yield* transaction.get(Proposals, [proposalId])
      const holders = row?.holders ?? []
      // Grants of a former recipient do not count against those of the current one.
      const sideHolders = holders.filter(
        (holder) => holder.role === role && (role === "SUPPLIER" || holder.personId === personId)
      )
      if (row === undefined || sideHolders.length >= limits.grantsPerProposal) {
        return yield* refuse("STATE_CONFLICT", {
          detail: `Limit reached: ${limits.grantsPerProposal} grants of one side for a proposal.`
        })
      }
      yield* transaction.update(Proposals, [proposalId], { holders: [...holders, { grantId, role, personId }] })
    })
})
