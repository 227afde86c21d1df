/** `simulate shrink <file>`: minimizes a failing run, or checks that it is minimal. */
import { Effect, Result } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { saveFound } from "../explore/found/save.ts"
import { checkFound, shrinkFound } from "../explore/found/shrink-script.ts"
import { probes } from "../explore/probes/every.ts"
import { checkedLines, shrunkLines } from "../explore/report.ts"
import { readScript } from "../files.ts"
import { invariants } from "../invariants/every.ts"
import { end, FAILED, note, print, UNUSABLE } from "./ending.ts"

const flags = {
  file: Argument.String("file").pipe(Argument.withDescription("A failing script with a fixed schedule")),
  check: Flag.Boolean("check").pipe(
    Flag.withDescription("Remove each element on its own, and check that the run then no longer fails in the same way"),
    Flag.withDefault(false)
  ),
  runs: Flag.Int("runs").pipe(
    Flag.withDescription("The maximum number of runs; default 2000"),
    Flag.withMetavar("number"),
    Flag.withDefault(2000)
  ),
  save: Flag.String("save").pipe(
    Flag.withDescription("The folder for the minimized script; default scenarios/found"),
    Flag.withMetavar("folder"),
    Flag.withDefault("scenarios/found")
  )
}

export const shrink = Command.make(
  "shrink",
  flags,
  Effect.fn(function* ({ file, check, runs, save }) {
    const checks = { invariants, probes }
    const scenario = readScript(file)
    if (Result.isFailure(scenario)) return yield* end(UNUSABLE, scenario.failure)
    if (check) {
      const checked = checkFound(file, scenario.success, checks)
      if (Result.isFailure(checked)) return yield* end(UNUSABLE, checked.failure)
      yield* print(checkedLines(file, checked.success).join("\n"))
      return checked.success.removals.some(({ stillFails }) => stillFails) ? note(FAILED) : undefined
    }
    const shrunk = shrinkFound(file, scenario.success, checks, runs)
    if (Result.isFailure(shrunk)) return yield* end(UNUSABLE, shrunk.failure)
    const { text, ...shown } = shrunk.success
    const saved = saveFound(save, file, shown.invariant, text)
    yield* print([`${file}: ${shown.invariant}`, ...shrunkLines({ ...shown, saved })].join("\n"))
  })
).pipe(
  Command.withDescription(
    "Minimize a failing run: steps, faults, choices and durations. Exit codes: 0 if it was minimized, 2 if the script " +
      "cannot be used or does not fail. With --check: 0 if it is minimal, 1 if it is not."
  ),
  Command.withShortDescription("Minimize a failing run"),
  Command.withExamples([
    { command: "simulate shrink mine.yaml", description: "A script written by hand" },
    { command: "simulate shrink --check scenarios/found/one.yaml", description: "Check that it is minimal" }
  ])
)
