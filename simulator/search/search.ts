/** Executes runs until a property is violated, the state space is exhausted, or a limit is reached. */
import type { MonitoredProperty } from "../properties/property.ts"
import type { Violation } from "../properties/monitors.ts"
import { type RunningSearch, type RunSource, runsInTurn, type SearchedRun } from "./run-source.ts"
import { type Outcome, createMonitors } from "./search-run.ts"
import type { SearchRoot } from "./search-root.ts"
import type { Schedule } from "./schedule.ts"
import type { Probe } from "./isolation/probe.ts"
import type { Strategy } from "./strategies/strategy.ts"

export interface SearchFinding {
  readonly violation: Violation
  readonly schedule: Schedule
  /** The strategy, and the total number of runs before. */
  readonly by: string
  readonly after: number
}

export interface ExpectationCount {
  readonly answered: number
  readonly asExpected: number
}

export interface SearchResult {
  readonly found: SearchFinding | undefined
  /** True if the search was exhaustive. */
  readonly isComplete: boolean
  readonly schedules: number
  /** The number of visited states, if counted. */
  readonly states: number | undefined
  readonly requests: number
  readonly decisions: number
  /** The maximum number of choice points in one run. */
  readonly depth: number
  /** The reachability properties that were satisfied. */
  readonly reached: ReadonlySet<string>
  /** By step: the number of runs that skipped it. */
  readonly undone: ReadonlyMap<number, number>
  /** By step: the number of runs that answered it, and of these the number as expected. */
  readonly expectations: ReadonlyMap<number, ExpectationCount>
  /** The outcomes of the runs, with which runs on Postgres are compared. */
  readonly outcomes: ReadonlyMap<string, Outcome>
  /** By strategy: the unexplored part, in words. */
  readonly leftOut: ReadonlyArray<readonly [strategy: string, leftOut: string]>
}

/** What a search has counted so far. */
export interface SearchProgress {
  readonly strategy: string
  readonly schedules: number
  /** The number of visited states, if counted. */
  readonly states: number | undefined
}

export interface SearchOptions {
  readonly properties: ReadonlyArray<MonitoredProperty>
  /** Tried in turn, each with its limit of runs, until one is exhaustive. */
  readonly strategies: ReadonlyArray<readonly [strategy: Strategy, runsMax: number]>
  /** True once the time limit is reached. */
  readonly isOutOfTime?: () => boolean
  readonly onRunFinished?: (result: SearchedRun) => void
  /** Called after each run; the caller decides whether it asks for the progress. */
  readonly onProgress?: ((progress: () => SearchProgress) => void) | undefined
  /** Checked at every new outcome. */
  readonly probes?: ReadonlyArray<Probe>
  /**
   * Sampled runs that check an exhaustive search, each strategy with its number of runs: an outcome that the search did
   * not see shows an unsound reduction.
   */
  readonly samples?: ReadonlyArray<readonly [strategy: Strategy, runs: number]>
  /** The source of its runs; if absent, each is executed in its turn. */
  readonly runsOf?: ((search: RunningSearch) => RunSource) | undefined
}

export const search = (root: SearchRoot, options: SearchOptions): SearchResult => new Search(root, options).run()

class Search {
  readonly #root: SearchRoot
  readonly #options: SearchOptions
  #schedules = 0
  #requests = 0
  #decisions = 0
  #depth = 0
  #states: number | undefined
  readonly #reached = new Set<string>()
  readonly #skipped = new Map<number, number>()
  readonly #expectations = new Map<number, ExpectationCount>()
  readonly #outcomes = new Map<string, Outcome>()
  readonly #leftOut: Array<readonly [string, string]> = []
  #found: SearchFinding | undefined

  constructor(root: SearchRoot, options: SearchOptions) {
    this.#root = root
    this.#options = options
  }

