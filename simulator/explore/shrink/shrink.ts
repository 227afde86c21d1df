/**
 * Makes a run that goes wrong as small as it gets: steps, what goes wrong, choices and spans of time are taken away or
 * made less, in turn, as long as the same invariant is broken. What is left, and every run in between, is had by the
 * real program, so that nothing in it is a guess.
 */
import { labelOf } from "../../script/property-form.ts"
import type { Failing } from "./failing.ts"
import { deviationsIn, truncations, withoutDeviation, withoutPosition } from "./fewer-choices.ts"
import type { Wanted } from "./following.ts"
import { type Less, stepsIn, withoutInner, withoutSome } from "./less-steps.ts"
import { mishapsIn, milder, severityIn, withoutMishap } from "./milder-faults.ts"
import { shorterTimes, timeIn } from "./shorter-time.ts"
import { type Judged, toTheLetter, type Tried, Trials } from "./trials.ts"

export interface Shrunk {
  readonly tried: Tried
  readonly runs: number
  /** False where there were not runs enough to try everything. */
  readonly isMinimal: boolean
}

export interface ShrinkOptions {
  /** How many runs there are to be at most. */
  readonly runsMax?: number
  /** False where what goes wrong is taken away, and never something milder put in its place; true where absent. */
  readonly isMildened?: boolean
}

/** Undefined where it does not break that invariant in the first place. */
export const shrink = (
  failing: Failing,
  invariant: string,
  judged: Judged,
  { runsMax = shrinkingRunsMax, isMildened = true }: ShrinkOptions = {}
): Shrunk | undefined => {
  const trials = new Trials(invariant, judged, runsMax)
  const first = trials.try(failing, toTheLetter(failing))
  if (first === undefined) return undefined
  let smallest = first
  for (;;) {
    let next = smallest
    for (const pass of cycleFor(failing, invariant, smallest === first, isMildened)) next = exhaust(pass, next, trials)
    if (next === smallest || trials.isOver) return { tried: next, runs: trials.runs, isMinimal: !trials.isOver }
    smallest = next
  }
}

const shrinkingRunsMax = 600

/** What is left where each single thing is taken away that could be. */
export interface Removal {
  readonly what: string
  /** True where the same invariant is still broken: it was not needed. */
  readonly stillFails: boolean
}

/** Undefined where the run does not break that invariant as it stands. */
export const removals = (failing: Failing, invariant: string, judged: Judged): ReadonlyArray<Removal> | undefined => {
  const trials = new Trials(invariant, judged, Number.POSITIVE_INFINITY)
  const whole = trials.try(failing, toTheLetter(failing))
  if (whole === undefined) return undefined
  const passes = needsItsSteps(failing, invariant) ? removing.filter((pass) => ofTheSchedule.includes(pass)) : removing
  return passes.flatMap((pass) =>
    pass(whole).map(({ what, ...candidate }) => ({
      what,
      stillFails: smallerOf(candidate, whole, trials) !== undefined
    }))
  )
}

/** A run to try, and as what it is tried. */
interface Candidate {
  readonly what: string
  readonly failing: Failing
  readonly wanted: ReadonlyArray<Wanted>
}

type Pass = (tried: Tried) => ReadonlyArray<Candidate>

/** Takes what it can; where something was taken, what stands in the same place is next. */
const exhaust = (pass: Pass, tried: Tried, trials: Trials): Tried => {
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

const smallerOf = ({ failing, wanted }: Omit<Candidate, "what">, than: Tried, trials: Trials): Tried | undefined => {
  for (const one of wanted) {
    const tried = trials.try(failing, one)
    if (tried !== undefined && isSmaller(measureOf(tried), measureOf(than))) return tried
  }
  return undefined
}

const asBefore = ({ failing, made }: Tried): ReadonlyArray<Wanted> => [
  { names: failing.choices, how: "BY_NAME" },
  ...truncations(made)
    .slice(0, 1)
    .map(({ left }) => left)
]

const ofRest =
  (less: (forms: Failing["rest"]) => ReadonlyArray<Less<Failing["rest"]>>): Pass =>
  (tried) =>
    less(tried.failing.rest).map(({ what, left }) => ({
      what,
      failing: { ...tried.failing, rest: left },
      wanted: asBefore(tried)
    }))

const ofBefore =
  (less: (forms: Failing["before"]) => ReadonlyArray<Less<Failing["before"]>>): Pass =>
  (tried) =>
    less(tried.failing.before).map(({ what, left }) => ({
      what,
      failing: { ...tried.failing, before: left },
      wanted: asBefore(tried).slice(0, 1)
    }))

const ofChoices =
  (less: (made: Tried["made"]) => ReadonlyArray<Less<Wanted>>): Pass =>
  ({ failing, made }) =>
    less(made).map(({ what, left }) => ({ what, failing, wanted: [left] }))

const shorten: Pass = (tried) =>
  shorterTimes(tried.failing).map(({ what, left }) => ({ what, failing: left, wanted: asBefore(tried).slice(0, 1) }))

const withoutOneMishap = ofRest(withoutMishap)
const withoutOneDeviation = ofChoices(withoutDeviation)

/** The passes that remove no step. */
const ofTheSchedule: ReadonlyArray<Pass> = [withoutOneMishap, withoutOneDeviation]

/** Everything that is one thing, and can be away. */
const removing: ReadonlyArray<Pass> = [
  ofRest((forms) => withoutSome(forms, 1)),
  ofRest(withoutInner),
  withoutOneMishap,
  withoutOneDeviation,
  ofBefore((forms) => withoutSome(forms, 1)),
  ofBefore(withoutInner)
]

const ofTheRace: ReadonlyArray<Pass> = [
  ...removing.slice(0, 3),
  ofChoices(truncations),
  ...removing.slice(3, 4),
  ofChoices(withoutPosition)
]

const ofWhatLeadsThere = removing.slice(4)

/** What leads there is tried in large pieces once: afterwards it is hardly longer than it has to be. */
const inLargePieces = [8, 4, 2].map((count) => ofBefore((forms) => withoutSome(forms, count)))

const cycleFor = (failing: Failing, invariant: string, isFirst: boolean, isMildened: boolean): ReadonlyArray<Pass> =>
  needsItsSteps(failing, invariant)
    ? [withoutOneMishap, ofChoices(truncations), withoutOneDeviation, ofChoices(withoutPosition)]
    : cycle(isFirst, isMildened)

/** True of `eventually`: without the steps that make it true, a script violates it in every order. */
const needsItsSteps = ({ opening }: Failing, invariant: string): boolean =>
  opening.properties.some((property) => property.kind === "eventually" && labelOf(property) === invariant)

const cycle = (isFirst: boolean, isMildened: boolean): ReadonlyArray<Pass> => [
  ...ofTheRace,
  ...(isMildened ? [ofRest(milder)] : []),
  ...(isFirst ? inLargePieces : []),
  ...ofWhatLeadsThere,
  shorten
]

/** What counts most first. */
const measureOf = ({ failing, made }: Tried): ReadonlyArray<number> => [
  stepsIn(failing.before) + stepsIn(failing.rest),
  mishapsIn([...failing.before, ...failing.rest]).length,
  severityIn([...failing.before, ...failing.rest]),
  deviationsIn(made),
  made.length,
  timeIn(failing)
]

const isSmaller = (one: ReadonlyArray<number>, other: ReadonlyArray<number>): boolean => {
  const apart = one.findIndex((size, index) => size !== other[index])
  return apart >= 0 && (one[apart] ?? 0) < (other[apart] ?? 0)
}
