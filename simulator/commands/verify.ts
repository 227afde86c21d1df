/**
 * `simulate verify <file or folder>…`: the same scenarios on machines that differ in all that must not matter leave the
 * same bytes, the committed ones. `simulate verify --canary` proves that leaks are caught.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import { Effect, Result } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { findScripts } from "../files.ts"
import { canaries, tryCanary } from "../leaks/canary.ts"
import { type RunElsewhere, runElsewhere } from "../leaks/elsewhere.ts"
import { describeMachine, installedNodes, machinesOver } from "../leaks/machines.ts"
import { complaintAbout, hasNothingCommitted } from "../leaks/sameness.ts"
import { end, FAILED, note, print, UNUSABLE } from "./ending.ts"

const flags = {
  places: Argument.String("file or folder").pipe(
    Argument.withDescription("Scripts, and folders of which every script below is run"),
    Argument.variadic({ min: 0 })
  ),
  node: Flag.String("node").pipe(
    Flag.withDescription("Another Node to run on, beside this one and those in node_modules/node-*; may be repeated"),
    Flag.withMetavar("file"),
    Flag.atLeast(0)
  ),
  canary: Flag.Boolean("canary").pipe(
    Flag.withDescription(
      "Instead, plant a leak of each kind in a world. Exits with 1, as every leak must, once all were caught with file " +
        "and line; with 2 where one got through"
    ),
    Flag.withDefault(false)
  )
}

export const verify = Command.make(
  "verify",
  flags,
  Effect.fn(function* ({ places, node, canary }) {
    if (canary) return yield* plantCanaries
    if (places.length === 0) return yield* end(UNUSABLE, "verify needs a file or a folder, or --canary")
    const found = findScripts(places)
    if (Result.isFailure(found)) return yield* end(UNUSABLE, found.failure)
    const unusable = found.success.flatMap(({ scenario }) => (Result.isFailure(scenario) ? [scenario.failure] : []))
    if (unusable.length > 0) return yield* end(UNUSABLE, unusable.join("\n"))

    const absent = node.find((file) => !fs.existsSync(file))
    if (absent !== undefined) return yield* end(UNUSABLE, `there is no ${absent}`)

    const files = found.success.map(({ file }) => file)
    const machines = machinesOver([...installedNodes(project), ...node.map((file) => path.resolve(file))])
    for (const [index, machine] of machines.entries()) {
      yield* print(`machine ${index + 1}: ${describeMachine(machine)}`)
    }
    const absolute = files.map((file) => path.resolve(file))
    const runs = yield* Effect.forEach(machines, (machine) => runElsewhere(machine, absolute), { concurrency: 2 })
    yield* tell(files, (index) => runs.flatMap((onMachine) => onMachine.slice(index, index + 1)), machines.length)
  })
).pipe(
  Command.withDescription(
    "Run scenarios twice, where time zone, language, Node, memory, hashing and directory differ, and compare each byte, " +
      "also with the trace and the story that are committed beside each. Where a folder has any of those, each script in " +
      "it needs both; scripts of a folder without are counted at the end. " +
      "Exits with 0 where nothing differs or is missing, 1 where something does or fails, 2 where the scripts or a Node cannot be used"
  ),
  Command.withExamples([
    { command: "simulate verify scenarios", description: "Every scenario of a folder" },
    { command: "simulate verify --canary; test $? -eq 1", description: "Leaks are caught, or the shell says so" }
  ])
)

const project = path.resolve(import.meta.dirname, "../..")

/** The first that is wrong whole, the others by their names. */
const tell = Effect.fnUntraced(function* (
  files: ReadonlyArray<string>,
  runsOf: (index: number) => ReadonlyArray<RunElsewhere>,
  machines: number
) {
  const wrong = files.flatMap((file, index) => {
    const complaint = complaintAbout(runsOf(index))
    return complaint === undefined ? [] : [{ file, complaint }]
  })
  const [first, ...others] = wrong
  const count = `${files.length} ${files.length === 1 ? "scenario" : "scenarios"}`
  if (first === undefined) {
    const bare = files.filter(hasNothingCommitted).length
    const beside = bare === 0 ? ", the committed ones" : `; nothing is committed beside ${bare} of them`
    return yield* print(`${count}: the same bytes on ${machines} machines${beside}`)
  }
  yield* print(`${first.file}: ${first.complaint}`)
  for (const { file } of others) yield* print(`${file}: differs, fails or misses what is committed too`)
  yield* end(FAILED, `${wrong.length} of ${count} differ, fail or miss what is committed`)
})

const plantCanaries = Effect.gen(function* () {
  for (const canary of canaries) {
    const caught = tryCanary(canary)
    yield* print(caught === undefined ? `got through: ${canary.kind}: ${canary.call}` : `caught: ${caught}`)
    note(caught === undefined ? UNUSABLE : FAILED)
  }
})
