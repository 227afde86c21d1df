/** `simulate replay <file or folder>…`: replays saved runs exactly, and reports whether they still fail. */
import * as fs from "node:fs"
import { Effect, Result } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { type ReplayResult, replayScript } from "../search/findings/replay-script.ts"
import { probes } from "../search/isolation/probes.ts"
import { replayLines } from "../search/replay-report.ts"
import { hasFixedSchedule } from "../scenario/explore-step.ts"
import { findScripts, type Script } from "../scenario/files.ts"
import { properties } from "../properties/all-properties.ts"
import { DIVERGED, endWith, FAILED, noteExitCode, PASSED, print, UNUSABLE } from "./exit.ts"

const flags = {
  places: Argument.String("file or folder").pipe(
    Argument.withDescription(
      "Scripts with a fixed schedule, or folders, whose scripts with one are replayed recursively"
    ),
    Argument.variadic({ min: 1 })
  ),
  quiet: Flag.Boolean("quiet").pipe(
    Flag.withAlias("q"),
    Flag.withDescription("Print no stories, and no runs that no longer fail"),
    Flag.withDefault(false)
  )
}

export const replay = Command.make(
  "replay",
  flags,
  Effect.fn(function* ({ places, quiet }) {
    const found = findScripts(places)
    if (Result.isFailure(found)) return yield* endWith(UNUSABLE, found.failure)
    const selected = found.success.filter((script) => places.includes(script.file) || isSavedRun(script))
    if (selected.length === 0) return yield* endWith(UNUSABLE, "no script has a fixed schedule to replay")
    for (const { file, scenario } of selected) {
      const replayed = Result.flatMap(scenario, (scenario) => replayScript(file, scenario, { properties, probes }))
      if (Result.isFailure(replayed)) {
        yield* endWith(UNUSABLE, replayed.failure)
        continue
      }
      const { success } = replayed
      noteExitCode(codes[success.ended])
      if (!quiet || success.ended !== "FIXED") yield* print(replayLines(success, !quiet).join("\n"))
    }
  })
).pipe(
  Command.withDescription(
    "Replay saved runs exactly: each recorded choice must be available at its choice point, and each injected fault must " +
      "occur. Exit codes: 0 if no run fails, 1 if one does, 2 if a script cannot be used, 3 if a run diverges from its " +
      "script; the choice point, the recorded choice and the options are reported."
  ),
  Command.withShortDescription("Replay saved runs exactly"),
  Command.withExamples([
    { command: "simulate replay scenarios/regressions", description: "All regressions: are they fixed?" },
    { command: "simulate replay mine.yaml", description: "A schedule written by hand" }
  ])
)

const codes: { readonly [ended in ReplayResult["ended"]]: number } = { REPRODUCES: FAILED, FIXED: PASSED, DIVERGED }

/** Includes unreadable scripts that look like saved runs, so that they are reported. */
const isSavedRun = ({ file, scenario }: Script): boolean =>
  Result.isSuccess(scenario)
    ? hasFixedSchedule(scenario.success)
    : /^ *choose:|^# Breaks:/m.test(fs.readFileSync(file, "utf8"))
