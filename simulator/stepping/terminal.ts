/** Lines that are typed, one after the other: by a person at a terminal with history and completion, or by a pipe. */
import * as readline from "node:readline"
import { Effect } from "effect"
import type { Stepper } from "./stepper.ts"

/** Ends with the input, or with a line that ends it. */
export const converse = (stepper: Stepper): Effect.Effect<void> =>
  Effect.promise(async () => {
    const { stdin: input, stdout: output } = process
    const isTerminal = input.isTTY && output.isTTY
    const completer = (line: string): [Array<string>, string] => [[...stepper.completions(line)], line]
    const lines = readline.createInterface({ input, output, completer, terminal: isTerminal })
    let isAtEnd = false
    lines.once("close", () => (isAtEnd = true))
    const say = (told: ReadonlyArray<string>) => told.forEach((line) => output.write(`${line}\n`))
    const ask = () => {
      lines.setPrompt(stepper.prompt)
      // Lines of a pipe that were read together come when it may have ended already.
      if (isTerminal && !isAtEnd) lines.prompt()
      else output.write(stepper.prompt)
    }
    say(stepper.greeting)
    ask()
    for await (const line of lines) {
      // A pipe shows nothing of what came through it.
      if (!isTerminal) say([line])
      say(stepper.answer(line))
      if (stepper.isOver) break
      ask()
    }
    if (!stepper.isOver) output.write("\n")
    lines.close()
  })
