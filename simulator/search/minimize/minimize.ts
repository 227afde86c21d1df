/**
 * Minimizes a failing run: steps, faults, choices and spans of time are removed or reduced in turn while the same
 * property is violated. Every candidate is executed by the real program.
 */
import { labelOf } from "../../scenario/format/property-form.ts"
import type { FailingRun } from "./failing-run.ts"
import { deviationsIn, truncations, withoutDeviation, withoutPosition } from "./fewer-choices.ts"
import type { ReplaySchedule } from "./replay.ts"
import { type Reduction, countSteps, withoutInner, withoutSome } from "./fewer-steps.ts"
import { describeFaults, weakenFaults, totalSeverity, withoutFault } from "./weaken-faults.ts"
import { shorterTimes, totalTime } from "./shorter-times.ts"
import { type PropertySet, strictReplay, type ReproducedRun, Trials } from "./trials.ts"

export interface MinimizedRun {
  readonly reproduced: ReproducedRun
  readonly runs: number
  /** False if the limit of runs was reached before every candidate was tried. */
  readonly isMinimal: boolean
}

export interface MinimizeOptions {
  /** The limit of runs. */
  readonly runsMax?: number
  /** False to remove faults without weakening them; true if absent. */
  readonly weakensFaults?: boolean
}

/** Undefined if the run does not violate that property. */
export const minimize = (
  failing: FailingRun,
  property: string,
  checks: PropertySet,
  { runsMax = shrinkingRunsMax, weakensFaults = true }: MinimizeOptions = {}
): MinimizedRun | undefined => {
  const trials = new Trials(property, checks, runsMax)
  const first = trials.try(failing, strictReplay(failing))
  if (first === undefined) return undefined
  let smallest = first
  for (;;) {
    let next = smallest
    for (const pass of passesFor(failing, property, smallest === first, weakensFaults))
      next = exhaust(pass, next, trials)
    if (next === smallest || trials.isOver) return { reproduced: next, runs: trials.runs, isMinimal: !trials.isOver }
    smallest = next
  }
}

const shrinkingRunsMax = 600

/** The result of removalPasses one element. */
export interface Removal {
  readonly what: string
  /** True if the property is still violated: the element was not necessary. */
  readonly stillFails: boolean
}

/** Undefined if the unreduced run does not violate that property. */
export const checkRemovals = (
  failing: FailingRun,
  property: string,
  checks: PropertySet
): ReadonlyArray<Removal> | undefined => {
  const trials = new Trials(property, checks, Number.POSITIVE_INFINITY)
  const whole = trials.try(failing, strictReplay(failing))
  if (whole === undefined) return undefined
  const passes = needsItsSteps(failing, property)
    ? removalPasses.filter((pass) => ofSchedule.includes(pass))
    : removalPasses
  return passes.flatMap((pass) =>
    pass(whole).map(({ what, ...candidate }) => ({
      what,
      stillFails: smallerOf(candidate, whole, trials) !== undefined
    }))
  )
}

/** A candidate run with its schedules. */
interface Candidate {
  readonly what: string
  readonly failing: FailingRun
  readonly wanted: ReadonlyArray<ReplaySchedule>
}

type Pass = (tried: ReproducedRun) => ReadonlyArray<Candidate>

/** Applies a pass until no candidate is smaller; after a reduction it continues at the same index. */
const exhaust = (pass: Pass, tried: ReproducedRun, trials: Trials): ReproducedRun => {
  let smallest = tried
  let candidates = pass(smallest)
  for (let index = 0; index < candidates.length && !trials.isOver;) {
    const candidate = candidates[index]
    const smaller = candidate === undefined ? undefined : smallerOf(candidate, smallest, trials)
    if (smaller === undefined) {
      index += 1
    } else {
      smallest = smaller
      candidates = pass(smallest)
    }
  }
  return smallest
}

const smallerOf = (
  { failing, wanted }: Omit<Candidate, "what">,
  than: ReproducedRun,
  trials: Trials
): ReproducedRun | undefined => {
  for (const one of wanted) {
    const tried = trials.try(failing, one)
    if (tried !== undefined && isSmaller(measureOf(tried), measureOf(than))) return tried
  }
  return undefined
}

