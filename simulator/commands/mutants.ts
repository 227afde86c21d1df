/** `simulate mutants [name]…`: mutation testing; a search has to kill each mutant of the service. */
import * as fs from "node:fs"
import { Effect, Option, Result } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { probes } from "../explore/probes/every.ts"
import { invariants } from "../invariants/every.ts"
import { mutants as catalogue } from "../mutants/every.ts"
import { huntElsewhere } from "../mutants/hunts.ts"
import { markedScripts } from "../mutants/marked.ts"
import type { Mutant } from "../mutants/mutant.ts"
import { isBuilt } from "../own-program.ts"
import { complaintOf, heading, idleAmong, renderRow, type Row, rowOf, summaryOf } from "../mutants/render.ts"
import { staleAmong } from "../mutants/stale.ts"
import { end, FAILED, print, UNUSABLE, written } from "./ending.ts"

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
    Flag.withDescription("The number of mutants that are searched in parallel; default 2"),
    Flag.withMetavar("number"),
    Flag.withDefault(2)
  )
}

export const mutants = Command.make(
  "mutants",
  flags,
  Effect.fn(function* ({ names, list, json, workers }) {
    const unknown = names.find((name) => catalogue.every((mutant) => mutant.name !== name))
    if (unknown !== undefined) return yield* end(UNUSABLE, `unknown mutant ${unknown}; --list lists them`)
    if (workers < 1) return yield* end(UNUSABLE, "--workers must be at least 1")
    const chosen = names.length === 0 ? catalogue : catalogue.filter(({ name }) => names.includes(name))
    if (list) return yield* print(chosen.map(({ name, says }) => `${name}\n  ${says}`).join("\n"))
    if (isBuilt) return yield* end(UNUSABLE, "simulate mutants changes the source of the service: run it in a checkout")
    const stale = staleAmong(chosen)
    if (stale.length > 0) return yield* end(UNUSABLE, stale.join("\n"))
    const scripts = markedScripts("scenarios")
    if (Result.isFailure(scripts)) return yield* end(UNUSABLE, scripts.failure)

    const started = performance.now()
    yield* print(renderRow(heading))
    const rows = yield* Effect.forEach(
      names.length === 0 ? [undefined, ...chosen] : chosen,
      (mutant) => Effect.tap(rowFor(mutant, scripts.success), (row) => print(rowOf(row))),
      { concurrency: workers }
    )
    yield* print(summaryOf(rows, performance.now() - started))
    for (const row of rows) {
      const complaint = complaintOf(row)
      if (complaint !== undefined) yield* end(FAILED, complaint)
    }
    const idle = names.length === 0 ? idleAmong(checks, rows) : []
    if (idle.length > 0) yield* end(FAILED, `these checks killed no mutant: ${idle.join(", ")}`)
    if (Option.isSome(json)) {
      yield* written(json.value, () => fs.writeFileSync(json.value, `${JSON.stringify(rows, null, 2)}\n`))
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
    { command: "simulate mutants", description: "All of them, two at a time" },
    { command: "simulate mutants --list", description: "The list of mutants" },
    { command: "simulate mutants skip-the-pause-check", description: "One mutant" }
  ])
)

const checks = [...invariants, ...probes].map(({ name }) => name)

const rowFor = (mutant: Mutant | undefined, files: ReadonlyArray<string>): Effect.Effect<Row> =>
  Effect.map(huntElsewhere(mutant, files, mutant === undefined ? everywhere : effort), (end) => ({ mutant, end }))

/** Most mutants are killed within a few runs of the scenario expected to do so. */
const effort = { few: 60, many: 1200 }

/** The effort per script for the unchanged service. */
const everywhere = { few: 60, many: 60 }
