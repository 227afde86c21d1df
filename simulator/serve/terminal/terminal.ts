/** Reads commands line by line: from a terminal with history and completion, or from a pipe. */
import * as readline from "node:readline"
import { Effect } from "effect"
import type { Stepper } from "./stepper.ts"

/** Ends with the input, or with `quit`. */
export const runTerminal = (stepper: Stepper): Effect.Effect<void> =>
  Effect.promise(async () => {
    const { stdin: input, stdout: output } = process
    const isTerminal = input.isTTY && output.isTTY
    const completer = (line: string): [Array<string>, string] => [[...stepper.completions(line)], line]
    const lines = readline.createInterface({ input, output, completer, terminal: isTerminal })
    let isAtEnd = false
    lines.once("close", () => (isAtEnd = true))
    const print = (lines: ReadonlyArray<string>) => lines.forEach((line) => output.write(`${line}\n`))
    const ask = () => {
      lines.setPrompt(stepper.prompt)
      // Lines read from a pipe together may be delivered after its end.
      if (isTerminal && !isAtEnd) lines.prompt()
      else output.write(stepper.prompt)
    }
    print(stepper.greeting)
    ask()
    for await (const line of lines) {
      // A pipe does not echo its input.
      if (!isTerminal) print([line])
      print(stepper.answer(line))
      if (stepper.hasQuit) break
      ask()
    }
    if (!stepper.hasQuit) output.write("\n")
    lines.close()
  })
