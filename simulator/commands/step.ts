/** `simulate step <file>`: steps through a scenario interactively, forward, back and on branches. */
import * as fs from "node:fs"
import { Effect, Result } from "effect"
import { Argument, Command } from "effect/cli"
import { findScripts } from "../scenario/files.ts"
import { Stepper } from "../serve/terminal/stepper.ts"
import { runTerminal } from "../serve/terminal/terminal.ts"
import { exitCodeOf, endWith, noteExitCode, UNUSABLE } from "./exit.ts"

const flags = {
  file: Argument.String("file").pipe(Argument.withDescription("The script to step through"))
}

export const step = Command.make(
  "step",
  flags,
  Effect.fn(function* ({ file }) {
    const found = findScripts([file])
    if (Result.isFailure(found)) return yield* endWith(UNUSABLE, found.failure)
    const [script, ...others] = found.success
    if (script === undefined || others.length > 0) return yield* endWith(UNUSABLE, `${file} is a folder; name a script`)
    if (Result.isFailure(script.scenario)) return yield* endWith(UNUSABLE, script.scenario.failure)
    const { success: scenario } = script.scenario
    const stepper = yield* Effect.result(
      Effect.try({
        try: () => new Stepper(scenario, { file: script.file, text: fs.readFileSync(script.file, "utf8") }),
        catch: (error) => (error instanceof Error ? error.message : String(error))
      })
    )
    if (Result.isFailure(stepper)) return yield* endWith(UNUSABLE, stepper.failure)
    yield* runTerminal(stepper.success)
    noteExitCode(exitCodeOf[stepper.success.ended?.verdict ?? "PASSED"])
    // At a terminal a person has seen the refusal; in a pipe it is an error.
    if (!process.stdin.isTTY && stepper.success.hasRefused) noteExitCode(UNUSABLE)
  })
).pipe(
  Command.withDescription(
    "Step through a scenario: next, back, until, choose, do, branch, save and more; help lists them. Reads commands from " +
      "a terminal or a pipe. Exit codes: 0, 1 if the last step failed, 2 if it could not be executed; with a pipe also 2 if " +
      "any command was refused: unknown, nothing to save, or a target not reached."
  ),
  Command.withExamples([
    { command: "simulate step scenarios/first-record/first-record/scenario.yaml", description: "At a terminal" },
    {
      command: "echo 'until LOCKED' | simulate step scenarios/first-record/first-record/scenario.yaml",
      description: "Through a pipe"
    }
  ])
)
