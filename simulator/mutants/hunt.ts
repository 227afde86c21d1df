/** Searches scripts for a violation, those that a mutant names first, and shrinks what is found. */
import { Result } from "effect"
import { prepare, type Prepared, Unsearchable } from "../explore/prepared.ts"
import { probes } from "../explore/probes/every.ts"
import { sizeOf } from "../explore/schedule.ts"
import { type Found, search, type Searched } from "../explore/search.ts"
import { failingFrom } from "../explore/shrink/failing.ts"
import { mishapsIn } from "../explore/shrink/milder-faults.ts"
import { shrink } from "../explore/shrink/shrink.ts"
import { portfolio, strategyOf } from "../explore/strategies/portfolio.ts"
import { readScript } from "../files.ts"
import { invariants } from "../invariants/every.ts"
import { nameOfScript } from "./marked.ts"
import type { Mutant } from "./mutant.ts"

export type Hunted = Killed | Survived

export interface Killed {
  readonly ended: "KILLED"
  readonly by: string
  readonly words: string
  readonly strategy: string
  readonly scenario: string
  /** How many runs there were until then, in all scripts. */
  readonly schedules: number
  /** How many choices, faults and visits are left of the run that was found. */
  readonly choices: number
  /** For how long a processor worked at it. */
  readonly milliseconds: number
}

export interface Survived {
  readonly ended: "SURVIVED"
  /** What was searched, and how far. */
  readonly tried: ReadonlyArray<string>
  readonly schedules: number
  readonly milliseconds: number
}

/** Of the processor, since this process began. */
const milliseconds = (): number => Math.round(process.cpuUsage().user / 1000)

/** How many runs a script gets: a few each, and many where the bug is expected. */
export interface Effort {
  readonly few: number
  readonly many: number
}

export const hunt = (mutant: Mutant | undefined, files: ReadonlyArray<string>, effort: Effort): Hunted => {
  const tried = new Map<string, string>()
  let schedules = 0
  for (const { file, runsMax, isProbed } of triesOf(mutant, files, effort)) {
    const scenario = nameOfScript(file)
    const prepared = preparedFrom(file)
    if (Result.isFailure(prepared)) {
      tried.set(scenario, `cannot be searched: ${prepared.failure}`)
      continue
    }
    const searched = search(prepared.success, {
      invariants: inOrderOfNames(mutant, invariants),
      probes: isProbed ? inOrderOfNames(mutant, probes) : [],
      strategies: [[strategyOf("delays", seed), Math.ceil(runsMax / 3)], ...portfolio(seed, runsMax)]
    })
    schedules += searched.schedules
    const came = cameOf(prepared.success, searched)
    if (came !== undefined) {
      return { ended: "KILLED", ...came, scenario, schedules, milliseconds: milliseconds() }
    }
    tried.set(scenario, howFar(searched))
  }
  return {
    ended: "SURVIVED",
    tried: [...tried].map(([scenario, far]) => `${scenario}: ${far}`),
    schedules,
    milliseconds: milliseconds()
  }
}

interface Try {
  readonly file: string
  readonly runsMax: number
  readonly isProbed: boolean
}

/**
 * Where the bug is expected a little and then long; everywhere else a little. A probe costs more than ten runs, so that
 * they come last where none is expected to notice.
 */
const triesOf = (
  mutant: Mutant | undefined,
  files: ReadonlyArray<string>,
  { few, many }: Effort
): ReadonlyArray<Try> => {
  const expected = (mutant?.scenarios ?? []).flatMap((name) => files.find((file) => nameOfScript(file) === name) ?? [])
  const others = files.filter((file) => !expected.includes(file))
  const isForProbes = mutant === undefined || probes.some(({ name }) => mutant.noticedBy.includes(name))
  const tries = [
    ...expected.map((file) => ({ file, runsMax: few })),
    ...expected.map((file) => ({ file, runsMax: many })),
    ...others.map((file) => ({ file, runsMax: few }))
  ].map((one) => ({ ...one, isProbed: isForProbes }))
  return isForProbes
    ? tries
    : [...tries, ...[...expected, ...others].map((file) => ({ file, runsMax: few, isProbed: true }))]
}

/** One for all, so that the same bug is found the same way. */
const seed = 1

/** Of several that are broken at once, the first is told. */
const inOrderOfNames = <A extends { readonly name: string }>(
  mutant: Mutant | undefined,
  all: ReadonlyArray<A>
): ReadonlyArray<A> => {
  const isMeant = ({ name }: A) => mutant?.noticedBy.includes(name) === true
  return [...all.filter(isMeant), ...all.filter((one) => !isMeant(one))]
}

const preparedFrom = (file: string): Result.Result<Prepared, string> =>
  Result.flatMap(readScript(file), (scenario) =>
    Result.try({
      try: () => prepare(scenario),
      catch: (error) => {
        if (error instanceof Unsearchable) return error.reason
        throw error
      }
    })
  )

interface Came {
  readonly by: string
  readonly words: string
  readonly strategy: string
  readonly choices: number
}

/** A violation, or the proof that something never comes about that has to come about sometimes. */
const cameOf = (prepared: Prepared, { found, isComplete, reached }: Searched): Came | undefined => {
  if (found !== undefined) {
    const { violation, by } = found
    return {
      by: violation.invariant,
      words: violation.words,
      strategy: by,
      choices: sizeLeft(prepared, found)
    }
  }
  const never = isComplete ? prepared.search.reaches.find((name) => !reached.has(name)) : undefined
  return never === undefined
    ? undefined
    : { by: never, words: "It never comes about, whatever the order.", strategy: "exhaustive", choices: 0 }
}

/** How many choices and mishaps are left of what was found once it was made smaller. */
const sizeLeft = (prepared: Prepared, { schedule, violation }: Found): number => {
  // The run in which nothing was chosen and nothing went wrong was the first, so that one thing alone is needed.
  if (sizeOf(schedule) <= 1) return sizeOf(schedule)
  const shrunk = shrink(failingFrom(prepared, schedule), violation.invariant, { invariants, probes }, shrinkingRunsMax)
  if (shrunk === undefined) return sizeOf(schedule)
  const { before, rest, choices } = shrunk.tried.failing
  return choices.length + mishapsIn([...before, ...rest]).length
}

/** Enough for the choices; that no step is needless is for whoever keeps a run. */
const shrinkingRunsMax = 80

const howFar = ({ isComplete, schedules, leftOut }: Searched): string =>
  isComplete
    ? `complete after ${schedules} schedules`
    : [`${schedules} schedules, without`, leftOut.map(([, left]) => left).join("; ")].join(" ")
