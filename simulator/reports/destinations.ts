/** The report destinations of the command line: `--report junit=out.xml`, where `-` is standard output. */
import * as fs from "node:fs"
import * as path from "node:path"
import { Result } from "effect"
import { didYouMean } from "../../src/vocabulary/suggest.ts"

/** The renderers of a command's reports, by kind. */
export type Renderers<Kind extends string, Input> = { readonly [kind in Kind]: (input: Input) => string }

export interface Destination<Kind extends string> {
  readonly kind: Kind
  readonly file: string
}

/** Parses all destinations, or returns the first problem. No two outputs may share a destination. */
export const readDestinations = <Kind extends string>(
  renderers: Renderers<Kind, never>,
  texts: ReadonlyArray<string>,
  trace?: string
): Result.Result<ReadonlyArray<Destination<Kind>>, string> => {
  const isKind = (kind: string): kind is Kind => Object.hasOwn(renderers, kind)
  const kinds = Object.keys(renderers)
  const destinations: Array<Destination<Kind>> = []
  for (const text of texts) {
    const [kind = "", file = ""] = splitOnce(text)
    if (!isKind(kind))
      return Result.fail(`--report ${text}: unknown report ${kind}${didYouMean(kind, kinds)} (${kinds.join(", ")})`)
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

const splitOnce = (text: string): ReadonlyArray<string> => {
  const sign = text.indexOf("=")
  return sign < 0 ? [text] : [text.slice(0, sign), text.slice(sign + 1)]
}

const standardOutput = "-"

/** The stream for a person: standard error if one of these outputs is standard output. */
export const streamBeside = (files: ReadonlyArray<string | undefined>): "stdout" | "stderr" =>
  files.includes(standardOutput) ? "stderr" : "stdout"

/** Throws the error of the file system if the file cannot be written. */
export const writeReport = <Kind extends string, Input>(
  renderers: Renderers<Kind, Input>,
  { kind, file }: Destination<Kind>,
  input: Input
): void => {
  writeText(file, renderers[kind](input))
}

export const writeText = (file: string, text: string): void => {
  if (file === standardOutput) process.stdout.write(text)
  else fs.writeFileSync(file, text)
}
