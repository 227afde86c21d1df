/** Renders the results of a watch: a line each, the failure, and the difference from the previous trace. */
import { firstDifference } from "../observation/trace.ts"
import type { ScenarioResult } from "./last-results.ts"

export const renderResult = (result: ScenarioResult, before: ScenarioResult | undefined): ReadonlyArray<string> => {
  const { verdict, file, milliseconds, failureLines, goldenDifferences, trace } = result
  const changed = before === undefined || trace === "" || before.trace === "" ? undefined : differs(before.trace, trace)
  return [
    `${words[verdict].padEnd(10)} ${file} (${milliseconds} ms)`,
    ...indent(failureLines),
    ...(changed === undefined ? [] : ["  the trace differs from the previous run", ...indent(changed)]),
    ...indent(goldenDifferences)
  ]
}

const words: { readonly [verdict in ScenarioResult["verdict"]]: string } = {
  PASSED: "passed",
  FAILED: "FAILED",
  UNUSABLE: "UNUSABLE",
  UNREADABLE: "UNREADABLE"
}

const differs = (before: string, now: string): ReadonlyArray<string> | undefined =>
  firstDifference(before, now, ["before", "now"])?.split("\n")

const indent = (lines: ReadonlyArray<string>): ReadonlyArray<string> => lines.map((line) => `  ${line}`)

export const renderSummary = (all: ReadonlyArray<ScenarioResult>): string => {
  const passed = all.filter(({ verdict }) => verdict === "PASSED").length
  const other = all.filter(({ goldenDifferences }) => goldenDifferences.length > 0).length
  return [
    `${all.length} ${all.length === 1 ? "scenario" : "scenarios"}: ${passed} passed`,
    ...(passed === all.length ? [] : [`${all.length - passed} failed`]),
    ...(other === 0 ? [] : [`${other} ${other === 1 ? "differs" : "differ"} from the committed trace`])
  ].join(", ")
}
