/** `simulate mutants [name]…`: bugs planted in the service one by one, each of which a search has to find. */
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
    Argument.withDescription("Mutants, by their names; all of them, and the service as it is, where absent"),
    Argument.variadic({ min: 0 })
  ),
  list: Flag.Boolean("list").pipe(
    Flag.withDescription("Say what each breaks, and search nothing"),
    Flag.withDefault(false)
  ),
  json: Flag.String("json").pipe(
    Flag.withDescription("Write what came of each into this file"),
    Flag.withMetavar("file"),
    Flag.optional
  ),
  workers: Flag.Int("workers").pipe(
    Flag.withDescription("How many are searched for at a time; 2 where absent"),
    Flag.withMetavar("number"),
    Flag.withDefault(2)
  )
}

export const mutants = Command.make(
  "mutants",
  flags,
  Effect.fn(function* ({ names, list, json, workers }) {
    const unknown = names.find((name) => catalogue.every((mutant) => mutant.name !== name))
    if (unknown !== undefined) return yield* end(UNUSABLE, `there is no mutant ${unknown}; --list names them`)
    if (workers < 1) return yield* end(UNUSABLE, "--workers is a number from 1")
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
    const idle = names.length === 0 ? idleAmong(judges, rows) : []
    if (idle.length > 0) yield* end(FAILED, `nobody knows whether these notice anything: ${idle.join(", ")}`)
    if (Option.isSome(json)) {
      yield* written(json.value, () => fs.writeFileSync(json.value, `${JSON.stringify(rows, null, 2)}\n`))
    }
  })
).pipe(
  Command.withDescription(
    "Plant bugs in the service, one at a time, in a process of its own each, and search the marked scenarios until one " +
      "is noticed. Exits with 0 where every bug is and the service as it is shows none, 1 where one survives, is " +
      "noticed without the fault that it is for, or is noticed by nobody that judges alone, or where the service as it " +
      "is shows one, 2 where the command cannot be used or a bug does not fit the source any more."
  ),
  Command.withShortDescription("Plant bugs, each of which a search has to find"),
  Command.withExamples([
    { command: "simulate mutants", description: "All of them, two at a time" },
    { command: "simulate mutants --list", description: "What each breaks" },
    { command: "simulate mutants skip-the-pause-check", description: "One, alone" }
  ])
)

const judges = [...invariants, ...probes].map(({ name }) => name)

const rowFor = (mutant: Mutant | undefined, files: ReadonlyArray<string>): Effect.Effect<Row> =>
  Effect.map(huntElsewhere(mutant, files, mutant === undefined ? everywhere : effort), (end) => ({ mutant, end }))

/** Most bugs are found at once where they are expected. */
const effort = { few: 60, many: 1200 }

/** So much is searched of each script where nothing may be found. */
const everywhere = { few: 60, many: 60 }
