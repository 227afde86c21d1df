/** `simulate shrink <file>`: minimizes a failing run, or checks that it is minimal. */
import { Effect, Result } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { saveFinding } from "../search/findings/save-finding.ts"
import { checkMinimality, minimizeScript } from "../search/findings/minimize-script.ts"
import { probes } from "../search/isolation/probes.ts"
import { minimalityLines, minimizedLines } from "../search/report.ts"
import { readScript } from "../scenario/files.ts"
import { properties } from "../properties/all-properties.ts"
import { endWith, FAILED, noteExitCode, print, UNUSABLE } from "./exit.ts"

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
    Flag.withDescription("The folder for the minimized script; default scenarios/regressions"),
    Flag.withMetavar("folder"),
    Flag.withDefault("scenarios/regressions")
  )
}

export const shrink = Command.make(
  "shrink",
  flags,
  Effect.fn(function* ({ file, check, runs, save }) {
    const checks = { properties, probes }
    const scenario = readScript(file)
    if (Result.isFailure(scenario)) return yield* endWith(UNUSABLE, scenario.failure)
    if (check) {
      const checked = checkMinimality(file, scenario.success, checks)
      if (Result.isFailure(checked)) return yield* endWith(UNUSABLE, checked.failure)
      yield* print(minimalityLines(file, checked.success).join("\n"))
      return checked.success.removals.some(({ stillFails }) => stillFails) ? noteExitCode(FAILED) : undefined
    }
    const shrunk = minimizeScript(file, scenario.success, checks, runs)
    if (Result.isFailure(shrunk)) return yield* endWith(UNUSABLE, shrunk.failure)
    const { text, ...shown } = shrunk.success
    const saved = saveFinding(save, file, shown.property, text)
    yield* print([`${file}: ${shown.property}`, ...minimizedLines({ ...shown, saved })].join("\n"))
  })
).pipe(
  Command.withDescription(
    "Minimize a failing run: steps, faults, choices and durations. Exit codes: 0 if it was minimized, 2 if the script " +
      "cannot be used or does not fail. With --check: 0 if it is minimal, 1 if it is not."
  ),
  Command.withShortDescription("Minimize a failing run"),
  Command.withExamples([
    { command: "simulate shrink mine.yaml", description: "A script written by hand" },
    { command: "simulate shrink --check scenarios/regressions/one.yaml", description: "Check that it is minimal" }
  ])
)
