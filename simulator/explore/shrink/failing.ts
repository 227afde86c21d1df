/** A run that violates a property, with everything that its replay needs: it is minimized and saved. */
import { durationText } from "../../script/duration.ts"
import type { StepForm } from "../../script/format.ts"
import { labelOf } from "../../script/property-form.ts"
import type { Opening, Scenario, Search } from "../../script/scenario.ts"
import { stepsOf } from "../../script/steps.ts"
import { unrolled } from "../../script/unrolled.ts"
import type { Prepared } from "../prepared.ts"
import { type Schedule, stepsFor } from "../schedule.ts"

export interface Failing {
  readonly opening: Opening
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
export const failingFrom = (
  { scenario, search, from, rest }: Prepared,
  schedule: Schedule,
  violated?: string
): Failing => {
  const forms = unrolled(scenario.steps)
  const begins = scenario.steps.findIndex(({ kind }) => kind === "explore")
  const receivers = from.journey.world.network.receivers
  const visits = [...schedule.visits].map(([name, visits]): readonly [string, typeof visits] => {
    const left = receivers.get(name)?.visits ?? []
    return [name, [...visits, ...left.slice(visits.length)]]
  })
  const wrong = stepsFor({ ...schedule, visits: new Map(visits) }, (name) => receivers.get(name)?.otherwise ?? {})
  const failing: Failing = {
    opening: scenario,
    before: forms.slice(0, begins).map(withNeededExpectation),
    rest: [...wrong, ...forms.slice(begins + 1, begins + 1 + rest.length).map(withoutExpectation)],
    slowness: search.slowness,
    choices: schedule.choices
  }
  return statingOnly(failing, violated)
}

/** Without the other properties of the script. */
export const statingOnly = (failing: Failing, violated: string | undefined): Failing => {
  const properties = failing.opening.properties.filter((property) => labelOf(property) === violated)
  return { ...failing, opening: { ...failing.opening, properties } }
}

/** The run of a script with an explore step; undefined without one. */
export const failingIn = (scenario: Scenario): Failing | undefined => {
  const begins = scenario.steps.findIndex(({ kind }) => kind === "explore")
  const point = scenario.steps[begins]
  if (point?.kind !== "explore") return undefined
  const forms = unrolled(scenario.steps)
  return {
    opening: scenario,
    before: forms.slice(0, begins),
    rest: forms.slice(begins + 1),
    slowness: point.search.slowness,
    choices: point.choose ?? []
  }
}

export const formsOf = ({ before, rest, slowness, choices }: Failing): ReadonlyArray<StepForm> => [
  ...before,
  {
    explore: slowness === 0 ? {} : { slowness: durationText(slowness) },
    ...(choices.length === 0 ? {} : { choose: [...choices] })
  },
  ...rest
]

export const scenarioOf = (failing: Failing): Scenario => {
  const { title, say, seed, start, given, properties } = failing.opening
  const steps = stepsOf(
    formsOf(failing),
    () => 1,
    () => undefined
  )
  return { title, say, seed, start, given, properties, steps }
}

/** The search options of a saved run: no faults besides those of its steps. */
export const searchOf = ({ slowness }: Failing): Search => ({
  exhaustive: false,
  faults: [],
  receivers: {},
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
