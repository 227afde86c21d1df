/** The flag `--report kind=file` of commands that write reports. */
import { Flag } from "effect/cli"

/** `printed` is what the command prints otherwise. */
export const reportFlag = (renderers: object, printed: "stories" | "verdicts") =>
  Flag.String("report").pipe(
    Flag.withDescription(
      `Also write a report: ${Object.keys(renderers).join(", ")}. Repeatable; the file - is standard output, and ` +
        `${printed} then go to standard error`
    ),
    Flag.withMetavar("kind=file"),
    Flag.atLeast(0)
  )
