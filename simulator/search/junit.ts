/** A search as JUnit XML: a test case per script, and one for each reachability property that no script lists. */
import { junitDocument, type TestCase, type TestOutcome } from "../reports/junit-document.ts"
import { type ExplorationReport, verdictLines } from "./report.ts"

/** What became of a script that was searched. */
export interface SearchedScript {
  readonly explored: ExplorationReport
  readonly seconds: number
  /** True if the verdict fails the command: for an incomplete search with `--exhaustive` only. */
  readonly isFailed: boolean
}

/** A script that cannot be searched. */
export interface UnusableScript {
  readonly file: string
  readonly unusable: string
}

export interface SearchResults {
  readonly scripts: ReadonlyArray<SearchedScript | UnusableScript>
  /** The reachability properties that no script of the searched folders lists, each with the message that fails the command. */
  readonly unlisted: ReadonlyArray<{ readonly property: string; readonly message: string }>
}

export const junit = ({ scripts, unlisted }: SearchResults): string =>
  junitDocument("simulate explore", [
    { name: "scripts", cases: scripts.map(testCase) },
    ...(unlisted.length === 0 ? [] : [{ name: "reachability properties", cases: unlisted.map(unlistedCase) }])
  ])

const unlistedCase = ({ property, message }: SearchResults["unlisted"][number]): TestCase => ({
  name: property,
  classname: "reachability properties",
  seconds: 0,
  properties: {},
  outcome: { element: "failure", message, type: "UNLISTED", text: message }
})

const testCase = (script: SearchedScript | UnusableScript): TestCase => {
  if ("unusable" in script) {
    const { file, unusable } = script
    const outcome = { element: "error", message: unusable, type: "UNUSABLE", text: unusable } as const
    return { ...nameOf(file), seconds: 0, properties: {}, outcome }
  }
  const { explored, seconds } = script
  const { file, verdict, schedules, states, requests, depth } = explored
  return {
    ...nameOf(file),
    seconds,
    properties: { verdict, schedules, ...(states === undefined ? {} : { states }), requests, depth },
    outcome: outcomeOf(script)
  }
}

const nameOf = (file: string) => ({
  name: file,
  classname: file.replace(/\.yaml$/, ""),
  place: { file, line: 1 }
})

const outcomeOf = ({ explored, isFailed }: SearchedScript): TestOutcome | undefined => {
  if (!isFailed) return undefined
  const lines = verdictLines(explored)
  return { element: "failure", message: lines[0] ?? explored.verdict, type: explored.verdict, text: lines.join("\n") }
}
