/** What a watch tells of runs: a line each, what is wrong, and how the trace differs from the one before. */
import { firstDifference } from "../trace.ts"
import type { Seen } from "./seen.ts"

export const tellRun = (seen: Seen, before: Seen | undefined): ReadonlyArray<string> => {
  const { verdict, file, milliseconds, complaint, fromCommitted, trace } = seen
  const changed = before === undefined || trace === "" || before.trace === "" ? undefined : differs(before.trace, trace)
  return [
    `${words[verdict].padEnd(10)} ${file} (${milliseconds} ms)`,
    ...indented(complaint),
    ...(changed === undefined ? [] : ["  the trace is another than before", ...indented(changed)]),
    ...indented(fromCommitted)
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

const indented = (lines: ReadonlyArray<string>): ReadonlyArray<string> => lines.map((line) => `  ${line}`)

export const tellAll = (all: ReadonlyArray<Seen>): string => {
  const passed = all.filter(({ verdict }) => verdict === "PASSED").length
  const other = all.filter(({ fromCommitted }) => fromCommitted.length > 0).length
  return [
    `${all.length} ${all.length === 1 ? "scenario" : "scenarios"}: ${passed} passed`,
    ...(passed === all.length ? [] : [`${all.length - passed} did not`]),
    ...(other === 0 ? [] : [`${other} ${other === 1 ? "leaves" : "leave"} another trace than the committed one`])
  ].join(", ")
}
