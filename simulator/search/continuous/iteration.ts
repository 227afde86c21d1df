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
  readonly property: string
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
  readonly isKnown: (failureClass: string) => boolean
}

/** Yields after each run, so that the caller can handle signals or stop. */
export function* runIteration(
  turn: Iteration,
  checks: PropertySet,
  known: KnownStates
): Generator<undefined, IterationResult> {
  const results = new IterationResults(turn, checks, known)
  let ready: SearchRoot
  try {
    ready = turn.prepare()
  } catch (error) {
    if (!(error instanceof Unsearchable)) results.addDefect(error)
    return results.finish(true)
  }
  const root = { ...ready, search: withRandomFaults(ready, turn.mode, turn.random) }
  const monitors = createMonitors(root, checks.properties)
  const strategy = turn.mode.strategy(turn.seed)
  const rarity = turn.random.pick([1, 1, 4, 16])
  while (!results.isEnough) {
    yield
    const decide = strategy.next()
    if (decide === undefined) break
    try {
      const result = executeRun(root, monitors, withFaultRarity(decide, rarity, turn.random))
      strategy.onRunFinished(result)
      results.addRun(root, result)
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
  readonly #checks: PropertySet
  readonly #known: KnownStates
  #runs = 0
  #requests = 0
  #decisions = 0
  readonly #worlds = new Set<number>()
  readonly #sightings: Array<Sighting> = []

  constructor(turn: Iteration, checks: PropertySet, known: KnownStates) {
    this.#turn = turn
    this.#checks = checks
    this.#known = known
  }

  get isEnough(): boolean {
    return this.#runs >= runsMax || this.#decisions >= decisionsMax
  }

  addRun(root: SearchRoot, result: RunResult): void {
    const { violation, ended, outcome, requests, decisions } = result
    this.#runs += 1
    this.#requests += requests
    this.#decisions += decisions
    const isNew = ended === "DONE" && this.#isNew(stateBit(this.#turn.script, outcome))
    if (violation !== undefined) return this.#addViolation(root, result, violation)
    if (!isNew || this.#turn.random.below(probeInterval) > 0) return
    for (const { name, findViolation } of this.#checks.probes) {
      const words = findViolation(root, result)
      const at = result.setup.recorder.observations.length
      if (words !== undefined) return this.#addViolation(root, result, { property: name, words, at })
    }
  }

  /** A defect outside the properties: no script expresses it, and repeating the iteration reproduces it. */
  addDefect(error: unknown): void {
    const words = error instanceof Error ? error.message : String(error)
    const cause = `every run ends; ${words.replace(/[0-9a-f]*\d[\w-]*/g, "…").slice(0, 120)}`
    this.#runs += 1
    this.#sightings.push({
      failureClass: cause,
      words,
      property: "every run ends",
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
      sightings: this.#sightings
    }
  }

  #isNew(world: number): boolean {
    if (this.#known.seen.has(world) || this.#worlds.has(world)) return false
    this.#worlds.add(world)
    return true
  }

  #addViolation(root: SearchRoot, { schedule, setup }: RunResult, violation: Violation): void {
    const failureClass = failureClassOf(setup.recorder.observations, violation)
    const { words, property } = violation
    const isKnown =
      this.#known.isKnown(failureClass) || this.#sightings.some((one) => one.failureClass === failureClass)
    const shrunk = isKnown ? undefined : minimized(root, schedule, violation, failureClass, this.#checks)
    this.#sightings.push({ failureClass, words, property, shrunk })
  }
}

const minimized = (
  root: SearchRoot,
  schedule: Schedule,
  violation: Violation,
  failureClass: string,
  all: PropertySet
): MinimizedViolation => {
  // Only the violated probe is checked during minimization: the others are slow and irrelevant.
  const checks = { ...all, probes: all.probes.filter(({ name }) => name === violation.property) }
  const shrunk = minimizeFinding(root, { violation, schedule, by: "", after: 0 }, checks)
  if (shrunk === undefined) return { cause: failureClass, words: violation.words, text: undefined }
  const { text, words } = shrunk
  return { cause: classOfScript(shrunk, checks) ?? failureClass, words, text }
}

/** Undefined if the saved script does not reproduce the violation. */
const classOfScript = ({ text, property }: MinimizedFinding, checks: PropertySet): string | undefined => {
  const failing = Result.getOrUndefined(Result.map(readScenario("found.yaml", text), failingRunIn))
  if (failing === undefined) return undefined
  const { result, violation } = replayRun(failing, strictReplay(failing), checks)
  if (violation?.property !== property) return undefined
  return failureClassOf(result.setup.recorder.observations, violation)
}
