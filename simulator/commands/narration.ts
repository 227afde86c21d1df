/** Prints stories for a person: the stream and the colours. */
import { styleText } from "node:util"
import { Console, Effect } from "effect"
import { escapeForTerminal } from "../reports/escape.ts"

/** Stories go to standard error if a report goes to standard output. */
export const printStoryOn =
  (stream: "stdout" | "stderr") =>
  (story: string): Effect.Effect<void> =>
    (stream === "stdout" ? Console.log : Console.error)(
      paintStory(escapeForTerminal(story), (style, text) => styleText(style, text, { stream: process[stream] }))
    )

/** `styleText` adds no colours if the stream is not a terminal or NO_COLOR is set. */
type Paint = (style: "bold" | "dim" | "red" | "green", text: string) => string

/** Styles the parts of a story: title, narration, failures and the result. */
export const paintStory = (story: string, paint: Paint): string =>
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
