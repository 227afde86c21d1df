/** An examination as JUnit XML: a test case per lesson, in one test suite. */
import { junitDocument, type TestCase, type TestOutcome } from "../../reports/junit-document.ts"
import type { LessonReport } from "./lesson-report.ts"

/** A lesson with its wall time. */
export interface TimedLesson {
  readonly report: LessonReport
  readonly seconds: number
  /** The result in words, as on the terminal. */
  readonly explanation: string
}

export const junit = (lessons: ReadonlyArray<TimedLesson>): string =>
  junitDocument("simulate exam", [{ name: "lessons", cases: lessons.map(testCase) }])

const testCase = ({ report, seconds, explanation }: TimedLesson): TestCase => ({
  name: report.title,
  classname: report.name,
  seconds,
  properties: propertiesOf(report),
  outcome: outcomeOf(report, explanation)
})

const propertiesOf = ({ section, requests, virtualTime }: LessonReport) => ({
  section,
  requests,
  ...(virtualTime === undefined ? {} : { virtualMilliseconds: virtualTime.milliseconds })
})

/** The element of each verdict that is not passed. A lesson without a verdict is skipped, with its reason. */
const elements = { FAIL: "failure", ERROR: "error", UNKNOWN: "skipped" } as const

const outcomeOf = (report: LessonReport, text: string): TestOutcome | undefined => {
  const { verdict } = report
  if (verdict === "PASS") return undefined
  const type = verdict === "UNKNOWN" ? {} : { type: verdict }
  return { element: elements[verdict], message: messageOf(report), ...type, text }
}

const messageOf = ({ verdict, rule, safety, progress, ended }: LessonReport): string => {
  const [first] = [...safety, ...progress]
  if (verdict !== "FAIL" || first === undefined) return `The lesson ended because: ${ended}`
  return `${rule} ${first.condition}: ${first.words}`
}
