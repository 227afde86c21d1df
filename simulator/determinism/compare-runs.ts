/** Runs one scenario in several configurations and finds the first trace that differs. */
import { Effect } from "effect"
import type { Scenario } from "../scenario/format/scenario.ts"
import type { SimulationResult } from "../scenario/simulate.ts"
import { firstDifference, lineOfDifference, withoutInstances } from "../observation/trace.ts"
import type { Configuration } from "./configurations.ts"

/** A difference as text: the two configurations and the first differing event of each. */
export type ConfigurationDifference = { readonly reason: string; readonly details: ReadonlyArray<string> }

/**
 * Compares each configuration with the first one of as many instances, byte by byte, and the first ones with each other
 * without what depends on the number of instances. Fails if the run in the first configuration fails.
 */
export const compareRuns = Effect.fnUntraced(function* (
  file: string,
  scenario: Scenario,
  configurations: ReadonlyArray<Configuration>
): Effect.fn.Return<ConfigurationDifference | undefined, Error> {
  const [first, ...others] = configurations
  if (first === undefined) return undefined
  const run = yield* first.run(file, scenario)
  if (run.verdict !== "PASSED") return { reason: `${first.name}: the run does not pass`, details: [endOf(run)] }
  const references = [{ ...first, trace: run.trace }]
  for (const other of others) {
    const { trace } = yield* other.run(file, scenario)
    const same = references.find(({ instances }) => instances === other.instances)
    if (same === undefined) references.push({ ...other, trace })
    const reference = same ?? references[0]!
    const [one, another] =
      same === undefined ? [withoutInstances(reference.trace), withoutInstances(trace)] : [reference.trace, trace]
    const difference = firstDifference(one, another, [reference.name, other.name])
    if (difference === undefined) continue
    const statements = same === undefined ? [] : yield* statementsOf(other, file, scenario, same.trace, trace)
    return { reason: `${reference.name} and ${other.name} differ`, details: [...difference.split("\n"), ...statements] }
  }
  return undefined
})

/** The statements around the first difference, on a store that has statements. */
const statementsOf = (
  { explain }: Configuration,
  file: string,
  scenario: Scenario,
  ...traces: readonly [one: string, other: string]
): Effect.Effect<ReadonlyArray<string>, Error> => {
  const line = lineOfDifference(...traces)
  return explain === undefined || line === undefined ? Effect.succeed([]) : explain(file, scenario, line)
}

const endOf = ({ observations }: SimulationResult): string => {
  const last = observations.at(-1)
  return last?.kind === "verdict"
    ? `${last.verdict} at step ${last.steps}: ${last.reason ?? ""}`
    : "the run has no verdict"
}
