/** A run that goes wrong, as all that it takes to have it again: what shrinking makes less of, and what is saved. */
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
  /** What happens before the point from which orders matter. */
  readonly before: ReadonlyArray<StepForm>
  /** What happens from there on, with what goes wrong in front. */
  readonly rest: ReadonlyArray<StepForm>
  /** In milliseconds. */
  readonly slowness: number
  /** Who goes first at each choice, by name; whoever asked first after the last of them. */
  readonly choices: ReadonlyArray<string>
}

/**
 * A finding as a script. It has no expectations, since the search judged none, and of the script's properties only the
 * violated one: others can be violated by fewer steps.
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

/** Without the other properties that the script states. */
export const statingOnly = (failing: Failing, violated: string | undefined): Failing => {
  const properties = failing.opening.properties.filter((property) => labelOf(property) === violated)
  return { ...failing, opening: { ...failing.opening, properties } }
}

/** A script that says who goes first from a point on; undefined where none does. */
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

/** The search that a saved run stands for: nothing is left open in it but what its steps say. */
export const searchOf = ({ slowness }: Failing): Search => ({
  exhaustive: false,
  faults: [],
  receivers: {},
  most: 1,
  slowness,
  reaches: []
})

/** Whoever waits for an answer has to know which. */
const withoutExpectation = (form: StepForm): StepForm => {
  const { expect, choose: _, together, meanwhile, ...others } = form
  return {
    ...others,
    ...(expect === undefined || form.within === undefined ? {} : { expect }),
    ...(together === undefined ? {} : { together: together.map(withoutExpectation) }),
    ...(meanwhile === undefined ? {} : { meanwhile: meanwhile.map(withoutExpectation) })
  }
}

/** What leads to the point has to go as it went: that a refusal is expected stays said, and what else is in it does not. */
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
