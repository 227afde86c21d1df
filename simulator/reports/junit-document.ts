/** JUnit XML, the format of a report for CI: test suites of test cases. */
import { xmlAttributes, xmlText } from "./xml.ts"

export interface TestSuite {
  readonly name: string
  readonly cases: ReadonlyArray<TestCase>
}

export interface TestCase {
  readonly name: string
  readonly classname: string
  /** The place of the script, if there is one. */
  readonly place?: { readonly file: string; readonly line: number }
  /** Wall time, which the format requires. */
  readonly seconds: number
  readonly properties: { readonly [name: string]: string | number }
  /** Undefined if it passed; the format allows one outcome per test case. */
  readonly outcome: TestOutcome | undefined
  readonly output?: string
}

export interface TestOutcome {
  readonly element: "failure" | "error" | "skipped"
  readonly message: string
  readonly type?: string
  readonly text: string
}

export const junitDocument = (name: string, suites: ReadonlyArray<TestSuite>): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${xmlAttributes({ name, ...summaryOf(suites.flatMap(({ cases }) => cases)) })}>`,
    ...suites.flatMap(suiteLines),
    "</testsuites>",
    ""
  ].join("\n")

const suiteLines = ({ name, cases }: TestSuite): ReadonlyArray<string> => [
  `  <testsuite ${xmlAttributes({ name, ...summaryOf(cases) })}>`,
  ...cases.flatMap(caseLines),
  "  </testsuite>"
]

const summaryOf = (cases: ReadonlyArray<TestCase>) => {
  const count = (element: TestOutcome["element"]) => cases.filter(({ outcome }) => outcome?.element === element).length
  return {
    tests: cases.length,
    failures: count("failure"),
    errors: count("error"),
    skipped: count("skipped"),
    time: cases.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(3)
  }
}

const caseLines = ({ name, classname, place, seconds, properties, outcome, output }: TestCase) => [
  `    <testcase ${xmlAttributes({ name, classname, ...place, time: seconds.toFixed(3) })}>`,
  "      <properties>",
  ...Object.entries(properties).map(([name, value]) => `        <property ${xmlAttributes({ name, value })}/>`),
  "      </properties>",
  ...(outcome === undefined ? [] : [outcomeLine(outcome)]),
  ...(output === undefined ? [] : [`      <system-out>${xmlText(output)}</system-out>`]),
  "    </testcase>"
]

const outcomeLine = ({ element, message, type, text }: TestOutcome): string =>
  `      <${element} ${xmlAttributes({ message, ...(type === undefined ? {} : { type }) })}>${xmlText(text)}</${element}>`