  run(): SearchResult {
    const monitors = createMonitors(this.#root, this.#options.properties)
    const source = (this.#options.runsOf ?? runsInTurn)({ root: this.#root, monitors, outcomes: this.#outcomes })
    let isComplete = false
    for (const [strategy, runsMax] of this.#options.strategies) {
      for (let runs = 0; runs < runsMax && !this.#hasEnded; runs++) {
        const result = source.next(strategy)
        if (result === undefined) break
        strategy.onRunFinished(result)
        this.#count(strategy, result)
        this.#options.onProgress?.(() => ({
          strategy: strategy.name,
          schedules: this.#schedules,
          states: this.#states ?? strategy.proof().states
        }))
      }
      const proof = strategy.proof()
      this.#states ??= proof.states
      const leftOut = proof.isComplete ? this.#unseenOutcome(source) : proof.leftOut
      if (leftOut === undefined) isComplete = this.#found === undefined
      else this.#leftOut.push([strategy.name, leftOut])
      if (isComplete || this.#hasEnded) break
    }
    return {
      found: this.#found,
      isComplete,
      schedules: this.#schedules,
      states: this.#states,
      requests: this.#requests,
      decisions: this.#decisions,
      depth: this.#depth,
      reached: this.#reached,
      undone: this.#skipped,
      expectations: this.#expectations,
      outcomes: this.#outcomes,
      leftOut: isComplete ? [] : this.#leftOut
    }
  }

  /** In words, a sampled run with an outcome that the search did not see; undefined if there is none. */
  #unseenOutcome(source: RunSource): string | undefined {
    let unseen: string | undefined
    for (const [strategy, runs] of this.#options.samples ?? []) {
      for (let run = 1; run <= runs && !this.#hasEnded; run++) {
        const result = source.next(strategy)
        if (result === undefined) break
        strategy.onRunFinished(result)
        const { ended, violation, outcome, schedule } = result
        if (violation === undefined && (ended === "CUT" || this.#outcomes.has(JSON.stringify(outcome)))) continue
        unseen ??= `unsound reduction: sampled run ${run} by ${strategy.name} has an outcome that the search did not see`
        // A violation is reported as well, although the proof is already invalid.
        if (violation !== undefined) {
          this.#found = { violation, schedule, by: strategy.name, after: this.#schedules + run }
        }
      }
    }
    return unseen
  }

  get #hasEnded(): boolean {
    return this.#found !== undefined || this.#options.isOutOfTime?.() === true
  }

  /** Checks the probes at an outcome that was not seen before. */
  #violatedProbe({ outcome, areProbesMet, withWorld }: SearchedRun): Violation | undefined {
    const { probes = [] } = this.#options
    if (this.#outcomes.has(JSON.stringify(outcome)) || areProbesMet || probes.length === 0) return undefined
    const result = withWorld()
    for (const { name, findViolation } of probes) {
      const words = findViolation(this.#root, result)
      if (words !== undefined) {
        return { property: name, words, at: result.setup.recorder.observations.length }
      }
    }
    return undefined
  }

  #count(strategy: Strategy, result: SearchedRun): void {
    const { violation, schedule, requests, decisions, reached, outcome, ended, skippedSteps } = result
    for (const [step, isMet] of result.asExpected) {
      const { answered, asExpected } = this.#expectations.get(step) ?? { answered: 0, asExpected: 0 }
      this.#expectations.set(step, { answered: answered + 1, asExpected: asExpected + (isMet ? 1 : 0) })
    }
    this.#schedules += 1
    this.#requests += requests
    this.#decisions += decisions
    this.#depth = Math.max(this.#depth, decisions)
    for (const name of reached) this.#reached.add(name)
    for (const step of skippedSteps) this.#skipped.set(step, (this.#skipped.get(step) ?? 0) + 1)
    const wrong = violation ?? (ended === "DONE" ? this.#violatedProbe(result) : undefined)
    if (ended === "DONE") this.#outcomes.set(JSON.stringify(outcome), outcome)
    if (wrong !== undefined) {
      this.#found = { violation: wrong, schedule, by: strategy.name, after: this.#schedules }
    }
    this.#options.onRunFinished?.(result)
  }
}
