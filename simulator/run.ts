/** Runs a scenario in a world, step by step, and observes what happens. */
import { Effect, Option } from "effect"
import { Directory } from "./directory.ts"
import type { Journey } from "./journey.ts"
import type { Kernel } from "./kernel/kernel.ts"
import type { Verdict } from "./observation.ts"
import { arrange } from "./people.ts"
import type { Recorder } from "./recorder.ts"
import { everyStep, type Scenario } from "./script/scenario.ts"
import { runStep } from "./step.ts"
import type { World } from "./world.ts"

/** The first step that does not go as expected ends the run: what follows would be told about another world. */
export const runScenario = Effect.fnUntraced(function* (
  scenario: Scenario,
  kernel: Kernel,
  world: World,
  recorder: Recorder
) {
  const conclude = (verdict: Verdict, steps: number, reason?: string): Verdict => {
    recorder.observe({ kind: "verdict", verdict, steps, reason })
    return verdict
  }
  recorder.observe({ kind: "scenario", title: scenario.title, seed: scenario.seed })
  const directory = new Directory(kernel)
  const arranged = yield* Effect.flip(world.act("operator", arrange(scenario, directory, recorder))).pipe(Effect.option)
  if (Option.isSome(arranged)) return conclude("UNUSABLE", 0, `the world cannot be made: ${arranged.value.code}`)

  if (world.network.receivers.size > 0) yield* world.startWorker
  yield* world.settled

  const journey: Journey = { world, recorder, directory, sent: new Map() }
  for (const step of scenario.steps) {
    const reason = yield* Effect.flip(runStep(step, journey)).pipe(Effect.option)
    if (Option.isSome(reason)) return conclude(reason.value.verdict, recorder.stepsBegun, reason.value.reason)
  }
  return conclude("PASSED", everyStep(scenario.steps).length)
})
