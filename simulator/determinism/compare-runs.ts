/** Runs one scenario in several configurations and finds the first trace that differs. */
import { Effect } from "effect"
import type { Scenario } from "../scenario/format/scenario.ts"
import type { SimulationResult } from "../scenario/simulate.ts"
import { firstDifference, lineOfDifference } from "../observation/trace.ts"
import type { Configuration } from "./configurations.ts"

/** A difference as text: the two configurations and the first differing event of each. */
export type ConfigurationDifference = { readonly reason: string; readonly details: ReadonlyArray<string> }

/** Compares all configurations with the first; fails if the run in the first one fails. */
export const compareRuns = Effect.fnUntraced(function* (
  file: string,
  scenario: Scenario,
  configurations: ReadonlyArray<Configuration>
): Effect.fn.Return<ConfigurationDifference | undefined, Error> {
  const [first, ...others] = configurations
  if (first === undefined) return undefined
  const run = yield* first.run(file, scenario)
  if (run.verdict !== "PASSED") return { reason: `${first.name}: the run does not pass`, details: [endOf(run)] }
  for (const other of others) {
    const { trace } = yield* other.run(file, scenario)
    const line = lineOfDifference(run.trace, trace)
    if (line === undefined) continue
    const difference = firstDifference(run.trace, trace, [first.name, other.name]) ?? ""
    const statements = other.explain === undefined ? [] : yield* other.explain(file, scenario, line)
    return { reason: `${first.name} and ${other.name} differ`, details: [...difference.split("\n"), ...statements] }
  }
  return undefined
})

const endOf = ({ observations }: SimulationResult): string => {
  const last = observations.at(-1)
  return last?.kind === "verdict"
    ? `${last.verdict} at step ${last.steps}: ${last.reason ?? ""}`
    : "the run has no verdict"
}
