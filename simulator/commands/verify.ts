/**
 * `simulate verify <file or folder>…`: determinism check. Runs on machines that differ in irrelevant properties must
 * result in the committed bytes. `simulate verify --canary` checks that nondeterminism is detected.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import { Effect, Result } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { findScripts } from "../scenario/files.ts"
import { canaries, runCanary } from "../determinism/canary.ts"
import { type SubprocessRun, runInSubprocess } from "../determinism/subprocess.ts"
import { describeMachine, installedNodes, machinesFor } from "../determinism/machines.ts"
import { describeDifferences, hasNoGoldenFiles } from "../determinism/cross-machine-diff.ts"
import { endWith, FAILED, noteExitCode, print, UNUSABLE } from "./exit.ts"

const flags = {
  places: Argument.String("file or folder").pipe(
    Argument.withDescription("Scripts, or folders whose scripts are run recursively"),
    Argument.variadic({ min: 0 })
  ),
  node: Flag.String("node").pipe(
    Flag.withDescription("An additional Node binary, beside this one and those in node_modules/node-*; repeatable"),
    Flag.withMetavar("file"),
    Flag.atLeast(0)
  ),
  canary: Flag.Boolean("canary").pipe(
    Flag.withDescription(
      "Instead, inject a nondeterminism leak of each kind. Exit codes: 1 if all were caught with file and line, 2 if one " +
        "was not"
    ),
    Flag.withDefault(false)
  )
}

export const verify = Command.make(
  "verify",
  flags,
  Effect.fn(function* ({ places, node, canary }) {
    if (canary) return yield* plantCanaries
    if (places.length === 0) return yield* endWith(UNUSABLE, "verify requires a file, a folder or --canary")
    const found = findScripts(places)
    if (Result.isFailure(found)) return yield* endWith(UNUSABLE, found.failure)
    const unusable = found.success.flatMap(({ scenario }) => (Result.isFailure(scenario) ? [scenario.failure] : []))
    if (unusable.length > 0) return yield* endWith(UNUSABLE, unusable.join("\n"))

    const absent = node.find((file) => !fs.existsSync(file))
    if (absent !== undefined) return yield* endWith(UNUSABLE, `file not found: ${absent}`)

    const files = found.success.map(({ file }) => file)
    const machines = machinesFor([...installedNodes(project), ...node.map((file) => path.resolve(file))])
    for (const [index, machine] of machines.entries()) {
      yield* print(`machine ${index + 1}: ${describeMachine(machine)}`)
    }
    const absolute = files.map((file) => path.resolve(file))
    const runs = yield* Effect.forEach(machines, (machine) => runInSubprocess(machine, absolute), { concurrency: 2 })
    yield* printDifferences(
      files,
      (index) => runs.flatMap((onMachine) => onMachine.slice(index, index + 1)),
      machines.length
    )
  })
).pipe(
  Command.withDescription(
    "Run scenarios on machines with different time zone, language, Node, memory, hashing and directory, and compare the " +
      "results byte by byte, also with the committed traces and stories. In a folder with committed files, each script " +
      "requires both; scripts of other folders are counted at the end. Exit codes: 0 if nothing differs or is missing, 1 " +
      "if something does or a scenario fails, 2 if a script or a Node cannot be used."
  ),
  Command.withExamples([
    { command: "simulate verify scenarios", description: "Every scenario of a folder" },
    { command: "simulate verify --canary; test $? -eq 1", description: "Check that leaks are caught" }
  ])
)

const project = path.resolve(import.meta.dirname, "../..")

/** The first failure in full, the others by file name. */
const printDifferences = Effect.fnUntraced(function* (
  files: ReadonlyArray<string>,
  runsOf: (index: number) => ReadonlyArray<SubprocessRun>,
  machines: number
) {
  const failures = files.flatMap((file, index) => {
    const complaint = describeDifferences(runsOf(index))
    return complaint === undefined ? [] : [{ file, complaint }]
  })
  const [first, ...others] = failures
  const count = `${files.length} ${files.length === 1 ? "scenario" : "scenarios"}`
  if (first === undefined) {
    const bare = files.filter(hasNoGoldenFiles).length
    const committed = bare === 0 ? ", the committed ones" : `; ${bare} without committed files`
    return yield* print(`${count}: the same bytes on ${machines} machines${committed}`)
  }
  yield* print(`${first.file}: ${first.complaint}`)
  for (const { file } of others) yield* print(`${file}: also differs, fails or lacks committed files`)
  yield* endWith(FAILED, `${failures.length} of ${count} differ, fail or lack committed files`)
})

const plantCanaries = Effect.gen(function* () {
  for (const canary of canaries) {
    const caught = runCanary(canary)
    yield* print(caught === undefined ? `not caught: ${canary.kind}: ${canary.call}` : `caught: ${caught}`)
    noteExitCode(caught === undefined ? UNUSABLE : FAILED)
  }
})
