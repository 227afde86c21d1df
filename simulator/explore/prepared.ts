/**
 * A script brought to the point from which orders are searched. What comes before happens once; every run that is tried
 * goes on from there, in a world of its own.
 */
import { Cause, Data, Effect, Exit, Scope } from "effect"
import { guardLeaks } from "../leaks/guard.ts"
import type { Journey } from "../journey.ts"
import type { Scenario, Search, Step } from "../script/scenario.ts"
import { type Come, stageInMemory } from "../stage.ts"
import { leave, runStep } from "../step.ts"

export interface Prepared {
  readonly scenario: Scenario
  readonly search: Search
  readonly from: Come
  /** What is searched: the steps after that point. */
  readonly rest: ReadonlyArray<Step>
}

/** A script that cannot be searched, and why. */
export class Unsearchable extends Data.TaggedError("Unsearchable")<{ readonly reason: string }> {}

/** Throws `Unsearchable` where no step says from where on, or where what comes before does not go as expected. */
export const prepare = (scenario: Scenario): Prepared => {
  const begins = scenario.steps.findIndex(({ kind }) => kind === "explore")
  const point = scenario.steps[begins]
  if (point?.kind !== "explore") {
    throw new Unsearchable({ reason: "no step says explore: from where on are orders searched?" })
  }
  const stage = stageInMemory(scenario)
  const scope = Effect.runSync(Scope.make())
  const before = Effect.gen(function* () {
    const journey = yield* stage.open
    for (const step of scenario.steps.slice(0, begins)) {
      journey.world.nextProcess()
      yield* runStep(step, journey)
    }
    journey.world.nextProcess()
    stage.recorder.observe({
      kind: "step",
      step: point.number,
      actor: undefined,
      operation: point.kind,
      repeats: undefined
    })
    yield* leave(point, journey)
    return journey
  })
  const opened = stage.logged(Effect.provideService(before, Scope.Scope, scope))
  const { result } = guardLeaks(() => stage.kernel.run(opened))
  if (Exit.isFailure(result)) throw new Unsearchable({ reason: reasonOf(result.cause) })
  const journey: Journey = result.value
  return { scenario, search: point.search, from: { stage, journey }, rest: scenario.steps.slice(begins + 1) }
}

const reasonOf = (cause: Cause.Cause<unknown>): string => {
  const [first] = cause.reasons
  const failure = first?._tag === "Fail" ? first.error : undefined
  if (typeof failure === "object" && failure !== null && "reason" in failure) return String(failure.reason)
  return Cause.prettyErrors(cause)
    .map(({ message }) => message)
    .join("; ")
}
