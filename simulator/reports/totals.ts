/** Totals of several runs. */
import type { FinishedRun } from "./finished-run.ts"

export interface Totals {
  readonly runs: number
  readonly passed: number
  readonly failed: number
  readonly unusable: number
}

export const totalsOf = (runs: ReadonlyArray<FinishedRun>): Totals => {
  const count = (verdict: FinishedRun["verdict"]) => runs.filter((run) => run.verdict === verdict).length
  return { runs: runs.length, passed: count("PASSED"), failed: count("FAILED"), unusable: count("UNUSABLE") }
}

/** A failure as lines: place and reason, differences, details. */
export const failureLines = ({ file, line, reason, differences, details }: FinishedRun["failures"][number]) => [
  `${file}:${line}: ${reason}`,
  ...differences.map(
    ({ path, expected, actual }) =>
      `  ${path}: expected ${JSON.stringify(expected)}, ` +
      (actual === undefined ? "there is nothing" : `got ${JSON.stringify(actual)}`)
  ),
  ...details
]

/** The numbers of a run, by their names in all reports. */
export const numbersOf = (run: FinishedRun): { readonly [name: string]: string | number } => ({
  ...(run.seed === undefined ? {} : { seed: run.seed }),
  steps: run.steps.begun,
  planned: run.steps.planned,
  ...(run.virtualTime === undefined ? {} : { virtualMilliseconds: run.virtualTime.milliseconds }),
  requests: run.requests,
  commits: run.commits,
  callbacks: run.callbacks,
  faults: run.faults,
  refusals: Object.entries(run.refusals)
    .map(([code, times]) => `${code} ${times}`)
    .join(", ")
})