const similarSchedules = ({ failing, made }: ReproducedRun): ReadonlyArray<ReplaySchedule> => [
  { names: failing.choices, how: "BY_NAME" },
  ...truncations(made)
    .slice(0, 1)
    .map(({ left }) => left)
]

const ofRest =
  (less: (forms: FailingRun["rest"]) => ReadonlyArray<Reduction<FailingRun["rest"]>>): Pass =>
  (tried) =>
    less(tried.failing.rest).map(({ what, left }) => ({
      what,
      failing: { ...tried.failing, rest: left },
      wanted: similarSchedules(tried)
    }))

const ofBefore =
  (less: (forms: FailingRun["before"]) => ReadonlyArray<Reduction<FailingRun["before"]>>): Pass =>
  (tried) =>
    less(tried.failing.before).map(({ what, left }) => ({
      what,
      failing: { ...tried.failing, before: left },
      wanted: similarSchedules(tried).slice(0, 1)
    }))

const ofChoices =
  (less: (made: ReproducedRun["made"]) => ReadonlyArray<Reduction<ReplaySchedule>>): Pass =>
  ({ failing, made }) =>
    less(made).map(({ what, left }) => ({ what, failing, wanted: [left] }))

const shorten: Pass = (tried) =>
  shorterTimes(tried.failing).map(({ what, left }) => ({
    what,
    failing: left,
    wanted: similarSchedules(tried).slice(0, 1)
  }))

const withoutOneFault = ofRest(withoutFault)
const withoutOneDeviation = ofChoices(withoutDeviation)

/** The passes that remove no step. */
const ofSchedule: ReadonlyArray<Pass> = [withoutOneFault, withoutOneDeviation]

/** The passes that remove one element. */
const removalPasses: ReadonlyArray<Pass> = [
  ofRest((forms) => withoutSome(forms, 1)),
  ofRest(withoutInner),
  withoutOneFault,
  withoutOneDeviation,
  ofBefore((forms) => withoutSome(forms, 1)),
  ofBefore(withoutInner)
]

const ofRace: ReadonlyArray<Pass> = [
  ...removalPasses.slice(0, 3),
  ofChoices(truncations),
  ...removalPasses.slice(3, 4),
  ofChoices(withoutPosition)
]

const ofSetup = removalPasses.slice(4)

/** The steps before the explore step are removed in blocks once; afterwards few unnecessary ones remain. */
const inBlocks = [8, 4, 2].map((count) => ofBefore((forms) => withoutSome(forms, count)))

const passesFor = (
  failing: FailingRun,
  property: string,
  isFirst: boolean,
  isMildened: boolean
): ReadonlyArray<Pass> =>
  needsItsSteps(failing, property)
    ? [withoutOneFault, ofChoices(truncations), withoutOneDeviation, ofChoices(withoutPosition)]
    : allPasses(isFirst, isMildened)

/** True of `eventually`: without the steps that satisfy it, every schedule of a script violates it. */
const needsItsSteps = ({ opening }: FailingRun, property: string): boolean =>
  opening.properties.some((stated) => stated.kind === "eventually" && labelOf(stated) === property)

const allPasses = (isFirst: boolean, isMildened: boolean): ReadonlyArray<Pass> => [
  ...ofRace,
  ...(isMildened ? [ofRest(weakenFaults)] : []),
  ...(isFirst ? inBlocks : []),
  ...ofSetup,
  shorten
]

/** The size of a run, by importance. */
const measureOf = ({ failing, made }: ReproducedRun): ReadonlyArray<number> => [
  countSteps(failing.before) + countSteps(failing.rest),
  describeFaults([...failing.before, ...failing.rest]).length,
  totalSeverity([...failing.before, ...failing.rest]),
  deviationsIn(made),
  made.length,
  totalTime(failing)
]

const isSmaller = (one: ReadonlyArray<number>, other: ReadonlyArray<number>): boolean => {
  const firstDifference = one.findIndex((size, index) => size !== other[index])
  return firstDifference >= 0 && (one[firstDifference] ?? 0) < (other[firstDifference] ?? 0)
}
