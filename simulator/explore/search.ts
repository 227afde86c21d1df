/** Executes runs until a property is violated, the state space is exhausted, or a limit is reached. */
import type { Invariant } from "../invariants/invariant.ts"
import type { Monitors, Violation } from "../invariants/monitors.ts"
import { attempt, type Attempted, type Outcome, watch } from "./attempt.ts"
import type { Prepared } from "./prepared.ts"
import type { Schedule } from "./schedule.ts"
import type { Probe } from "./probe.ts"
import type { Strategy } from "./strategies/strategy.ts"

export interface Found {
  readonly violation: Violation
  readonly schedule: Schedule
  /** The strategy, and the total number of runs before. */
  readonly by: string
  readonly after: number
}

export interface Met {
  readonly answered: number
  readonly asExpected: number
}

export interface Searched {
  readonly found: Found | undefined
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
  readonly expectations: ReadonlyMap<number, Met>
  /** The outcomes of the runs, with which runs on Postgres are compared. */
  readonly outcomes: ReadonlyMap<string, Outcome>
  /** By strategy: the unexplored part, in words. */
  readonly leftOut: ReadonlyArray<readonly [strategy: string, leftOut: string]>
}

export interface SearchOptions {
  readonly invariants: ReadonlyArray<Invariant>
  /** Tried in turn, each with its limit of runs, until one is exhaustive. */
  readonly strategies: ReadonlyArray<readonly [strategy: Strategy, runsMax: number]>
  /** True once the time limit is reached. */
  readonly isOver?: () => boolean
  readonly cameTo?: (attempted: Attempted) => void
  /** Checked at every new outcome. */
  readonly probes?: ReadonlyArray<Probe>
  /**
   * Sampled runs that check an exhaustive search, each strategy with its number of runs: an outcome that the search did
   * not see shows an unsound reduction.
   */
  readonly samples?: ReadonlyArray<readonly [strategy: Strategy, runs: number]>
}

export const search = (prepared: Prepared, options: SearchOptions): Searched => new Search(prepared, options).run()

class Search {
  readonly #prepared: Prepared
  readonly #options: SearchOptions
  #schedules = 0
  #requests = 0
  #decisions = 0
  #depth = 0
  #states: number | undefined
  readonly #reached = new Set<string>()
  readonly #skipped = new Map<number, number>()
  readonly #expectations = new Map<number, Met>()
  readonly #outcomes = new Map<string, Outcome>()
  readonly #leftOut: Array<readonly [string, string]> = []
  #found: Found | undefined

  constructor(prepared: Prepared, options: SearchOptions) {
    this.#prepared = prepared
    this.#options = options
  }

  run(): Searched {
    const monitors = watch(this.#prepared, this.#options.invariants)
    let isComplete = false
    for (const [strategy, runsMax] of this.#options.strategies) {
      for (let runs = 0; runs < runsMax && !this.#hasEnded; runs++) {
        const decide = strategy.next()
        if (decide === undefined) break
        const attempted = attempt(this.#prepared, monitors, decide)
        strategy.came(attempted)
        this.#count(strategy, attempted)
      }
      const proof = strategy.proof()
      this.#states ??= proof.states
      const leftOut = proof.isComplete ? this.#unseenOutcome(monitors) : proof.leftOut
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
  #unseenOutcome(monitors: Monitors): string | undefined {
    let unseen: string | undefined
    for (const [strategy, runs] of this.#options.samples ?? []) {
      for (let run = 1; run <= runs && !this.#hasEnded; run++) {
        const decide = strategy.next()
        if (decide === undefined) break
        const attempted = attempt(this.#prepared, monitors, decide)
        strategy.came(attempted)
        const { ended, violation, outcome, schedule } = attempted
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
    return this.#found !== undefined || this.#options.isOver?.() === true
  }

  /** Checks the probes at an outcome that was not seen before. */
  #violatedProbe(attempted: Attempted): Violation | undefined {
    if (this.#outcomes.has(JSON.stringify(attempted.outcome))) return undefined
    for (const { name, tries } of this.#options.probes ?? []) {
      const words = tries(this.#prepared, attempted)
      if (words !== undefined) {
        return { invariant: name, words, at: attempted.stage.recorder.observations.length }
      }
    }
    return undefined
  }

  #count(strategy: Strategy, attempted: Attempted): void {
    const { violation, schedule, requests, decisions, reached, outcome, ended, leftOut } = attempted
    for (const [step, isMet] of attempted.asExpected) {
      const { answered, asExpected } = this.#expectations.get(step) ?? { answered: 0, asExpected: 0 }
      this.#expectations.set(step, { answered: answered + 1, asExpected: asExpected + (isMet ? 1 : 0) })
    }
    this.#schedules += 1
    this.#requests += requests
    this.#decisions += decisions
    this.#depth = Math.max(this.#depth, decisions)
    for (const name of reached) this.#reached.add(name)
    for (const step of leftOut) this.#skipped.set(step, (this.#skipped.get(step) ?? 0) + 1)
    const wrong = violation ?? (ended === "DONE" ? this.#violatedProbe(attempted) : undefined)
    if (ended === "DONE") this.#outcomes.set(JSON.stringify(outcome), outcome)
    if (wrong !== undefined) {
      this.#found = { violation: wrong, schedule, by: strategy.name, after: this.#schedules }
    }
    this.#options.cameTo?.(attempted)
  }
}
