/** `simulate shrink <file>`: makes a run that goes wrong as small as it gets, or shows that one is. */
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
  file: Argument.String("file").pipe(Argument.withDescription("A script that says who goes first, and goes wrong")),
  check: Flag.Boolean("check").pipe(
    Flag.withDescription("Take away each thing in it alone, and show that it then does not go wrong in that way"),
    Flag.withDefault(false)
  ),
  runs: Flag.Int("runs").pipe(
    Flag.withDescription("How many runs at most; 2000 where absent"),
    Flag.withMetavar("number"),
    Flag.withDefault(2000)
  ),
  save: Flag.String("save").pipe(
    Flag.withDescription("The folder where what is left is saved; scenarios/found where absent"),
    Flag.withMetavar("folder"),
    Flag.withDefault("scenarios/found")
  )
}

export const shrink = Command.make(
  "shrink",
  flags,
  Effect.fn(function* ({ file, check, runs, save }) {
    const judged = { invariants, probes }
    const scenario = readScript(file)
    if (Result.isFailure(scenario)) return yield* end(UNUSABLE, scenario.failure)
    if (check) {
      const checked = checkFound(file, scenario.success, judged)
      if (Result.isFailure(checked)) return yield* end(UNUSABLE, checked.failure)
      yield* print(checkedLines(file, checked.success).join("\n"))
      return checked.success.removals.some(({ stillFails }) => stillFails) ? note(FAILED) : undefined
    }
    const shrunk = shrinkFound(file, scenario.success, judged, runs)
    if (Result.isFailure(shrunk)) return yield* end(UNUSABLE, shrunk.failure)
    const { text, ...shown } = shrunk.success
    const saved = saveFound(save, file, shown.invariant, text)
    yield* print([`${file}: ${shown.invariant}`, ...shrunkLines({ ...shown, saved })].join("\n"))
  })
).pipe(
  Command.withDescription(
    "Make a run that goes wrong as small as it gets: steps, faults, choices and spans of time. Exits with 0 where that " +
      "was done, 2 where the script cannot be used or does not go wrong. With --check, exits with 0 where everything in it " +
      "is needed, 1 where something is not."
  ),
  Command.withShortDescription("Make a run that goes wrong as small as it gets"),
  Command.withExamples([
    { command: "simulate shrink mine.yaml", description: "A script that was written by hand" },
    { command: "simulate shrink --check scenarios/found/one.yaml", description: "Nothing can be left out of it" }
  ])
)
