/** Runs one scenario in several configurations and finds the first trace that differs. */
import { Effect } from "effect"
import type { Scenario } from "../script/scenario.ts"
import type { Simulated } from "../simulate.ts"
import { firstDifference, lineOfDifference } from "../trace.ts"
import type { Configuration } from "./configurations.ts"

/** A difference as text: the two configurations and the first differing event of each. */
export type Divergence = { readonly reason: string; readonly told: ReadonlyArray<string> }

/** Compares all configurations with the first; fails if the run in the first one fails. */
export const compareRuns = Effect.fnUntraced(function* (
  file: string,
  scenario: Scenario,
  configurations: ReadonlyArray<Configuration>
): Effect.fn.Return<Divergence | undefined, Error> {
  const [first, ...others] = configurations
  if (first === undefined) return undefined
  const run = yield* first.run(file, scenario)
  if (run.verdict !== "PASSED") return { reason: `${first.name}: the run does not pass`, told: [endOf(run)] }
  for (const other of others) {
    const { trace } = yield* other.run(file, scenario)
    const line = lineOfDifference(run.trace, trace)
    if (line === undefined) continue
    const difference = firstDifference(run.trace, trace, [first.name, other.name]) ?? ""
    const statements = other.explain === undefined ? [] : yield* other.explain(file, scenario, line)
    return { reason: `${first.name} and ${other.name} differ`, told: [...difference.split("\n"), ...statements] }
  }
  return undefined
})

const endOf = ({ observations }: Simulated): string => {
  const last = observations.at(-1)
  return last?.kind === "verdict"
    ? `${last.verdict} at step ${last.steps}: ${last.reason ?? ""}`
    : "the run has no verdict"
}
