/** Searches one script and minimizes the finding. */
import type { Attempted } from "../attempt.ts"
import { prepare, type Prepared, Unsearchable } from "../prepared.ts"
import type { Explored, Shown } from "../report.ts"
import { type Found, search, type SearchOptions, type Searched } from "../search.ts"
import type { Judged } from "../shrink/trials.ts"
import { labelOf } from "../../script/property-form.ts"
import { writeStep } from "../../script/write.ts"
import { unrolled } from "../../script/unrolled.ts"
import type { Scenario, Step } from "../../script/scenario.ts"
import { invariantOf } from "../../script-properties/invariant-of.ts"
import { whyUnjudged } from "../../script-properties/judge.ts"
import { type WrittenRun, neverJudgedIn, runAsWritten, uncheckedIn } from "./as-written.ts"
import { shrinkFinding } from "./shrink-script.ts"

export interface ExploreOptions extends Judged, Pick<SearchOptions, "strategies" | "isOver" | "samples"> {
  /** False if the listed faults are not injected. */
  readonly hasFaults: boolean
  /** True if only an exhaustive search may report a property as not reached. */
  readonly isProofWanted: boolean
  /** Saves the script of a finding and returns its path. */
  readonly save: (invariant: string, text: string) => string | undefined
}

/** Throws `Unsearchable` if the script cannot be run up to its explore step. */
export const exploreScript = (file: string, scenario: Scenario, options: ExploreOptions): Explored => {
  const written = runAsWritten(file, scenario)
  const withFaults = preparedUnlessFailed(scenario, written)
  if (withFaults === undefined) return unsearched(file, written)
  const prepared = options.hasFaults
    ? withFaults
    : { ...withFaults, search: { ...withFaults.search, faults: [], receivers: {} } }
  const executed = new ExecutedSteps()
  const searched = search(prepared, {
    ...options,
    invariants: [...options.invariants, ...scenario.properties.map(invariantOf)],
    cameTo: (attempted) => executed.note(prepared, attempted)
  })
  const { found, reached, isComplete } = searched
  const hasFound = found !== undefined
  const notReached = hasFound ? [] : prepared.search.reaches.filter((name) => !reached.has(name))
  const judged = new Set([...reached, ...written.judged])
  const neverJudged = hasFound ? [] : neverJudgedIn(file, scenario.properties, judged, whyUnjudged)
  const isCutShort = !isComplete && (options.isProofWanted || options.isOver?.() === true)
  const notAsWritten = written.violated === found?.violation.invariant && hasFound ? [] : written.failures
  return {
    ...searched,
    file,
    verdict: verdictOf(searched, {
      isAsWritten: notAsWritten.length === 0,
      hasReached: (notReached.length === 0 && neverJudged.length === 0) || isCutShort
    }),
    isSearched: true,
    notAsWritten,
    unchecked: uncheckedIn(file, prepared, searched.expectations),
    notReached,
    neverJudged,
    neverDone: hasFound ? [] : executed.missing(prepared),
    statedAt: statedAt(file, scenario, found),
    shrunk: shown(prepared, searched, options)
  }
}

/** Undefined if a step before the explore step does not get the expected answer. */
const preparedUnlessFailed = (scenario: Scenario, { verdict }: WrittenRun): Prepared | undefined => {
  try {
    return prepare(scenario)
  } catch (error) {
    if (error instanceof Unsearchable && verdict === "FAILED") return undefined
    throw error
  }
}

/** The report of a script that fails before its explore step. */
const unsearched = (file: string, { failures }: WrittenRun): Explored => ({
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
const statedAt = (file: string, { properties }: Scenario, found: Found | undefined): string | undefined => {
  const stated = properties.find((property) => labelOf(property) === found?.violation.invariant)
  return stated && `${file}:${stated.line}`
}

const verdictOf = (
  { found, isComplete }: Searched,
  { isAsWritten, hasReached }: { readonly isAsWritten: boolean; readonly hasReached: boolean }
): Explored["verdict"] => {
  if (found !== undefined) return "VIOLATED"
  if (!isAsWritten) return "NOT_AS_WRITTEN"
  if (!hasReached) return "NOT_REACHED"
  return isComplete ? "COMPLETE" : "NOT_COMPLETE"
}

/** The steps that were executed in some run. A script with unreachable steps tests less than it states. */
class ExecutedSteps {
  readonly #executed = new Set<number>()
  #finishedRuns = 0

  note(prepared: Prepared, { ended, leftOut, outcome }: Attempted): void {
    for (const [step] of outcome.answers) this.#executed.add(step)
    if (ended !== "DONE") return
    this.#finishedRuns += 1
    for (const step of prepared.rest) {
      if (leftOut.includes(step.number)) continue
      this.#executed.add(step.number)
      if (step.kind === "together") for (const inner of step.steps) this.#executed.add(inner.number)
    }
  }

  missing({ rest }: Prepared): ReadonlyArray<string> {
    if (this.#finishedRuns === 0) return []
    const missing = rest.flatMap((step): ReadonlyArray<Step> => {
      if (this.#executed.has(step.number)) return []
      if (step.kind !== "together") return [step]
      return step.steps.filter(({ number }) => !this.#executed.has(number))
    })
    return unrolled(missing).map(writeStep)
  }
}

const shown = (
  prepared: Prepared,
  { found }: Searched,
  { invariants, probes, save }: ExploreOptions
): Shown | undefined => {
  const shrunk = found === undefined ? undefined : shrinkFinding(prepared, found, { invariants, probes })
  if (shrunk === undefined) return undefined
  const { text, ...shown } = shrunk
  return { ...shown, saved: save(shown.invariant, text) }
}
