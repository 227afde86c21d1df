/** Minimizes the run of a script with a fixed schedule, or checks that it is minimal. */
import { Result } from "effect"
import type { Scenario } from "../../script/scenario.ts"
import { Unsearchable } from "../prepared.ts"
import { type Failing, failingFrom, failingIn, statingOnly } from "../shrink/failing.ts"
import { mishapsIn } from "../shrink/milder-faults.ts"
import { type Removal, removals, shrink, type Shrunk } from "../shrink/shrink.ts"
import { stepsIn } from "../shrink/less-steps.ts"
import { type Judged, rerun, toTheLetter, withProperties } from "../shrink/trials.ts"
import type { Shown } from "../report.ts"
import type { Prepared } from "../prepared.ts"
import type { Found } from "../search.ts"
import { foundScenario } from "./scenario.ts"
import { whyOf } from "./why.ts"

/** A finding as it is reported and as it is saved. */
export interface ShownAndText extends Omit<Shown, "saved"> {
  readonly text: string
}

export interface Checked {
  readonly invariant: string
  readonly removals: ReadonlyArray<Removal>
}

/** Minimizes the finding of a search; undefined if the script format cannot express it. */
export const shrinkFinding = (
  prepared: Prepared,
  { schedule, violation }: Found,
  judged: Judged
): ShownAndText | undefined => {
  const failing = failingFrom(prepared, schedule, violation.invariant)
  const all = withProperties(failing, judged)
  const shrunk = shrink(failing, violation.invariant, all)
  return shrunk === undefined ? undefined : reportOf(shrunk, all)
}

/** Minimizes the run of a saved script. */
export const shrinkFound = (
  file: string,
  scenario: Scenario,
  judged: Judged,
  runsMax: number
): Result.Result<ShownAndText, string> =>
  Result.flatMap(reproduceViolation(file, scenario, judged), ({ failing, invariant }) => {
    const all = withProperties(failing, judged)
    const shrunk = shrink(failing, invariant, all, { runsMax })
    return shrunk === undefined
      ? Result.fail(`${file}: the violation of ${invariant} is not reproducible`)
      : Result.succeed(reportOf(shrunk, all))
  })

export const checkFound = (file: string, scenario: Scenario, judged: Judged): Result.Result<Checked, string> =>
  Result.map(reproduceViolation(file, scenario, judged), ({ failing, invariant }) => ({
    invariant,
    removals: removals(failing, invariant, withProperties(failing, judged)) ?? []
  }))

interface ReproducedViolation {
  readonly failing: Failing
  readonly invariant: string
}

const reproduceViolation = (
  file: string,
  scenario: Scenario,
  judged: Judged
): Result.Result<ReproducedViolation, string> =>
  Result.try({
    try: () => {
      const failing = failingIn(scenario)
      if (failing === undefined) throw new Unsearchable({ reason: "no step says explore" })
      const { violation, following } = rerun(failing, toTheLetter(failing), withProperties(failing, judged))
      if (violation !== undefined) {
        return { failing: statingOnly(failing, violation.invariant), invariant: violation.invariant }
      }
      const { divergence } = following
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

const reportOf = ({ tried, runs, isMinimal }: Shrunk, { invariants, probes }: Judged): ShownAndText => {
  const { violation, failing, made, attempted } = tried
  const { invariant, words } = violation
  const says = [...invariants, ...probes].find(({ name }) => name === invariant)?.says ?? defaultPromise
  const why = whyOf(attempted.stage.recorder.observations, violation)
  return {
    invariant,
    says,
    words,
    why,
    made,
    faults: mishapsIn(failing.rest),
    steps: stepsIn(failing.before) + stepsIn(failing.rest),
    runs,
    isMinimal,
    text: foundScenario(failing, { invariant, says, why })
  }
}

/** The implicit property of every run. */
const defaultPromise = "Nothing in the service breaks, and every step ends."
