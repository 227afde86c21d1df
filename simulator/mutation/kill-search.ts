/** Searches scripts for a violation, first those that the mutant names, and minimizes the finding. */
import { Result } from "effect"
import { prepareSearchRoot, type SearchRoot, Unsearchable } from "../search/search-root.ts"
import { probes } from "../search/isolation/probes.ts"
import { scheduleSize } from "../search/schedule.ts"
import { type SearchFinding, search, type SearchResult } from "../search/search.ts"
import { failingRunFrom } from "../search/minimize/failing-run.ts"
import { describeFaults } from "../search/minimize/weaken-faults.ts"
import { minimize } from "../search/minimize/minimize.ts"
import type { PropertySet } from "../search/minimize/trials.ts"
import { portfolio, strategyOf } from "../search/strategies/portfolio.ts"
import { faultsIn } from "../environment/faults/catalogue.ts"
import { readScript } from "../scenario/files.ts"
import { properties } from "../properties/all-properties.ts"
import type { SimulationSetup } from "../scenario/simulation-setup.ts"
import { readTrace, renderTrace } from "../observation/trace.ts"
import { nameOfScript } from "./searchable-scripts.ts"
import type { Mutant } from "./mutant.ts"

export type MutantResult = KilledMutant | SurvivingMutant

export interface KilledMutant {
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

export interface SurvivingMutant {
  readonly ended: "SURVIVED"
  /** By script: the coverage of the search. */
  readonly tried: ReadonlyArray<string>
  readonly schedules: number
  readonly milliseconds: number
}

/** CPU time since the start of this process. */
const milliseconds = (): number => Math.round(process.cpuUsage().user / 1000)

/** The limits of runs for a script: a low one for each, and a high one for those that the mutant names. */
export interface RunLimits {
  readonly few: number
  readonly many: number
}

export const searchForKill = (
  mutant: Mutant | undefined,
  files: ReadonlyArray<string>,
  effort: RunLimits
): MutantResult => {
  const tried = new Map<string, string>()
  let schedules = 0
  for (const { file, runsMax, checks } of trialsOf(mutant, files, effort)) {
    const scenario = nameOfScript(file)
    const root = preparedFrom(file)
    if (Result.isFailure(root)) {
      tried.set(scenario, `cannot be searched: ${root.failure}`)
      continue
    }
    const searched = search(root.success, {
      ...checks,
      strategies: [[strategyOf("delays", seed), Math.ceil(runsMax / 3)], ...portfolio(seed, runsMax)]
    })
    schedules += searched.schedules
    const kill = killOf(root.success, searched, checks, mutant?.needs)
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
  readonly checks: PropertySet
}

/**
 * The named scripts are searched briefly and then longer with only the expected properties; then all scripts briefly with
 * all properties. A probe costs more than ten runs, so that unexpected probes come last.
 */
const trialsOf = (
  mutant: Mutant | undefined,
  files: ReadonlyArray<string>,
  { few, many }: RunLimits
): ReadonlyArray<Trial> => {
  const expected = (mutant?.scenarios ?? []).flatMap((name) => files.find((file) => nameOfScript(file) === name) ?? [])
  const others = files.filter((file) => !expected.includes(file))
  const all = { properties, probes }
  if (mutant === undefined) return others.map((file) => ({ file, runsMax: few, checks: all }))
  const isExpected = ({ name }: { readonly name: string }) => mutant.killedBy.includes(name)
  const expectedProperties = { properties: properties.filter(isExpected), probes: probes.filter(isExpected) }
  return [
    ...expected.map((file) => ({ file, runsMax: few, checks: expectedProperties })),
    ...expected.map((file) => ({ file, runsMax: many, checks: expectedProperties })),
    ...[...expected, ...others].map((file) => ({ file, runsMax: few, checks: { properties, probes: [] } })),
    ...[...expected, ...others].map((file) => ({ file, runsMax: few, checks: all }))
  ]
}

/** A fixed seed, so that kills are reproducible. */
const seed = 1

const preparedFrom = (file: string): Result.Result<SearchRoot, string> =>
  Result.flatMap(readScript(file), (scenario) =>
    Result.try({
      try: () => prepareSearchRoot(scenario),
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
  root: SearchRoot,
  { found, isComplete, reached }: SearchResult,
  checks: PropertySet,
  needs: string | undefined
): Kill | undefined => {
  if (found !== undefined) {
    const { violation, by } = found
    return {
      by: violation.property,
      words: violation.words,
      strategy: by,
      ...minimizedSize(root, found, checks, needs)
    }
  }
  const reachability = root.search.reaches.filter((one) => checks.properties.some(({ name }) => name === one))
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
  root: SearchRoot,
  { schedule, violation }: SearchFinding,
  checks: PropertySet,
  needs: string | undefined
): Pick<Kill, "choices" | "isAsNeeded"> => {
  // The first run had no choice and no fault, so that a schedule of one element is minimal.
  if (needs === undefined && scheduleSize(schedule) <= 1) return { choices: scheduleSize(schedule), isAsNeeded: true }
  const runsMax = needs === undefined ? fewRuns : manyRuns
  const shrunk = minimize(failingRunFrom(root, schedule), violation.property, checks, {
    runsMax,
    weakensFaults: false
  })
  if (shrunk === undefined) return { choices: scheduleSize(schedule), isAsNeeded: false }
  const { failing, result } = shrunk.reproduced
  return {
    choices: failing.choices.length + describeFaults([...failing.before, ...failing.rest]).length,
    isAsNeeded: needs === undefined || faultsOf(result.setup).has(needs)
  }
}

/** The faults of a run by their names in the catalogue. */
const faultsOf = ({ recorder }: SimulationSetup): ReadonlySet<string> =>
  faultsIn(readTrace(renderTrace(recorder.observations, (text) => text)))

/** Enough to minimize the choices; steps are minimized when a finding is saved. */
const fewRuns = 80
const manyRuns = 600

const coverageOf = ({ isComplete, schedules, leftOut }: SearchResult): string =>
  isComplete
    ? `complete after ${schedules} schedules`
    : `${schedules} schedules, left out: ${leftOut.map(([, left]) => left).join("; ")}`
