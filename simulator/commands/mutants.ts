/** `simulate mutants [name]…`: mutation testing; a search has to kill each mutant of the service. */
import * as fs from "node:fs"
import * as os from "node:os"
import { Effect, Option, Result } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { probes } from "../search/isolation/probes.ts"
import { properties } from "../properties/all-properties.ts"
import { mutants as catalogue } from "../mutation/mutants.ts"
import { searchInProcess } from "../mutation/mutant-processes.ts"
import { searchableScripts } from "../mutation/searchable-scripts.ts"
import type { Mutant } from "../mutation/mutant.ts"
import { isBuilt } from "../child-processes/program.ts"
import {
  describeFailure,
  mutantHeading,
  propertiesWithoutKill,
  renderRow,
  type MutantRow,
  renderMutantRow,
  mutationSummary
} from "../mutation/mutation-report.ts"
import { outdatedMutants } from "../mutation/outdated-mutants.ts"
import { endWith, FAILED, print, UNUSABLE, writeOrEnd } from "./exit.ts"

const flags = {
  names: Argument.String("name").pipe(
    Argument.withDescription("Names of mutants; default all of them, and the unchanged service"),
    Argument.variadic({ min: 0 })
  ),
  list: Flag.Boolean("list").pipe(Flag.withDescription("List the mutants without searching"), Flag.withDefault(false)),
  json: Flag.String("json").pipe(
    Flag.withDescription("Write the results to this file, as JSON"),
    Flag.withMetavar("file"),
    Flag.optional
  ),
  workers: Flag.Int("workers").pipe(
    Flag.withDescription("The number of mutants that are searched in parallel; default the number of cores"),
    Flag.withMetavar("number"),
    Flag.withDefault(os.availableParallelism())
  )
}

export const mutants = Command.make(
  "mutants",
  flags,
  Effect.fn(function* ({ names, list, json, workers }) {
    const unknown = names.find((name) => catalogue.every((mutant) => mutant.name !== name))
    if (unknown !== undefined) return yield* endWith(UNUSABLE, `unknown mutant ${unknown}; --list lists them`)
    if (workers < 1) return yield* endWith(UNUSABLE, "--workers must be at least 1")
    const chosen = names.length === 0 ? catalogue : catalogue.filter(({ name }) => names.includes(name))
    if (list) return yield* print(chosen.map(({ name, says }) => `${name}\n  ${says}`).join("\n"))
    if (isBuilt)
      return yield* endWith(UNUSABLE, "simulate mutants changes the source of the service: run it in a checkout")
    const stale = outdatedMutants(chosen)
    if (stale.length > 0) return yield* endWith(UNUSABLE, stale.join("\n"))
    const scripts = searchableScripts("scenarios")
    if (Result.isFailure(scripts)) return yield* endWith(UNUSABLE, scripts.failure)

    const started = performance.now()
    yield* print(renderRow(mutantHeading))
    const rows = yield* Effect.forEach(
      names.length === 0 ? [undefined, ...chosen] : chosen,
      (mutant) => Effect.tap(rowFor(mutant, scripts.success), (row) => print(renderMutantRow(row))),
      { concurrency: workers }
    )
    yield* print(mutationSummary(rows, performance.now() - started))
    for (const row of rows) {
      const complaint = describeFailure(row)
      if (complaint !== undefined) yield* endWith(FAILED, complaint)
    }
    const idle = names.length === 0 ? propertiesWithoutKill(checks, rows) : []
    if (idle.length > 0) yield* endWith(FAILED, `these checks killed no mutant: ${idle.join(", ")}`)
    if (Option.isSome(json)) {
      yield* writeOrEnd(json.value, () => fs.writeFileSync(json.value, `${JSON.stringify(rows, null, 2)}\n`))
    }
  })
).pipe(
  Command.withDescription(
    "Mutation testing: apply each mutant to the service, in its own process, and search the marked scenarios until a check " +
      "kills it. Exit codes: 0 if every mutant is killed and the unchanged service passes, 1 if a mutant survives or is " +
      "killed without its fault, a check kills no mutant, or the unchanged service fails, 2 if the command line cannot be " +
      "used or a mutant does not match the source."
  ),
  Command.withShortDescription("Mutation testing of the service by search"),
  Command.withExamples([
    { command: "simulate mutants", description: "All of them, one a core at a time" },
    { command: "simulate mutants --list", description: "The list of mutants" },
    { command: "simulate mutants skip-the-pause-check", description: "One mutant" }
  ])
)

const checks = [...properties, ...probes].map(({ name }) => name)

const rowFor = (mutant: Mutant | undefined, files: ReadonlyArray<string>): Effect.Effect<MutantRow> =>
  Effect.map(searchInProcess(mutant, files, mutant === undefined ? everywhere : effort), (end) => ({ mutant, end }))

/** Most mutants are killed within a few runs of the scenario expected to do so. */
const effort = { few: 60, many: 1200 }

/** The effort per script for the unchanged service. */
const everywhere = { few: 60, many: 60 }
