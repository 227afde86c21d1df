/**
 * The search root: the state of a script at its explore step. The steps before it run once, and every run of the search
 * continues from the root in its own world.
 */
import { Cause, Data, Effect, Exit, Scope } from "effect"
import { guardLeaks } from "../kernel/leaks/leak-guard.ts"
import type { ScenarioContext } from "../scenario/scenario-context.ts"
import type { Scenario, Search, Step } from "../scenario/format/scenario.ts"
import { type SearchOrigin, setupInMemory } from "../scenario/simulation-setup.ts"
import { stopProcessesBeforeSearch, runStep } from "../scenario/step.ts"
import { currentSearch } from "../scenario/explore-step.ts"

export interface SearchRoot {
  readonly scenario: Scenario
  readonly search: Search
  readonly from: SearchOrigin
  /** The steps after the explore step, whose schedules are searched. */
  readonly rest: ReadonlyArray<Step>
}

/** A script cannot be searched, with the reason. */
export class Unsearchable extends Data.TaggedError("Unsearchable")<{ readonly reason: string }> {}

/** Throws `Unsearchable` if there is no explore step, or a step before it fails. */
export const prepareSearchRoot = (scenario: Scenario): SearchRoot => {
  const begins = scenario.steps.findIndex(({ kind }) => kind === "explore")
  const point = scenario.steps[begins]
  if (point?.kind !== "explore") {
    throw new Unsearchable({ reason: "no step says explore: add one where the search is to begin" })
  }
  const setup = setupInMemory(scenario)
  const scope = Effect.runSync(Scope.make())
  const before = Effect.gen(function* () {
    const context = yield* setup.open
    for (const step of scenario.steps.slice(0, begins)) {
      context.world.nextProcess()
      yield* runStep(step, context)
    }
    context.world.nextProcess()
    setup.recorder.observe({
      kind: "step",
      step: point.number,
      actor: undefined,
      operation: point.kind,
      repeats: undefined
    })
    yield* stopProcessesBeforeSearch(point, context)
    return context
  })
  const opened = setup.logged(Effect.provideService(before, Scope.Scope, scope))
  const { result } = guardLeaks(() => setup.scheduler.run(opened))
  if (Exit.isFailure(result)) throw new Unsearchable({ reason: reasonOf(result.cause) })
  const context: ScenarioContext = result.value
  return {
    scenario,
    search: currentSearch(point),
    from: { setup, context },
    rest: scenario.steps.slice(begins + 1)
  }
}

const reasonOf = (cause: Cause.Cause<unknown>): string => {
  const [first] = cause.reasons
  const failure = first?._tag === "Fail" ? first.error : undefined
  if (typeof failure === "object" && failure !== null && "reason" in failure) return String(failure.reason)
  return Cause.prettyErrors(cause)
    .map(({ message }) => message)
    .join("; ")
}
