/** The reports of `simulate run`, by kind. */
import type { Renderers } from "./destinations.ts"
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

type Runs = ReadonlyArray<ReportedRun>

export const runReports = {
  junit: (results: Runs) => junit(results),
  tap: (results: Runs) => tap(results.map(({ run }) => run)),
  json: (results: Runs) => json(results.map(({ run }) => run)),
  html: (results: Runs) => html(results),
  github: (results: Runs) => github(results.map(({ run }) => run))
} satisfies Renderers<string, Runs>
