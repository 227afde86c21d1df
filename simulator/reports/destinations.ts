/** The report destinations of the command line: `--report junit=out.xml`, where `-` is standard output. */
import * as fs from "node:fs"
import * as path from "node:path"
import { Result } from "effect"
import { didYouMean } from "../../src/vocabulary/suggest.ts"
import type { CompletedRun } from "./finish-run.ts"
import type { FinishedRun } from "./finished-run.ts"
import { github } from "./github.ts"
import { html } from "./html.ts"
import { json } from "./json.ts"
import { junit } from "./junit.ts"
import { tap } from "./tap.ts"

/** The input of a report: a run and its wall time. */
export interface ReportedRun {
  readonly run: FinishedRun
  readonly seconds: number
  /** Undefined if the script could not be read. */
  readonly ran: CompletedRun | undefined
}

const renderers = {
  junit: (results: ReadonlyArray<ReportedRun>) => junit(results),
  tap: (results: ReadonlyArray<ReportedRun>) => tap(results.map(({ run }) => run)),
  json: (results: ReadonlyArray<ReportedRun>) => json(results.map(({ run }) => run)),
  html: (results: ReadonlyArray<ReportedRun>) => html(results),
  github: (results: ReadonlyArray<ReportedRun>) => github(results.map(({ run }) => run))
} as const

export interface Destination {
  readonly kind: keyof typeof renderers
  readonly file: string
}

export const reportKinds: ReadonlyArray<string> = Object.keys(renderers)

/** Parses all destinations, or returns the first problem. No two outputs may share a destination. */
export const readDestinations = (
  texts: ReadonlyArray<string>,
  trace?: string
): Result.Result<ReadonlyArray<Destination>, string> => {
  const destinations: Array<Destination> = []
  for (const text of texts) {
    const [kind = "", file = ""] = splitOnce(text)
    if (!isKind(kind))
      return Result.fail(
        `--report ${text}: unknown report ${kind}${didYouMean(kind, reportKinds)} (${reportKinds.join(", ")})`
      )
    if (file === "") return Result.fail(`--report ${text}: the file is missing: ${kind}=report.txt or ${kind}=-`)
    if (trace !== undefined && isSame(trace, file))
      return Result.fail(`--report ${text}: the trace is already written there`)
    if (destinations.some((earlier) => isSame(earlier.file, file))) {
      return Result.fail(`--report ${text}: another report is already written there`)
    }
    destinations.push({ kind, file })
  }
  return Result.succeed(destinations)
}

const isSame = (one: string, other: string): boolean =>
  one === standardOutput || other === standardOutput ? one === other : path.resolve(one) === path.resolve(other)

const isKind = (kind: string): kind is keyof typeof renderers => Object.hasOwn(renderers, kind)

const splitOnce = (text: string): ReadonlyArray<string> => {
  const sign = text.indexOf("=")
  return sign < 0 ? [text] : [text.slice(0, sign), text.slice(sign + 1)]
}

export const standardOutput = "-"

/** Throws the error of the file system if the file cannot be written. */
export const writeReport = ({ kind, file }: Destination, results: ReadonlyArray<ReportedRun>): void => {
  writeText(file, renderers[kind](results))
}

export const writeText = (file: string, text: string): void => {
  if (file === standardOutput) process.stdout.write(text)
  else fs.writeFileSync(file, text)
}
