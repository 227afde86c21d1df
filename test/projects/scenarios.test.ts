/** Every move of the table is made in some scenario, as its golden trace shows. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, it } from "vitest"
import { movesIn } from "../../simulator/coverage/project-moves.ts"
import { readTrace } from "../../simulator/trace.ts"
import { expectedOf, movesOfTable } from "../support/move-table.ts"

const scenarios = path.resolve(import.meta.dirname, "../../scenarios")

const traces = fs.readdirSync(scenarios).filter((name) => name.endsWith(".trace.ndjson"))
const seen = traces.flatMap((name) => movesIn(readTrace(fs.readFileSync(path.join(scenarios, name), "utf8"))))

const nameOf = ({ state, name, caller }: (typeof movesOfTable)[number]): string => `${state} ${name} by the ${caller}`

it("every move of the table is made in some scenario", () => {
  const made = new Set(seen.map(nameOf))
  const missing = movesOfTable.map(nameOf).filter((move) => !made.has(move))
  assert.deepStrictEqual(missing, [], `${missing.length} moves that no scenario makes:\n${missing.join("\n")}\n`)
})

it("no scenario makes a move that the table does not have", () => {
  const others = seen.filter(({ name, state, caller }) => typeof expectedOf(name, state, caller) === "string")
  assert.deepStrictEqual(others.map(nameOf), [])
})
