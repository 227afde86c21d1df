/** Minimizes the run of a script with a fixed schedule, or checks that it is minimal. */
import { Result } from "effect"
import type { Scenario } from "../../scenario/format/scenario.ts"
import { type SearchRoot, Unsearchable } from "../search-root.ts"
import { type FailingRun, failingRunFrom, failingRunIn, withOnlyProperty } from "../minimize/failing-run.ts"
import { describeFaults } from "../minimize/weaken-faults.ts"
import { type Removal, checkRemovals, minimize, type MinimizedRun } from "../minimize/minimize.ts"
import { countSteps } from "../minimize/fewer-steps.ts"
import { type PropertySet, replayRun, strictReplay, withScriptProperties } from "../minimize/trials.ts"
import type { FindingReport } from "../report.ts"
import type { SearchFinding } from "../search.ts"
import { findingScenario } from "./finding-scenario.ts"
import { explainViolation } from "./explanation.ts"

/** A finding as it is reported and as it is saved. */
export interface MinimizedFinding extends Omit<FindingReport, "saved"> {
  readonly text: string
}

export interface MinimalityCheck {
  readonly property: string
  readonly removals: ReadonlyArray<Removal>
}

/** Minimizes the finding of a search; undefined if the script format cannot express it. */
export const minimizeFinding = (
  root: SearchRoot,
  { schedule, violation }: SearchFinding,
  checks: PropertySet
): MinimizedFinding | undefined => {
  const failing = failingRunFrom(root, schedule, violation.property)
  const all = withScriptProperties(failing, checks)
  const shrunk = minimize(failing, violation.property, all)
  return shrunk === undefined ? undefined : reportOf(shrunk, all)
}

/** Minimizes the run of a saved script. */
export const minimizeScript = (
  file: string,
  scenario: Scenario,
  checks: PropertySet,
  runsMax: number
): Result.Result<MinimizedFinding, string> =>
  Result.flatMap(reproduceViolation(file, scenario, checks), ({ failing, property }) => {
    const all = withScriptProperties(failing, checks)
    const shrunk = minimize(failing, property, all, { runsMax })
    return shrunk === undefined
      ? Result.fail(`${file}: the violation of ${property} is not reproducible`)
      : Result.succeed(reportOf(shrunk, all))
  })

export const checkMinimality = (
  file: string,
  scenario: Scenario,
  checks: PropertySet
): Result.Result<MinimalityCheck, string> =>
  Result.map(reproduceViolation(file, scenario, checks), ({ failing, property }) => ({
    property,
    removals: checkRemovals(failing, property, withScriptProperties(failing, checks)) ?? []
  }))

export interface ReproducedViolation {
  readonly failing: FailingRun
  readonly property: string
}

/** Replays a saved run, which has to violate a property. */
export const reproduceViolation = (
  file: string,
  scenario: Scenario,
  checks: PropertySet
): Result.Result<ReproducedViolation, string> =>
  Result.try({
    try: () => {
      const failing = failingRunIn(scenario)
      if (failing === undefined) throw new Unsearchable({ reason: "no step says explore" })
      const { violation, replay } = replayRun(failing, strictReplay(failing), withScriptProperties(failing, checks))
      if (violation !== undefined) {
        return { failing: withOnlyProperty(failing, violation.property), property: violation.property }
      }
      const { divergence } = replay
      const reason =
        divergence === undefined
          ? "its run violates no property"
          : `its run diverges at choice ${divergence.choice}; simulate replay shows how`
      throw new Unsearchable({ reason })
    },
    catch: (error) => {
      if (error instanceof Unsearchable) return `${file}: ${error.reason}`
      throw error
    }
  })

const reportOf = (
  { reproduced, runs, isMinimal }: MinimizedRun,
  { properties, probes }: PropertySet
): MinimizedFinding => {
  const { violation, failing, made, result } = reproduced
  const { property, words } = violation
  const says = [...properties, ...probes].find(({ name }) => name === property)?.says ?? defaultPromise
  const why = explainViolation(result.setup.recorder.observations, violation)
  return {
    property,
    says,
    words,
    why,
    made,
    faults: describeFaults(failing.rest),
    steps: countSteps(failing.before) + countSteps(failing.rest),
    runs,
    isMinimal,
    text: findingScenario(failing, { property, says, why })
  }
}

/** The implicit property of every run. */
const defaultPromise = "Nothing in the service breaks, and every step terminates."
