/** Coverage of the move table by the golden traces of the scenarios. */
import { assert, it } from "vitest"
import { movesIn } from "../../simulator/coverage/project-moves.ts"
import { readGoldenTraces } from "../support/golden-traces.ts"
import { expectedOf, movesOfTable } from "../support/move-table.ts"

const executed = readGoldenTraces().flatMap(movesIn)

const nameOf = ({ state, name, caller }: (typeof movesOfTable)[number]): string => `${state} ${name} by the ${caller}`

it("Every move of the table is made in some scenario.", () => {
  const covered = new Set(executed.map(nameOf))
  const missing = movesOfTable.map(nameOf).filter((move) => !covered.has(move))
  assert.deepStrictEqual(missing, [], `${missing.length} moves that no scenario makes:\n${missing.join("\n")}\n`)
})

it("No scenario makes a move that is missing in the table.", () => {
  const unknown = executed.filter(({ name, state, caller }) => typeof expectedOf(name, state, caller) === "string")
  assert.deepStrictEqual(unknown.map(nameOf), [])
})
