/** Runs in the Test Anything Protocol, version 14: a test point per scenario, with YAML diagnostics. */
import { stringify } from "yaml"
import type { FinishedRun } from "./finished-run.ts"
import { numbersOf } from "./totals.ts"
import { escapeControls, escapeLine } from "./escape.ts"

export const tap = (runs: ReadonlyArray<FinishedRun>): string =>
  ["TAP version 14", `1..${runs.length}`, ...runs.flatMap((run, index) => testPoint(run, index + 1)), ""].join("\n")

const testPoint = (run: FinishedRun, number: number): ReadonlyArray<string> => [
  `${run.verdict === "PASSED" ? "ok" : "not ok"} ${number} - ${description(run.title)}`,
  "  ---",
  ...stringify(diagnostics(run), plainYaml)
    .trimEnd()
    .split("\n")
    .map((line) => `  ${line}`),
  "  ..."
]

/** Harnesses support a small subset of YAML: double-quoted strings on one line, plain keys. */
const plainYaml = {
  lineWidth: 0,
  aliasDuplicateObjects: false,
  defaultStringType: "QUOTE_DOUBLE",
  defaultKeyType: "PLAIN",
  doubleQuotedAsJSON: true
} as const

/** An unescaped hash would begin a directive such as TODO, which suppresses a failure. */
const description = (title: string): string => escapeLine(title).replace(/[\\#]/g, String.raw`\$&`)

const diagnostics = (run: FinishedRun) => ({
  file: escapeControls(run.file),
  verdict: run.verdict,
  ...Object.fromEntries(Object.entries(numbersOf(run)).map(([name, value]) => [name, escapeValue(value)])),
  ...(run.failures.length === 0 ? {} : { failures: run.failures.map(failure) }),
  replay: escapeControls(run.replay)
})

const failure = ({ file, line, reason, differences, details, trace }: FinishedRun["failures"][number]) => ({
  at: escapeControls(`${file}:${line}`),
  message: escapeControls(reason),
  ...(differences.length === 0 ? {} : { differences: differences.map(difference) }),
  ...(details.length === 0 ? {} : { details: details.map(escapeControls) }),
  ...(trace.length === 0 ? {} : { trace: trace.map(escapeControls) })
})

/** Values of differences may have any keys, so they are written as JSON. */
const difference = ({ path, expected, actual }: FinishedRun["failures"][number]["differences"][number]) => ({
  path: escapeControls(path),
  expected: escapeControls(JSON.stringify(expected)),
  ...(actual === undefined ? {} : { actual: escapeControls(JSON.stringify(actual)) })
})

const escapeValue = (value: string | number): string | number =>
  typeof value === "string" ? escapeControls(value) : value
