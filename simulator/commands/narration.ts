/** What a command tells a person while it runs: where it goes, and in which colours. */
import { styleText } from "node:util"
import { Console, Effect } from "effect"
import { visibleOnTerminal } from "../reports/visible.ts"

/** Beside a report on standard output, what is told goes to standard error. */
export const tellOn =
  (stream: "stdout" | "stderr") =>
  (story: string): Effect.Effect<void> =>
    (stream === "stdout" ? Console.log : Console.error)(
      painted(visibleOnTerminal(story), (style, text) => styleText(style, text, { stream: process[stream] }))
    )

/** `styleText` leaves text as it is where the stream is no terminal, and where NO_COLOR is set. */
type Paint = (style: "bold" | "dim" | "red" | "green", text: string) => string

/** The parts of a story: its title, what is said, what went wrong and how it ended. */
export const painted = (story: string, paint: Paint): string =>
  story
    .split("\n")
    .map((line, index) => {
      if (line === "") return line
      if (index === 0) return paint("bold", line)
      if (line.startsWith("  # ")) return paint("dim", line)
      if (/^ {2}\S+:\d+: /.test(line) || line.startsWith("    ! ")) return paint("red", line)
      return /^ {2}\d+ steps?, as expected; /.test(line) ? paint("green", line) : line
    })
    .join("\n")
