/** Runs as JUnit XML: a test suite per folder, a test case per scenario. */
import * as path from "node:path"
import type { FinishedRun } from "./finished-run.ts"
import { junitDocument, type TestCase, type TestOutcome } from "./junit-document.ts"
import { failureLines, numbersOf } from "./totals.ts"

/** A run with its wall time, which the caller measures. */
export interface TimedRun {
  readonly run: FinishedRun
  readonly seconds: number
}

export const junit = (timed: ReadonlyArray<TimedRun>): string => {
  const suites = Map.groupBy(timed, ({ run }) => path.dirname(run.file))
  return junitDocument(
    "simulate",
    [...suites].map(([name, within]) => ({ name, cases: within.map(testCase) }))
  )
}

const testCase = ({ run, seconds }: TimedRun): TestCase => {
  const { file, title, replay, failures } = run
  const lines = ["the trace around the failure:", ...failures.flatMap(({ trace }) => trace), "", `replay: ${replay}`]
  return {
    name: title,
    classname: file.replace(/\.yaml$/, ""),
    place: { file, line: failures[0]?.line ?? 1 },
    seconds,
    properties: numbersOf(run),
    outcome: outcomeOf(run),
    ...(failures.length === 0 ? {} : { output: lines.join("\n") })
  }
}

/** All failures of the run. */
const outcomeOf = ({ verdict, failures }: FinishedRun): TestOutcome | undefined => {
  if (verdict === "PASSED") return undefined
  return {
    element: verdict === "FAILED" ? "failure" : "error",
    message: failures[0]?.reason ?? verdict,
    type: verdict,
    text: failures.flatMap(failureLines).join("\n")
  }
}
