/** Which reports are asked for and where they go: `--report junit=out.xml`, where `-` is standard output. */
import * as fs from "node:fs"
import * as path from "node:path"
import { Result } from "effect"
import { didYouMean } from "../../src/vocabulary/suggest.ts"
import type { Ran } from "./finish.ts"
import type { FinishedRun } from "./finished-run.ts"
import { github } from "./github.ts"
import { html } from "./html.ts"
import { json } from "./json.ts"
import { junit } from "./junit.ts"
import { tap } from "./tap.ts"

/** A run as the reports are given it. */
export interface Told {
  readonly run: FinishedRun
  readonly seconds: number
  /** Absent where the script could not be read. */
  readonly ran: Ran | undefined
}

const renderers = {
  junit: (told: ReadonlyArray<Told>) => junit(told),
  tap: (told: ReadonlyArray<Told>) => tap(told.map(({ run }) => run)),
  json: (told: ReadonlyArray<Told>) => json(told.map(({ run }) => run)),
  html: (told: ReadonlyArray<Told>) => html(told),
  github: (told: ReadonlyArray<Told>) => github(told.map(({ run }) => run))
} as const

export interface Destination {
  readonly kind: keyof typeof renderers
  readonly file: string
}

export const reportKinds: ReadonlyArray<string> = Object.keys(renderers)

/** All of them, or what is wrong with the first that cannot be; where the trace goes, no report can go. */
export const readDestinations = (
  texts: ReadonlyArray<string>,
  trace?: string
): Result.Result<ReadonlyArray<Destination>, string> => {
  const destinations: Array<Destination> = []
  for (const text of texts) {
    const [kind = "", file = ""] = splitOnce(text)
    if (!isKind(kind))
      return Result.fail(
        `--report ${text}: there is no report ${kind}${didYouMean(kind, reportKinds)} (${reportKinds.join(", ")})`
      )
    if (file === "") return Result.fail(`--report ${text}: say where it goes, like ${kind}=report.txt or ${kind}=-`)
    if (trace !== undefined && isSame(trace, file)) return Result.fail(`--report ${text}: the trace goes there already`)
    if (destinations.some((earlier) => isSame(earlier.file, file))) {
      return Result.fail(`--report ${text}: another report goes there already`)
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

/** Throws what the file system says where a file cannot be written. */
export const writeReport = ({ kind, file }: Destination, told: ReadonlyArray<Told>): void => {
  writeText(file, renderers[kind](told))
}

/** To a file or to standard output. */
export const writeText = (file: string, text: string): void => {
  if (file === standardOutput) process.stdout.write(text)
  else fs.writeFileSync(file, text)
}
