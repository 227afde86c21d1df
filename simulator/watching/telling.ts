/** Renders the results of a watch: a line each, the failure, and the difference from the previous trace. */
import { firstDifference } from "../trace.ts"
import type { Seen } from "./seen.ts"

export const tellRun = (result: Seen, before: Seen | undefined): ReadonlyArray<string> => {
  const { verdict, file, milliseconds, complaint, fromCommitted, trace } = result
  const changed = before === undefined || trace === "" || before.trace === "" ? undefined : differs(before.trace, trace)
  return [
    `${words[verdict].padEnd(10)} ${file} (${milliseconds} ms)`,
    ...indent(complaint),
    ...(changed === undefined ? [] : ["  the trace differs from the previous run", ...indent(changed)]),
    ...indent(fromCommitted)
  ]
}

const words: { readonly [verdict in Seen["verdict"]]: string } = {
  PASSED: "passed",
  FAILED: "FAILED",
  UNUSABLE: "UNUSABLE",
  UNREADABLE: "UNREADABLE"
}

const differs = (before: string, now: string): ReadonlyArray<string> | undefined =>
  firstDifference(before, now, ["before", "now"])?.split("\n")

const indent = (lines: ReadonlyArray<string>): ReadonlyArray<string> => lines.map((line) => `  ${line}`)

export const tellAll = (all: ReadonlyArray<Seen>): string => {
  const passed = all.filter(({ verdict }) => verdict === "PASSED").length
  const other = all.filter(({ fromCommitted }) => fromCommitted.length > 0).length
  return [
    `${all.length} ${all.length === 1 ? "scenario" : "scenarios"}: ${passed} passed`,
    ...(passed === all.length ? [] : [`${all.length - passed} failed`]),
    ...(other === 0 ? [] : [`${other} ${other === 1 ? "differs" : "differ"} from the committed trace`])
  ].join(", ")
}
