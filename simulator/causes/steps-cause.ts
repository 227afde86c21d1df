/** The cause of a failing run whose moments are steps: its continuations leave later steps out. */
import { SeededRandom } from "../kernel/seeded-random.ts"
import type { StepForm } from "../scenario/format/scenario-form.ts"
import { writeStep } from "../scenario/format/write.ts"
import { causeOf, type Cause, type Continuations } from "./cause.ts"

/** A failing run as a sequence of steps that could have been left out. */
export interface RunOfSteps extends Pick<Cause, "property" | "words"> {
  /** In words, in order. */
  readonly steps: ReadonlyArray<string>
  /** True if the run still fails in the same way without the steps with these indices. */
  readonly failsWithout: (leftOut: ReadonlySet<number>) => boolean
  /** What happened from this step to the violation. */
  readonly eventsFrom: (step: number) => ReadonlyArray<string>
}

export const causeOfSteps = (run: RunOfSteps, runsMax: number): Cause =>
  causeOf({
    ...run,
    moments: run.steps,
    continuationsAfter: (count) => continuationsOf(run, count, runsMax),
    changesUntil: (count) =>
      run.steps
        .slice(0, count)
        .map((what, index) => ({ what: `without ${what}`, stillFails: run.failsWithout(new Set([index])) }))
  })

/** Every subset of the steps after the first ones left out; or none, all, and a sample of the others. */
const continuationsOf = ({ steps, failsWithout }: RunOfSteps, count: number, runsMax: number): Continuations => {
  const later = steps.flatMap((_, index) => (index < count ? [] : [index]))
  const areAll = 2 ** later.length <= runsMax
  const subsets = areAll ? subsetsOf(later) : [[], later, ...sampledSubsets(later, runsMax - 2)]
  const failed = subsets.filter((subset) => failsWithout(new Set(subset))).length
  return { runs: subsets.length, failed, areAll }
}

const subsetsOf = (steps: ReadonlyArray<number>): ReadonlyArray<ReadonlyArray<number>> =>
  steps.reduce<ReadonlyArray<ReadonlyArray<number>>>(
    (subsets, step) => [...subsets, ...subsets.map((subset) => [...subset, step])],
    [[]]
  )

const sampledSubsets = (steps: ReadonlyArray<number>, count: number): ReadonlyArray<ReadonlyArray<number>> => {
  const random = new SeededRandom(1)
  return Array.from({ length: count }, () => random.some(steps, 1 / 2))
}

/** Such as `step 7: courier submit`. */
export const stepText = (form: StepForm, number: number): string =>
  form.as === undefined || form.do === undefined
    ? `step ${number}: ${writeStep(form)}`
    : `step ${number}: ${form.as} ${form.do}`
