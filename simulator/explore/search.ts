/** Tries runs until something is wrong, all is proved, or enough was tried; and says which it was. */
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
  /** By which strategy, and after how many runs of all. */
  readonly by: string
  readonly after: number
}

export interface Met {
  readonly answered: number
  readonly asExpected: number
}

export interface Searched {
  readonly found: Found | undefined
  /** True where every order that could matter was tried. */
  readonly isComplete: boolean
  readonly schedules: number
  /** How many different worlds were come to, where that was counted. */
  readonly states: number | undefined
  readonly requests: number
  readonly decisions: number
  /** The most choices and mishaps of one run. */
  readonly depth: number
  /** What came about of what has to come about sometimes. */
  readonly reached: ReadonlySet<string>
  /** In how many runs each step could not be done. */
  readonly undone: ReadonlyMap<number, number>
  /** By step: in how many runs it was answered, and in how many of these as expected. */
  readonly expectations: ReadonlyMap<number, Met>
  /** How runs ended, by their outcome: what a real database is held against. */
  readonly outcomes: ReadonlyMap<string, Outcome>
  /** What was not tried, in words, by strategy. */
  readonly leftOut: ReadonlyArray<readonly [strategy: string, leftOut: string]>
}

export interface SearchOptions {
  readonly invariants: ReadonlyArray<Invariant>
  /** The first that proves something ends the search; each gets as many runs as it may. */
  readonly strategies: ReadonlyArray<readonly [strategy: Strategy, runsMax: number]>
  /** True once there is no time left. */
  readonly isOver?: () => boolean
  readonly cameTo?: (attempted: Attempted) => void
  /** What is tried out wherever a run came to an end that is new. */
  readonly probes?: ReadonlyArray<Probe>
  /**
   * What a proof is held against, each with how many runs: one of them that ends as none of the proof did shows that the
   * proof left out what it must not.
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
  readonly #undone = new Map<number, number>()
  readonly #expectations = new Map<number, Met>()
  readonly #outcomes = new Map<string, Outcome>()
  readonly #leftOut: Array<readonly [string, string]> = []
  #found: Found | undefined

  constructor(prepared: Prepared, options: SearchOptions) {
    this.#prepared = prepared
    this.#options = options
  }

  run(): Searched {
    const watched = watch(this.#prepared, this.#options.invariants)
    let isComplete = false
    for (const [strategy, runsMax] of this.#options.strategies) {
      for (let runs = 0; runs < runsMax && !this.#hasEnded; runs++) {
        const decide = strategy.next()
        if (decide === undefined) break
        const attempted = attempt(this.#prepared, watched, decide)
        strategy.came(attempted)
        this.#count(strategy, attempted)
      }
      const proof = strategy.proof()
      this.#states ??= proof.states
      const leftOut = proof.isComplete ? this.#missedBy(watched) : proof.leftOut
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
      undone: this.#undone,
      expectations: this.#expectations,
      outcomes: this.#outcomes,
      leftOut: isComplete ? [] : this.#leftOut
    }
  }

  /** In words, where a run that is not part of the proof ends as none of the proof did; undefined where none does. */
  #missedBy(watched: Monitors): string | undefined {
    let missed: string | undefined
    for (const [strategy, runs] of this.#options.samples ?? []) {
      for (let run = 1; run <= runs && !this.#hasEnded; run++) {
        const decide = strategy.next()
        if (decide === undefined) break
        const attempted = attempt(this.#prepared, watched, decide)
        strategy.came(attempted)
        const { ended, violation, outcome, schedule } = attempted
        if (violation === undefined && (ended === "CUT" || this.#outcomes.has(JSON.stringify(outcome)))) continue
        missed ??= `what it took for known was not: run ${run} by ${strategy.name} ends as none of its runs`
        // That the proof is worth nothing is one thing; what is broken is told all the same.
        if (violation !== undefined) {
          this.#found = { violation, schedule, by: strategy.name, after: this.#schedules + run }
        }
      }
    }
    return missed
  }

  get #hasEnded(): boolean {
    return this.#found !== undefined || this.#options.isOver?.() === true
  }

  /** What comes out where people and agents go on from an end that was not seen before. */
  #probed(attempted: Attempted): Violation | undefined {
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
    for (const step of leftOut) this.#undone.set(step, (this.#undone.get(step) ?? 0) + 1)
    const wrong = violation ?? (ended === "DONE" ? this.#probed(attempted) : undefined)
    if (ended === "DONE") this.#outcomes.set(JSON.stringify(outcome), outcome)
    if (wrong !== undefined) {
      this.#found = { violation: wrong, schedule, by: strategy.name, after: this.#schedules }
    }
    this.#options.cameTo?.(attempted)
  }
}
