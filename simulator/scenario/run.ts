/** Runs the steps of a scenario in its world and observes the verdict. */
import { Effect, Option } from "effect"
import { exploreStep } from "./explore-step.ts"
import type { Verdict } from "../observation/observation.ts"
import { PropertyJudge } from "./properties/judge.ts"
import { labelOf } from "./format/property-form.ts"
import { allSteps, type Scenario } from "./format/scenario.ts"
import type { SimulationSetup } from "./simulation-setup.ts"
import { runStep } from "./step.ts"

/**
 * The run ends at the first step with an unexpected result or a property violation: later steps would run in another
 * state than the scenario describes.
 */
export const runScenario = Effect.fnUntraced(function* (
  scenario: Scenario,
  { open, recorder }: SimulationSetup,
  judge: PropertyJudge = new PropertyJudge({ ...scenario, properties: [] })
) {
  const conclude = (verdict: Verdict, steps: number, reason?: string): Verdict => {
    recorder.observe({ kind: "verdict", verdict, steps, reason })
    return verdict
  }
  const opened = yield* Effect.result(open)
  if (opened._tag === "Failure") return conclude("UNUSABLE", 0, opened.failure.reason)
  const concludeBy = (verdict: Verdict, property: string, words: string): Verdict => {
    recorder.observe({ kind: "property", property, words })
    return conclude(verdict, recorder.stepsBegun, `${property}: ${words}`)
  }
  judge.follow(opened.success.directory)
  for (const step of scenario.steps) {
    opened.success.world.nextProcess()
    const ended = yield* Effect.flip(runStep(step, opened.success)).pipe(Effect.option)
    if (Option.isSome(ended)) return conclude(ended.value.verdict, recorder.stepsBegun, ended.value.reason)
    if (judge.violation !== undefined) return concludeBy("FAILED", judge.violation.property, judge.violation.words)
  }
  const [untouched] = opened.success.world.faults.withoutOccurrence
  if (untouched !== undefined) {
    return conclude("UNUSABLE", recorder.stepsBegun, `the fault injected for ${untouched} did not occur`)
  }
  const { complaint } = opened.success.choices
  if (complaint !== undefined) return conclude("UNUSABLE", recorder.stepsBegun, complaint)
  judge.end()
  if (judge.violation !== undefined) return concludeBy("FAILED", judge.violation.property, judge.violation.words)
  // In a scenario with one schedule, a property that was never judged is vacuous; with several, the search decides.
  const unjudged = judge.unjudged.find(({ isSeenElsewhere }) => !isSeenElsewhere)
  if (unjudged !== undefined && exploreStep(scenario) === undefined) {
    return concludeBy("UNUSABLE", labelOf(unjudged.property), `never judged: ${unjudged.reason}`)
  }
  return conclude("PASSED", allSteps(scenario.steps).length)
})
