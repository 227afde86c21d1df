/** Searches one script and minimizes the finding. */
import type { SearchedRun } from "../run-source.ts"
import { type SearchRoot, Unsearchable } from "../search-root.ts"
import { propertiesOf, searchRootOf } from "../searched-script.ts"
import type { ExplorationReport, FindingReport } from "../report.ts"
import { type SearchFinding, search, type SearchOptions, type SearchResult } from "../search.ts"
import type { PropertySet } from "../minimize/trials.ts"
import { labelOf } from "../../scenario/format/property-form.ts"
import { writeStep } from "../../scenario/format/write.ts"
import { unrollSteps } from "../../scenario/format/unroll.ts"
import type { Scenario, Step } from "../../scenario/format/scenario.ts"
import { whyUnjudged } from "../../scenario/properties/judge.ts"
import { type WrittenRun, vacuousProperties, runAsWritten, uncheckedExpectations } from "./written-run.ts"
import { minimizeFinding } from "./minimize-script.ts"

export interface ExploreOptions
  extends PropertySet, Pick<SearchOptions, "strategies" | "isOutOfTime" | "samples" | "runsOf" | "onProgress"> {
  /** False if the listed faults are not injected. */
  readonly hasFaults: boolean
  /** True if only an exhaustive search may report a property as not reached. */
  readonly isProofWanted: boolean
  /** Saves the script of a finding and returns its path. */
  readonly save: (property: string, text: string) => string | undefined
}

/** Throws `Unsearchable` if the script cannot be run up to its explore step. */
export const exploreScript = (file: string, scenario: Scenario, options: ExploreOptions): ExplorationReport => {
  const written = runAsWritten(file, scenario)
  const root = preparedUnlessFailed(scenario, written, options.hasFaults)
  if (root === undefined) return unsearched(file, written)
  const executed = new ExecutedSteps()
  const searched = search(root, {
    ...options,
    properties: propertiesOf(scenario, options.properties),
    onRunFinished: (result) => executed.note(root, result)
  })
  const { found, reached, isComplete } = searched
  const hasFound = found !== undefined
  const notReached = hasFound ? [] : root.search.reaches.filter((name) => !reached.has(name))
  const judged = new Set([...reached, ...written.judged])
  const neverJudged = hasFound ? [] : vacuousProperties(file, scenario.properties, judged, whyUnjudged)
  const isCutShort = !isComplete && (options.isProofWanted || options.isOutOfTime?.() === true)
  const notAsWritten = written.violated === found?.violation.property && hasFound ? [] : written.failures
  return {
    ...searched,
    file,
    verdict: verdictOf(searched, {
      isAsWritten: notAsWritten.length === 0,
      hasReached: (notReached.length === 0 && neverJudged.length === 0) || isCutShort
    }),
    isSearched: true,
    notAsWritten,
    unchecked: uncheckedExpectations(file, root, searched.expectations),
    notReached,
    neverJudged,
    neverDone: hasFound ? [] : executed.missing(root),
    statedAt: statedAt(file, scenario, found),
    shrunk: shown(root, searched, options)
  }
}

/** Undefined if a step before the explore step does not get the expected answer. */
const preparedUnlessFailed = (
  scenario: Scenario,
  { verdict }: WrittenRun,
  hasFaults: boolean
): SearchRoot | undefined => {
  try {
    return searchRootOf(scenario, hasFaults)
  } catch (error) {
    if (error instanceof Unsearchable && verdict === "FAILED") return undefined
    throw error
  }
}

/** The report of a script that fails before its explore step. */
const unsearched = (file: string, { failures }: WrittenRun): ExplorationReport => ({
  file,
  verdict: "NOT_AS_WRITTEN",
  isSearched: false,
  notAsWritten: failures,
  unchecked: [],
  notReached: [],
  neverJudged: [],
  neverDone: [],
  statedAt: undefined,
  shrunk: undefined,
  found: undefined,
  isComplete: false,
  schedules: 0,
  states: undefined,
  requests: 0,
  decisions: 0,
  depth: 0,
  reached: new Set(),
  undone: new Map(),
  expectations: new Map(),
  outcomes: new Map(),
  leftOut: [["every strategy", "all schedules, since the script fails before its explore step"]]
})

/** The place of the violated property, if the script states it. */
const statedAt = (file: string, { properties }: Scenario, found: SearchFinding | undefined): string | undefined => {
  const stated = properties.find((property) => labelOf(property) === found?.violation.property)
  return stated && `${file}:${stated.line}`
}

const verdictOf = (
  { found, isComplete }: SearchResult,
  { isAsWritten, hasReached }: { readonly isAsWritten: boolean; readonly hasReached: boolean }
): ExplorationReport["verdict"] => {
  if (found !== undefined) return "VIOLATED"
  if (!isAsWritten) return "NOT_AS_WRITTEN"
  if (!hasReached) return "NOT_REACHED"
  return isComplete ? "COMPLETE" : "NOT_COMPLETE"
}

/** The steps that were executed in some run. A script with unreachable steps tests less than it states. */
class ExecutedSteps {
  readonly #executed = new Set<number>()
  #finishedRuns = 0

  note(root: SearchRoot, { ended, skippedSteps, outcome }: SearchedRun): void {
    for (const [step] of outcome.answers) this.#executed.add(step)
    if (ended !== "DONE") return
    this.#finishedRuns += 1
    for (const step of root.rest) {
      if (skippedSteps.includes(step.number)) continue
      this.#executed.add(step.number)
      if (step.kind === "together") for (const inner of step.steps) this.#executed.add(inner.number)
    }
  }

  missing({ rest }: SearchRoot): ReadonlyArray<string> {
    if (this.#finishedRuns === 0) return []
    const missing = rest.flatMap((step): ReadonlyArray<Step> => {
      if (this.#executed.has(step.number)) return []
      if (step.kind !== "together") return [step]
      return step.steps.filter(({ number }) => !this.#executed.has(number))
    })
    return unrollSteps(missing).map(writeStep)
  }
}

const shown = (
  root: SearchRoot,
  { found }: SearchResult,
  { properties, probes, save }: ExploreOptions
): FindingReport | undefined => {
  const shrunk = found === undefined ? undefined : minimizeFinding(root, found, { properties, probes })
  if (shrunk === undefined) return undefined
  const { text, ...shown } = shrunk
  return { ...shown, saved: save(shown.property, text) }
}
