/** An examination as JUnit XML: a test case per lesson, in one test suite. */
import { xmlAttributes, xmlText } from "../../reports/xml.ts"
import { examTotals } from "./exam-totals.ts"
import type { LessonReport } from "./lesson-report.ts"

/** A lesson with its wall time, which the format requires. */
export interface TimedLesson {
  readonly report: LessonReport
  readonly seconds: number
  /** The result in words, as on the terminal. */
  readonly explanation: string
}

export const junit = (lessons: ReadonlyArray<TimedLesson>): string => {
  const totals = examTotals(lessons.map(({ report }) => report))
  const summary = {
    tests: totals.lessons,
    failures: totals.failed,
    errors: totals.errors,
    skipped: totals.unknown,
    time: lessons.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(3)
  }
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${xmlAttributes({ name: "simulate exam", ...summary })}>`,
    `  <testsuite ${xmlAttributes({ name: "lessons", ...summary })}>`,
    ...lessons.flatMap(testCase),
    "  </testsuite>",
    "</testsuites>",
    ""
  ].join("\n")
}

const testCase = ({ report, seconds, explanation }: TimedLesson): ReadonlyArray<string> => [
  `    <testcase ${xmlAttributes({ name: report.title, classname: report.name, time: seconds.toFixed(3) })}>`,
  "      <properties>",
  ...Object.entries(propertiesOf(report)).map(
    ([name, value]) => `        <property ${xmlAttributes({ name, value })}/>`
  ),
  "      </properties>",
  ...outcomeOf(report, explanation),
  "    </testcase>"
]

const propertiesOf = ({ section, requests, virtualTime }: LessonReport) => ({
  section,
  requests,
  ...(virtualTime === undefined ? {} : { virtualMilliseconds: virtualTime.milliseconds })
})

/** The element of each verdict that is not passed. A lesson without a verdict is skipped, with its reason. */
const elements = { FAIL: "failure", ERROR: "error", UNKNOWN: "skipped" } as const

const outcomeOf = (report: LessonReport, explanation: string): ReadonlyArray<string> => {
  const { verdict } = report
  if (verdict === "PASS") return []
  const element = elements[verdict]
  const type = verdict === "UNKNOWN" ? {} : { type: verdict }
  const attributes = xmlAttributes({ message: messageOf(report), ...type })
  return [`      <${element} ${attributes}>${xmlText(explanation)}</${element}>`]
}

const messageOf = ({ verdict, rule, safety, progress, ended }: LessonReport): string => {
  const [first] = [...safety, ...progress]
  if (verdict !== "FAIL" || first === undefined) return `The lesson ended because: ${ended}`
  return `${rule} ${first.condition}: ${first.words}`
}
