/** The golden traces of the scenarios contain every move of a proposal, by an agent and by a person. */
import { assert, it } from "vitest"
import { proposalMovesIn, type TracedProposalMove } from "../../simulator/coverage/proposal-moves.ts"
import { proposalMoves, type ProposalMove, type ProposalState } from "../../src/proposals/proposal.ts"
import { readGoldenTraces } from "../support/golden-traces.ts"

const seen = readGoldenTraces().flatMap(proposalMovesIn)

const nameOf = ({ state, move, side, caller }: TracedProposalMove): string =>
  `${state} ${move} by the ${side}'s ${caller}`

const movesOfTable = (Object.keys(proposalMoves) as ReadonlyArray<ProposalMove>).flatMap((move) => {
  const { by, from }: { readonly by: TracedProposalMove["side"]; readonly from: ReadonlyArray<ProposalState> } =
    proposalMoves[move]
  return from.flatMap((state) =>
    (["agent", "person"] as const).map((caller): TracedProposalMove => ({ move, state, side: by, caller }))
  )
})

it("The scenarios contain every move of a proposal, by an agent and by a person.", () => {
  const made = new Set(seen.map(nameOf))
  const missing = movesOfTable.map(nameOf).filter((move) => !made.has(move))
  assert.deepStrictEqual(missing, [], `${missing.length} moves that no scenario makes:\n${missing.join("\n")}\n`)
})

it("The scenarios contain no move of a proposal that is not in the table.", () => {
  const known = new Set(movesOfTable.map(nameOf))
  assert.deepStrictEqual(
    seen.map(nameOf).filter((move) => !known.has(move)),
    []
  )
})
