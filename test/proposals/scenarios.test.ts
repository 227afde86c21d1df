/** The golden traces of the scenarios contain every move of a proposal, by an agent and by a person. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, it } from "vitest"
import { proposalMovesIn, type SeenProposalMove } from "../../simulator/coverage/proposal-moves.ts"
import { readTrace } from "../../simulator/trace.ts"
import { proposalMoves, type ProposalMove, type ProposalState } from "../../src/proposals/proposal.ts"

const scenarios = path.resolve(import.meta.dirname, "../../scenarios")

const traces = fs.readdirSync(scenarios).filter((name) => name.endsWith(".trace.ndjson"))
const seen = traces.flatMap((name) => proposalMovesIn(readTrace(fs.readFileSync(path.join(scenarios, name), "utf8"))))

const nameOf = ({ state, move, side, caller }: SeenProposalMove): string =>
  `${state} ${move} by the ${side}'s ${caller}`

const movesOfTable = (Object.keys(proposalMoves) as ReadonlyArray<ProposalMove>).flatMap((move) => {
  const { by, from }: { readonly by: SeenProposalMove["side"]; readonly from: ReadonlyArray<ProposalState> } =
    proposalMoves[move]
  return from.flatMap((state) =>
    (["agent", "person"] as const).map((caller): SeenProposalMove => ({ move, state, side: by, caller }))
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
