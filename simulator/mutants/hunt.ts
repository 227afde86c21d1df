/** Searches scripts for a violation, those that a mutant names first, and shrinks what is found. */
import { Result } from "effect"
import { prepare, type Prepared, Unsearchable } from "../explore/prepared.ts"
import { probes } from "../explore/probes/every.ts"
import { sizeOf } from "../explore/schedule.ts"
import { type Found, search, type Searched } from "../explore/search.ts"
import { failingFrom } from "../explore/shrink/failing.ts"
import { mishapsIn } from "../explore/shrink/milder-faults.ts"
import { shrink } from "../explore/shrink/shrink.ts"
import type { Judged } from "../explore/shrink/trials.ts"
import { portfolio, strategyOf } from "../explore/strategies/portfolio.ts"
import { faultsSeenIn } from "../faults/catalogue.ts"
import { readScript } from "../files.ts"
import { invariants } from "../invariants/every.ts"
import type { Stage } from "../stage.ts"
import { readTrace, renderTrace } from "../trace.ts"
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
  /** False where it has to go wrong in one way for anybody to notice, and what is left goes without. */
  readonly isAsNeeded: boolean
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
  for (const { file, runsMax, judged } of triesOf(mutant, files, effort)) {
    const scenario = nameOfScript(file)
    const prepared = preparedFrom(file)
    if (Result.isFailure(prepared)) {
      tried.set(scenario, `cannot be searched: ${prepared.failure}`)
      continue
    }
    const searched = search(prepared.success, {
      ...judged,
      strategies: [[strategyOf("delays", seed), Math.ceil(runsMax / 3)], ...portfolio(seed, runsMax)]
    })
    schedules += searched.schedules
    const came = cameOf(prepared.success, searched, judged, mutant?.needs)
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
  readonly judged: Judged
}

/**
 * Where the bug is expected a little and then long, and whoever is to notice it judges alone; everywhere else a little,
 * and everybody judges. A probe costs more than ten runs, so that they come last where none is expected to notice.
 */
const triesOf = (
  mutant: Mutant | undefined,
  files: ReadonlyArray<string>,
  { few, many }: Effort
): ReadonlyArray<Try> => {
  const expected = (mutant?.scenarios ?? []).flatMap((name) => files.find((file) => nameOfScript(file) === name) ?? [])
  const others = files.filter((file) => !expected.includes(file))
  const everybody = { invariants, probes }
  if (mutant === undefined) return others.map((file) => ({ file, runsMax: few, judged: everybody }))
  const isMeant = ({ name }: { readonly name: string }) => mutant.noticedBy.includes(name)
  const meant = { invariants: invariants.filter(isMeant), probes: probes.filter(isMeant) }
  return [
    ...expected.map((file) => ({ file, runsMax: few, judged: meant })),
    ...expected.map((file) => ({ file, runsMax: many, judged: meant })),
    ...[...expected, ...others].map((file) => ({ file, runsMax: few, judged: { invariants, probes: [] } })),
    ...[...expected, ...others].map((file) => ({ file, runsMax: few, judged: everybody }))
  ]
}

/** One for all, so that the same bug is found the same way. */
const seed = 1

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
  readonly isAsNeeded: boolean
}

/** A violation, or the proof that something never comes about that has to come about sometimes. */
const cameOf = (
  prepared: Prepared,
  { found, isComplete, reached }: Searched,
  judged: Judged,
  needs: string | undefined
): Came | undefined => {
  if (found !== undefined) {
    const { violation, by } = found
    return { by: violation.invariant, words: violation.words, strategy: by, ...leftOf(prepared, found, judged, needs) }
  }
  const awaited = prepared.search.reaches.filter((one) => judged.invariants.some(({ name }) => name === one))
  const never = isComplete ? awaited.find((name) => !reached.has(name)) : undefined
  return never === undefined
    ? undefined
    : {
        by: never,
        words: "It never comes about, whatever the order.",
        strategy: "exhaustive",
        choices: 0,
        isAsNeeded: needs === undefined
      }
}

/** What is left of what was found once it was made smaller: where something has to go wrong, as small as it gets. */
const leftOf = (
  prepared: Prepared,
  { schedule, violation }: Found,
  judged: Judged,
  needs: string | undefined
): Pick<Came, "choices" | "isAsNeeded"> => {
  // The run in which nothing was chosen and nothing went wrong was the first, so that one thing alone is needed.
  if (needs === undefined && sizeOf(schedule) <= 1) return { choices: sizeOf(schedule), isAsNeeded: true }
  const runsMax = needs === undefined ? fewRuns : manyRuns
  const shrunk = shrink(failingFrom(prepared, schedule), violation.invariant, judged, { runsMax, isMildened: false })
  if (shrunk === undefined) return { choices: sizeOf(schedule), isAsNeeded: false }
  const { failing, attempted } = shrunk.tried
  return {
    choices: failing.choices.length + mishapsIn([...failing.before, ...failing.rest]).length,
    isAsNeeded: needs === undefined || whatStruckIn(attempted.stage).has(needs)
  }
}

/** What went wrong in a run, as the catalogue calls it. */
const whatStruckIn = ({ recorder }: Stage): ReadonlySet<string> =>
  faultsSeenIn(readTrace(renderTrace(recorder.observations, (text) => text)))

/** Enough for the choices; that no step is needless is for whoever keeps a run. */
const fewRuns = 80
const manyRuns = 600

const howFar = ({ isComplete, schedules, leftOut }: Searched): string =>
  isComplete
    ? `complete after ${schedules} schedules`
    : [`${schedules} schedules, without`, leftOut.map(([, left]) => left).join("; ")].join(" ")
