/** `simulate replay <file or folder>…`: has saved runs again, to the letter, and says whether they still go wrong. */
import * as fs from "node:fs"
import { Effect, Result } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { type Replayed, replayScript } from "../explore/found/replay-script.ts"
import { probes } from "../explore/probes/every.ts"
import { replayedLines } from "../explore/report-replay.ts"
import { isOneRun } from "../explore/search-point.ts"
import { findScripts, type Script } from "../files.ts"
import { invariants } from "../invariants/every.ts"
import { DIVERGED, end, FAILED, note, PASSED, print, UNUSABLE } from "./ending.ts"

const flags = {
  places: Argument.String("file or folder").pipe(
    Argument.withDescription("Scripts that say one order, and folders of which every such script below is meant"),
    Argument.variadic({ min: 1 })
  ),
  quiet: Flag.Boolean("quiet").pipe(
    Flag.withAlias("q"),
    Flag.withDescription("Tell no story, and nothing of what does not go wrong any more"),
    Flag.withDefault(false)
  )
}

export const replay = Command.make(
  "replay",
  flags,
  Effect.fn(function* ({ places, quiet }) {
    const found = findScripts(places)
    if (Result.isFailure(found)) return yield* end(UNUSABLE, found.failure)
    const meant = found.success.filter((script) => places.includes(script.file) || saysOneRun(script))
    if (meant.length === 0) return yield* end(UNUSABLE, "no script here says one order: there is nothing to have again")
    for (const { file, scenario } of meant) {
      const replayed = Result.flatMap(scenario, (scenario) => replayScript(file, scenario, { invariants, probes }))
      if (Result.isFailure(replayed)) {
        yield* end(UNUSABLE, replayed.failure)
        continue
      }
      const { success } = replayed
      note(codes[success.ended])
      if (!quiet || success.ended !== "FIXED") yield* print(replayedLines(success, !quiet).join("\n"))
    }
  })
).pipe(
  Command.withDescription(
    "Have saved runs again, to the letter: each name beside explore has to be offered when its turn comes, and what is " +
      "injected has to strike. Exits with 0 where nothing goes wrong any more, 1 where something does, 2 where a script " +
      "cannot be used, 3 where the run and the script part, and says at which choice, what was wanted and what was offered."
  ),
  Command.withShortDescription("Have saved runs again, to the letter"),
  Command.withExamples([
    { command: "simulate replay scenarios/found", description: "Everything that was found and kept: is it fixed?" },
    { command: "simulate replay mine.yaml", description: "An order that was written by hand" }
  ])
)

const codes: { readonly [ended in Replayed["ended"]]: number } = { REPRODUCES: FAILED, FIXED: PASSED, DIVERGED }

/** Of what cannot be read, whatever looks like it: then that is told. */
const saysOneRun = ({ file, scenario }: Script): boolean =>
  Result.isSuccess(scenario) ? isOneRun(scenario.success) : /^ *choose:|^# Breaks:/m.test(fs.readFileSync(file, "utf8"))
