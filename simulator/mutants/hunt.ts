/** Searches scripts for a violation, first those that the mutant names, and minimizes the finding. */
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
  /** The number of runs in all scripts. */
  readonly schedules: number
  /** The number of choices, faults and receiver behaviors after minimization. */
  readonly choices: number
  /** False if the minimized run violates the property without the fault that the mutant needs. */
  readonly isAsNeeded: boolean
  /** CPU time. */
  readonly milliseconds: number
}

export interface Survived {
  readonly ended: "SURVIVED"
  /** By script: the coverage of the search. */
  readonly tried: ReadonlyArray<string>
  readonly schedules: number
  readonly milliseconds: number
}

/** CPU time since the start of this process. */
const milliseconds = (): number => Math.round(process.cpuUsage().user / 1000)

/** The limits of runs for a script: a low one for each, and a high one for those that the mutant names. */
export interface Effort {
  readonly few: number
  readonly many: number
}

export const hunt = (mutant: Mutant | undefined, files: ReadonlyArray<string>, effort: Effort): Hunted => {
  const tried = new Map<string, string>()
  let schedules = 0
  for (const { file, runsMax, judged } of trialsOf(mutant, files, effort)) {
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
    const kill = killOf(prepared.success, searched, judged, mutant?.needs)
    if (kill !== undefined) {
      return { ended: "KILLED", ...kill, scenario, schedules, milliseconds: milliseconds() }
    }
    tried.set(scenario, coverageOf(searched))
  }
  return {
    ended: "SURVIVED",
    tried: [...tried].map(([scenario, far]) => `${scenario}: ${far}`),
    schedules,
    milliseconds: milliseconds()
  }
}

interface Trial {
  readonly file: string
  readonly runsMax: number
  readonly judged: Judged
}

/**
 * The named scripts are searched briefly and then longer with only the expected properties; then all scripts briefly with
 * all properties. A probe costs more than ten runs, so that unexpected probes come last.
 */
const trialsOf = (
  mutant: Mutant | undefined,
  files: ReadonlyArray<string>,
  { few, many }: Effort
): ReadonlyArray<Trial> => {
  const expected = (mutant?.scenarios ?? []).flatMap((name) => files.find((file) => nameOfScript(file) === name) ?? [])
  const others = files.filter((file) => !expected.includes(file))
  const all = { invariants, probes }
  if (mutant === undefined) return others.map((file) => ({ file, runsMax: few, judged: all }))
  const isExpected = ({ name }: { readonly name: string }) => mutant.noticedBy.includes(name)
  const expectedProperties = { invariants: invariants.filter(isExpected), probes: probes.filter(isExpected) }
  return [
    ...expected.map((file) => ({ file, runsMax: few, judged: expectedProperties })),
    ...expected.map((file) => ({ file, runsMax: many, judged: expectedProperties })),
    ...[...expected, ...others].map((file) => ({ file, runsMax: few, judged: { invariants, probes: [] } })),
    ...[...expected, ...others].map((file) => ({ file, runsMax: few, judged: all }))
  ]
}

/** A fixed seed, so that kills are reproducible. */
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

interface Kill {
  readonly by: string
  readonly words: string
  readonly strategy: string
  readonly choices: number
  readonly isAsNeeded: boolean
}

/** A violation, or the proof that a reachability property is not satisfiable. */
const killOf = (
  prepared: Prepared,
  { found, isComplete, reached }: Searched,
  judged: Judged,
  needs: string | undefined
): Kill | undefined => {
  if (found !== undefined) {
    const { violation, by } = found
    return {
      by: violation.invariant,
      words: violation.words,
      strategy: by,
      ...minimizedSize(prepared, found, judged, needs)
    }
  }
  const reachability = prepared.search.reaches.filter((one) => judged.invariants.some(({ name }) => name === one))
  const never = isComplete ? reachability.find((name) => !reached.has(name)) : undefined
  return never === undefined
    ? undefined
    : {
        by: never,
        words: "It is reached by no schedule.",
        strategy: "exhaustive",
        choices: 0,
        isAsNeeded: needs === undefined
      }
}

/** The size after minimization, which is thorough only for a mutant that needs a fault. */
const minimizedSize = (
  prepared: Prepared,
  { schedule, violation }: Found,
  judged: Judged,
  needs: string | undefined
): Pick<Kill, "choices" | "isAsNeeded"> => {
  // The first run had no choice and no fault, so that a schedule of one element is minimal.
  if (needs === undefined && sizeOf(schedule) <= 1) return { choices: sizeOf(schedule), isAsNeeded: true }
  const runsMax = needs === undefined ? fewRuns : manyRuns
  const shrunk = shrink(failingFrom(prepared, schedule), violation.invariant, judged, { runsMax, isMildened: false })
  if (shrunk === undefined) return { choices: sizeOf(schedule), isAsNeeded: false }
  const { failing, attempted } = shrunk.tried
  return {
    choices: failing.choices.length + mishapsIn([...failing.before, ...failing.rest]).length,
    isAsNeeded: needs === undefined || faultsIn(attempted.stage).has(needs)
  }
}

/** The faults of a run by their names in the catalogue. */
const faultsIn = ({ recorder }: Stage): ReadonlySet<string> =>
  faultsSeenIn(readTrace(renderTrace(recorder.observations, (text) => text)))

/** Enough to minimize the choices; steps are minimized when a finding is saved. */
const fewRuns = 80
const manyRuns = 600

const coverageOf = ({ isComplete, schedules, leftOut }: Searched): string =>
  isComplete
    ? `complete after ${schedules} schedules`
    : `${schedules} schedules, left out: ${leftOut.map(([, left]) => left).join("; ")}`
