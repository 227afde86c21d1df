/** Failures as GitHub Actions annotations. */
import * as path from "node:path"
import type { FinishedRun } from "./finished-run.ts"
import { failureLines } from "./totals.ts"
import { escapeControls, escapeLine } from "./escape.ts"

/** One line per failure; empty if all passed. */
export const github = (runs: ReadonlyArray<FinishedRun>): string =>
  runs
    .flatMap((run) =>
      run.failures.map((failure) => {
        const place = { file: path.normalize(failure.file), line: String(failure.line), title: escapeLine(run.title) }
        const message = [...failureLines(failure), `replay: ${run.replay}`].join("\n")
        return `::error ${properties(place)}::${escapeMessage(escapeControls(message))}\n`
      })
    )
    .join("")

const properties = (values: { readonly [name: string]: string }): string =>
  Object.entries(values)
    .map(
      ([name, value]) => `${name}=${escapeMessage(escapeControls(value)).replaceAll(":", "%3A").replaceAll(",", "%2C")}`
    )
    .join(",")

/** The runner reads one command per line, so line breaks in a message are escaped. */
const escapeMessage = (text: string): string =>
  text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A")
