/** Coverage of the move table by the golden traces of the scenarios. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, it } from "vitest"
import { movesIn } from "../../simulator/coverage/project-moves.ts"
import { readTrace } from "../../simulator/trace.ts"
import { expectedOf, movesOfTable } from "../support/move-table.ts"

const scenarios = path.resolve(import.meta.dirname, "../../scenarios")

const traces = fs.readdirSync(scenarios).filter((name) => name.endsWith(".trace.ndjson"))
const executed = traces.flatMap((name) => movesIn(readTrace(fs.readFileSync(path.join(scenarios, name), "utf8"))))

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
