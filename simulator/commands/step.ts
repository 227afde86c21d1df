/** `simulate step <file>`: a person walks through a scenario, forth and back, and goes other ways in other worlds. */
import * as fs from "node:fs"
import { Effect, Result } from "effect"
import { Argument, Command } from "effect/cli"
import { findScripts } from "../files.ts"
import { Stepper } from "../stepping/stepper.ts"
import { converse } from "../stepping/terminal.ts"
import { codeOf, end, note, UNUSABLE } from "./ending.ts"

const flags = {
  file: Argument.String("file").pipe(Argument.withDescription("The script to walk through"))
}

export const step = Command.make(
  "step",
  flags,
  Effect.fn(function* ({ file }) {
    const found = findScripts([file])
    if (Result.isFailure(found)) return yield* end(UNUSABLE, found.failure)
    const [script, ...others] = found.success
    if (script === undefined || others.length > 0)
      return yield* end(UNUSABLE, `${file} is a folder; name one of its files`)
    if (Result.isFailure(script.scenario)) return yield* end(UNUSABLE, script.scenario.failure)
    const { success: scenario } = script.scenario
    const stepper = yield* Effect.result(
      Effect.try({
        try: () => new Stepper(scenario, { file: script.file, text: fs.readFileSync(script.file, "utf8") }),
        catch: (error) => (error instanceof Error ? error.message : String(error))
      })
    )
    if (Result.isFailure(stepper)) return yield* end(UNUSABLE, stepper.failure)
    yield* converse(stepper.success)
    note(codeOf[stepper.success.ended?.verdict ?? "PASSED"])
    // A person has read it and typed something else; whoever wrote a pipe has not.
    if (!process.stdin.isTTY && stepper.success.hasRefused) note(UNUSABLE)
  })
).pipe(
  Command.withDescription(
    "Walk through a scenario: next, back, until, choose, do, branch, save and more; help lists them. Reads commands from " +
      "a terminal or a pipe. Exits with 0, or with 1 or 2 where the last step did not go as expected or could not be done; through a " +
      "pipe, also with 2 where any line could not: no such command, nothing to save, a moment that never came"
  ),
  Command.withExamples([
    { command: "simulate step scenarios/01-first-record.yaml", description: "At a terminal" },
    { command: "echo 'until LOCKED' | simulate step scenarios/01-first-record.yaml", description: "Through a pipe" }
  ])
)
