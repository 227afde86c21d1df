/** Runs the steps of a scenario in its world, one after the other, and observes how it ends. */
import { Effect, Option } from "effect"
import type { Verdict } from "./observation.ts"
import { everyStep, type Scenario } from "./script/scenario.ts"
import type { Stage } from "./stage.ts"
import { runStep } from "./step.ts"

/** The first step that does not go as expected ends the run: what follows would be told about another world. */
export const runScenario = Effect.fnUntraced(function* (scenario: Scenario, { open, recorder }: Stage) {
  const conclude = (verdict: Verdict, steps: number, reason?: string): Verdict => {
    recorder.observe({ kind: "verdict", verdict, steps, reason })
    return verdict
  }
  const opened = yield* Effect.result(open)
  if (opened._tag === "Failure") return conclude("UNUSABLE", 0, opened.failure.reason)
  for (const step of scenario.steps) {
    opened.success.world.nextProcess()
    const ended = yield* Effect.flip(runStep(step, opened.success)).pipe(Effect.option)
    if (Option.isSome(ended)) return conclude(ended.value.verdict, recorder.stepsBegun, ended.value.reason)
  }
  const [untouched] = opened.success.world.faults.untouched
  if (untouched !== undefined) {
    return conclude("UNUSABLE", recorder.stepsBegun, `what was injected for ${untouched} never happened`)
  }
  const { complaint } = opened.success.choices
  if (complaint !== undefined) return conclude("UNUSABLE", recorder.stepsBegun, complaint)
  return conclude("PASSED", everyStep(scenario.steps).length)
})
