/** A run that violates a property, with everything that its replay needs: it is minimized and saved. */
import { durationText } from "../../vocabulary/duration.ts"
import type { StepForm } from "../../scenario/format/scenario-form.ts"
import { labelOf } from "../../scenario/format/property-form.ts"
import type { WorldDefinition, Scenario, Search } from "../../scenario/format/scenario.ts"
import { stepsOf } from "../../scenario/format/build-steps.ts"
import { unrollSteps } from "../../scenario/format/unroll.ts"
import type { SearchRoot } from "../search-root.ts"
import { type Schedule, faultSteps } from "../schedule.ts"

export interface FailingRun {
  readonly opening: WorldDefinition
  /** The steps before the explore step. */
  readonly before: ReadonlyArray<StepForm>
  /** The steps after it, preceded by the steps that inject faults. */
  readonly rest: ReadonlyArray<StepForm>
  /** How far time may advance while a fiber is runnable, in milliseconds. */
  readonly slowness: number
  /** The option at each choice, by name; first come, first served after the last one. */
  readonly choices: ReadonlyArray<string>
}

/**
 * A finding as a script. It has no expectations, since the search judges none, and of the properties of the script only
 * the violated one: others can be violated by fewer steps.
 */
export const failingRunFrom = (
  { scenario, search, from, rest }: SearchRoot,
  schedule: Schedule,
  violated?: string
): FailingRun => {
  const forms = unrollSteps(scenario.steps)
  const begins = scenario.steps.findIndex(({ kind }) => kind === "explore")
  const receivers = from.context.world.network.receivers
  const visits = [...schedule.visits].map(([name, visits]): readonly [string, typeof visits] => {
    const left = receivers.get(name)?.scripts ?? []
    return [name, [...visits, ...left.slice(visits.length)]]
  })
  const calls = withLeftPlan(schedule.calls, from.context.world.payments?.provider.next ?? [])
  const wrong = faultSteps(
    { ...schedule, visits: new Map(visits), calls },
    (name) => receivers.get(name)?.otherwise ?? {},
    from.context.world.payments?.provider.condition
  )
  const failing: FailingRun = {
    opening: scenario,
    before: forms.slice(0, begins).map(withNeededExpectation),
    rest: [...wrong, ...forms.slice(begins + 1, begins + 1 + rest.length).map(withoutExpectation)],
    slowness: search.slowness,
    choices: schedule.choices
  }
  return withOnlyProperty(failing, violated)
}

/** A changed plan of calls keeps the rest of the plan that it replaces. */
const withLeftPlan = (calls: Schedule["calls"], planned: Schedule["calls"]): Schedule["calls"] =>
  calls.length === 0 ? [] : [...calls, ...planned.slice(calls.length)]

/** Without the other properties of the script. */
export const withOnlyProperty = (failing: FailingRun, violated: string | undefined): FailingRun => {
  const properties = failing.opening.properties.filter((property) => labelOf(property) === violated)
  return { ...failing, opening: { ...failing.opening, properties } }
}

/** The run of a script with an explore step; undefined without one. */
export const failingRunIn = (scenario: Scenario): FailingRun | undefined => {
  const begins = scenario.steps.findIndex(({ kind }) => kind === "explore")
  const point = scenario.steps[begins]
  if (point?.kind !== "explore") return undefined
  const forms = unrollSteps(scenario.steps)
  return {
    opening: scenario,
    before: forms.slice(0, begins),
    rest: forms.slice(begins + 1),
    slowness: point.search.slowness,
    choices: point.choose ?? []
  }
}

export const stepFormsOf = ({ before, rest, slowness, choices }: FailingRun): ReadonlyArray<StepForm> => [
  ...before,
  {
    explore: slowness === 0 ? {} : { slowness: durationText(slowness) },
    ...(choices.length === 0 ? {} : { choose: [...choices] })
  },
  ...rest
]

export const scenarioOf = (failing: FailingRun): Scenario => {
  const { title, say, seed, start, given, properties } = failing.opening
  const steps = stepsOf(
    stepFormsOf(failing),
    () => 1,
    () => undefined
  )
  return { title, say, seed, start, given, properties, steps }
}

/** The search options of a saved run: no faults besides those of its steps. */
export const replaySearch = ({ slowness }: FailingRun): Search => ({
  exhaustive: false,
  faults: [],
  receivers: {},
  payments: [],
  most: 1,
  slowness,
  reaches: []
})

/** A step that polls within a time keeps the expectation that it polls for. */
const withoutExpectation = (form: StepForm): StepForm => {
  const { expect, choose: _, together, meanwhile, ...others } = form
  return {
    ...others,
    ...(expect === undefined || form.within === undefined ? {} : { expect }),
    ...(together === undefined ? {} : { together: together.map(withoutExpectation) }),
    ...(meanwhile === undefined ? {} : { meanwhile: meanwhile.map(withoutExpectation) })
  }
}

/** Steps before the explore step must succeed or fail as before: an expected refusal stays, other expectations do not. */
const withNeededExpectation = (form: StepForm): StepForm => {
  const { expect, together, meanwhile, ...others } = form
  const { status, error } = expect ?? {}
  const refused = error !== undefined ? { error } : status !== undefined && status >= 300 ? { status } : undefined
  const needed = form.within === undefined ? refused : expect
  return {
    ...others,
    ...(needed === undefined ? {} : { expect: needed }),
    ...(together === undefined ? {} : { together: together.map(withNeededExpectation) }),
    ...(meanwhile === undefined ? {} : { meanwhile: meanwhile.map(withNeededExpectation) })
  }
}
