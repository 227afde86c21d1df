/** Answers what access asks about the parties of a proposal. */
import { Effect, Layer } from "effect"
import { ProposalParties } from "../access/scope.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { readTakenProposalSide } from "./one-side.ts"
import { sideOfProposal } from "./proposal.ts"
import { Proposals } from "./store.ts"

export const proposalParties = Layer.succeed(ProposalParties, {
  isParty: (reader, proposalId, side) =>
    Effect.gen(function* () {
      const [row, taken] = yield* Effect.all(
        [reader.get(Proposals, [proposalId]), readTakenProposalSide(reader, proposalId, side.personId)],
        { concurrency: "unbounded" }
      )
      return row !== undefined && sideOfProposal(row, side, taken) === side.role
    }),
  addHolder: (transaction, proposalId, { grantId, role, personId }) =>
    Effect.gen(function* () {
      const row = yield* transaction.get(Proposals, [proposalId])
      const holders = row?.holders ?? []
      // Whoever it was published to before takes no place from whoever it is published to now.
      const ofSide = holders.filter((one) => one.role === role && (role === "SUPPLIER" || one.personId === personId))
      if (row === undefined || ofSide.length >= limits.grantsPerProposal) {
        return yield* refuse("STATE_CONFLICT", {
          detail: `At most ${limits.grantsPerProposal} grants of one side can hold a proposal.`
        })
      }
      yield* transaction.update(Proposals, [proposalId], { holders: [...holders, { grantId, role, personId }] })
    })
})
