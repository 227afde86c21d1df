/** Runs as JUnit XML: a test suite per folder, a test case per scenario. */
import * as path from "node:path"
import type { FinishedRun } from "./finished-run.ts"
import { failureLines, numbersOf, totalsOf } from "./totals.ts"
import { xmlAttributes, xmlText } from "./xml.ts"

/** A run with its wall time, which the format requires and the caller measures. */
export interface TimedRun {
  readonly run: FinishedRun
  readonly seconds: number
}

export const junit = (timed: ReadonlyArray<TimedRun>): string => {
  const suites = Map.groupBy(timed, ({ run }) => path.dirname(run.file))
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${xmlAttributes({ name: "simulate", ...summary(timed) })}>`,
    ...[...suites].flatMap(([folder, within]) => suite(folder, within)),
    "</testsuites>",
    ""
  ].join("\n")
}

const suite = (folder: string, timed: ReadonlyArray<TimedRun>): ReadonlyArray<string> => [
  `  <testsuite ${xmlAttributes({ name: folder, ...summary(timed) })}>`,
  ...timed.flatMap(testCase),
  "  </testsuite>"
]

const summary = (timed: ReadonlyArray<TimedRun>) => {
  const { runs, failed, unusable } = totalsOf(timed.map(({ run }) => run))
  const seconds = timed.reduce((sum, { seconds }) => sum + seconds, 0)
  return { tests: runs, failures: failed, errors: unusable, skipped: 0, time: seconds.toFixed(3) }
}

const testCase = ({ run, seconds }: TimedRun): ReadonlyArray<string> => {
  const { file, title, replay, failures } = run
  const place = { name: title, classname: file.replace(/\.yaml$/, ""), file, line: failures[0]?.line ?? 1 }
  return [
    `    <testcase ${xmlAttributes({ ...place, time: seconds.toFixed(3) })}>`,
    "      <properties>",
    ...Object.entries(numbersOf(run)).map(([name, value]) => `        <property ${xmlAttributes({ name, value })}/>`),
    "      </properties>",
    ...failure(run),
    ...(failures.length === 0
      ? []
      : [
          `      <system-out>${xmlText(
            ["the trace around the failure:", ...failures.flatMap(({ trace }) => trace), "", `replay: ${replay}`].join(
              "\n"
            )
          )}</system-out>`
        ]),
    "    </testcase>"
  ]
}

/** The format allows one failure or error per test case, so it has all failures of the run. */
const failure = ({ verdict, failures }: FinishedRun): ReadonlyArray<string> => {
  if (verdict === "PASSED") return []
  const element = verdict === "FAILED" ? "failure" : "error"
  const summary = xmlAttributes({ message: failures[0]?.reason ?? verdict, type: verdict })
  return [`      <${element} ${summary}>${xmlText(failures.flatMap(failureLines).join("\n"))}</${element}>`]
}
