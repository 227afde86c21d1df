/** One iteration of the continuous search: some runs of one script in one search mode. */
import { Result } from "effect"
import type { SeededRandom } from "../../kernel/seeded-random.ts"
import type { Violation } from "../../properties/monitors.ts"
import { readScenario } from "../../scenario/format/read.ts"
import { executeRun, type RunResult, createMonitors } from "../search-run.ts"
import { type MinimizedFinding, minimizeFinding } from "../findings/minimize-script.ts"
import { type SearchRoot, Unsearchable } from "../search-root.ts"
import type { Schedule } from "../schedule.ts"
import { failingRunIn } from "../minimize/failing-run.ts"
import { type PropertySet, replayRun, strictReplay } from "../minimize/trials.ts"
import { failureClassOf } from "./failure-class.ts"
import { withRandomFaults } from "./fault-injection.ts"
import { type VisitedStates, stateBit } from "./visited-states.ts"
import { withFaultRarity, type SearchMode } from "./search-modes.ts"

export interface Iteration {
  readonly script: string
  readonly mode: SearchMode
  readonly random: SeededRandom
  /** The seed of the strategy. */
  readonly seed: number
  /** Throws `Unsearchable` if a step before the explore step fails. */
  readonly prepare: () => SearchRoot
}

export interface IterationResult {
  readonly script: string
  readonly mode: string
  readonly runs: number
  readonly requests: number
  /** The new states. */
  readonly worlds: ReadonlyArray<number>
  readonly isUnusable: boolean
  readonly sightings: ReadonlyArray<Sighting>
}

/** An observed violation. */
export interface Sighting {
  /** Its failure class before minimization. */
  readonly failureClass: string
  readonly words: string
  readonly invariant: string
  /** Undefined if it was not minimized, since its class is known. */
  readonly shrunk: MinimizedViolation | undefined
}

export interface MinimizedViolation {
  readonly cause: string
  readonly words: string
  /** The script; undefined if the format cannot express it. */
  readonly text: string | undefined
}

export interface KnownStates {
  readonly seen: VisitedStates
  /** True if violations of this class were minimized often enough. */
  readonly isKnown: (look: string) => boolean
}

/** Yields after each run, so that the caller can handle signals or stop. */
export function* runIteration(
  turn: Iteration,
  judged: PropertySet,
  known: KnownStates
): Generator<undefined, IterationResult> {
  const results = new IterationResults(turn, judged, known)
  let ready: SearchRoot
  try {
    ready = turn.prepare()
  } catch (error) {
    if (!(error instanceof Unsearchable)) results.addDefect(error)
    return results.finish(true)
  }
  const prepared = { ...ready, search: withRandomFaults(ready, turn.mode, turn.random) }
  const watched = createMonitors(prepared, judged.invariants)
  const strategy = turn.mode.strategy(turn.seed)
  const rarity = turn.random.pick([1, 1, 4, 16])
  while (!results.isEnough) {
    yield
    const decide = strategy.next()
    if (decide === undefined) break
    try {
      const attempted = executeRun(prepared, watched, withFaultRarity(decide, rarity, turn.random))
      strategy.onRunFinished(attempted)
      results.addRun(prepared, attempted)
    } catch (error) {
      results.addDefect(error)
      break
    }
  }
  return results.finish(false)
}

const runsMax = 25
/** The limit of choices, so that scripts with long runs get fewer runs. */
const decisionsMax = 3000
/** Probes are checked in one of so many new states. */
const probeInterval = 8

class IterationResults {
  readonly #turn: Iteration
  readonly #judged: PropertySet
  readonly #known: KnownStates
  #runs = 0
  #requests = 0
  #decisions = 0
  readonly #worlds = new Set<number>()
  readonly #sighted: Array<Sighting> = []

  constructor(turn: Iteration, judged: PropertySet, known: KnownStates) {
    this.#turn = turn
    this.#judged = judged
    this.#known = known
  }

  get isEnough(): boolean {
    return this.#runs >= runsMax || this.#decisions >= decisionsMax
  }

  addRun(prepared: SearchRoot, attempted: RunResult): void {
    const { violation, ended, outcome, requests, decisions } = attempted
    this.#runs += 1
    this.#requests += requests
    this.#decisions += decisions
    const isNew = ended === "DONE" && this.#isNew(stateBit(this.#turn.script, outcome))
    if (violation !== undefined) return this.#addViolation(prepared, attempted, violation)
    if (!isNew || this.#turn.random.below(probeInterval) > 0) return
    for (const { name, findViolation } of this.#judged.probes) {
      const words = findViolation(prepared, attempted)
      const at = attempted.setup.recorder.observations.length
      if (words !== undefined) return this.#addViolation(prepared, attempted, { invariant: name, words, at })
    }
  }

  /** A defect outside the properties: no script expresses it, and repeating the iteration reproduces it. */
  addDefect(error: unknown): void {
    const words = error instanceof Error ? error.message : String(error)
    const cause = `every run ends; ${words.replace(/[0-9a-f]*\d[\w-]*/g, "…").slice(0, 120)}`
    this.#runs += 1
    this.#sighted.push({
      failureClass: cause,
      words,
      invariant: "every run ends",
      shrunk: { cause, words, text: undefined }
    })
  }

  finish(isUnusable: boolean): IterationResult {
    return {
      script: this.#turn.script,
      mode: this.#turn.mode.name,
      runs: this.#runs,
      requests: this.#requests,
      worlds: [...this.#worlds],
      isUnusable,
      sightings: this.#sighted
    }
  }

  #isNew(world: number): boolean {
    if (this.#known.seen.has(world) || this.#worlds.has(world)) return false
    this.#worlds.add(world)
    return true
  }

  #addViolation(prepared: SearchRoot, { schedule, setup }: RunResult, violation: Violation): void {
    const look = failureClassOf(setup.recorder.observations, violation)
    const { words, invariant } = violation
    const isKnown = this.#known.isKnown(look) || this.#sighted.some((one) => one.failureClass === look)
    const shrunk = isKnown ? undefined : minimized(prepared, schedule, violation, look, this.#judged)
    this.#sighted.push({ failureClass: look, words, invariant, shrunk })
  }
}

const minimized = (
  prepared: SearchRoot,
  schedule: Schedule,
  violation: Violation,
  look: string,
  all: PropertySet
): MinimizedViolation => {
  // Only the violated probe is checked during minimization: the others are slow and irrelevant.
  const judged = { ...all, probes: all.probes.filter(({ name }) => name === violation.invariant) }
  const shrunk = minimizeFinding(prepared, { violation, schedule, by: "", after: 0 }, judged)
  if (shrunk === undefined) return { cause: look, words: violation.words, text: undefined }
  const { text, words } = shrunk
  return { cause: classOfScript(shrunk, judged) ?? look, words, text }
}

/** Undefined if the saved script does not reproduce the violation. */
const classOfScript = ({ text, invariant }: MinimizedFinding, judged: PropertySet): string | undefined => {
  const failing = Result.getOrUndefined(Result.map(readScenario("found.yaml", text), failingRunIn))
  if (failing === undefined) return undefined
  const { attempted, violation } = replayRun(failing, strictReplay(failing), judged)
  if (violation?.invariant !== invariant) return undefined
  return failureClassOf(attempted.setup.recorder.observations, violation)
}
