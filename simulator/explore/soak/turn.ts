/** One iteration of the continuous search: some runs of one script in one search mode. */
import { Result } from "effect"
import type { Dice } from "../../generate/dice.ts"
import type { Violation } from "../../invariants/monitors.ts"
import { readScenario } from "../../script/read.ts"
import { attempt, type Attempted, watch } from "../attempt.ts"
import { type ShownAndText, shrinkFinding } from "../found/shrink-script.ts"
import { type Prepared, Unsearchable } from "../prepared.ts"
import type { Schedule } from "../schedule.ts"
import { failingIn } from "../shrink/failing.ts"
import { type Judged, rerun, toTheLetter } from "../shrink/trials.ts"
import { causeOf } from "./cause.ts"
import { searchFor } from "./mishaps.ts"
import { type SeenWorlds, worldOf } from "./seen-worlds.ts"
import { rarely, type Way } from "./ways.ts"

export interface Turn {
  readonly script: string
  readonly way: Way
  readonly dice: Dice
  /** The seed of the strategy. */
  readonly seed: number
  /** Throws `Unsearchable` if a step before the explore step fails. */
  readonly prepare: () => Prepared
}

export interface TurnCame {
  readonly script: string
  readonly way: string
  readonly runs: number
  readonly requests: number
  /** The new states. */
  readonly worlds: ReadonlyArray<number>
  readonly isUnusable: boolean
  readonly sighted: ReadonlyArray<Sighted>
}

/** An observed violation. */
export interface Sighted {
  /** Its failure class before minimization. */
  readonly look: string
  readonly words: string
  readonly invariant: string
  /** Undefined if it was not minimized, since its class is known. */
  readonly shrunk: Reduced | undefined
}

export interface Reduced {
  readonly cause: string
  readonly words: string
  /** The script; undefined if the format cannot express it. */
  readonly text: string | undefined
}

export interface Known {
  readonly seen: SeenWorlds
  /** True if violations of this class were minimized often enough. */
  readonly isKnown: (look: string) => boolean
}

/** Yields after each run, so that the caller can handle signals or stop. */
export function* taken(turn: Turn, judged: Judged, known: Known): Generator<undefined, TurnCame> {
  const results = new IterationResults(turn, judged, known)
  let ready: Prepared
  try {
    ready = turn.prepare()
  } catch (error) {
    if (!(error instanceof Unsearchable)) results.addDefect(error)
    return results.finish(true)
  }
  const prepared = { ...ready, search: searchFor(ready, turn.way, turn.dice) }
  const watched = watch(prepared, judged.invariants)
  const strategy = turn.way.strategy(turn.seed)
  const rarity = turn.dice.pick([1, 1, 4, 16])
  while (!results.isEnough) {
    yield
    const decide = strategy.next()
    if (decide === undefined) break
    try {
      const attempted = attempt(prepared, watched, rarely(decide, rarity, turn.dice))
      strategy.came(attempted)
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
  readonly #turn: Turn
  readonly #judged: Judged
  readonly #known: Known
  #runs = 0
  #requests = 0
  #decisions = 0
  readonly #worlds = new Set<number>()
  readonly #sighted: Array<Sighted> = []

  constructor(turn: Turn, judged: Judged, known: Known) {
    this.#turn = turn
    this.#judged = judged
    this.#known = known
  }

  get isEnough(): boolean {
    return this.#runs >= runsMax || this.#decisions >= decisionsMax
  }

  addRun(prepared: Prepared, attempted: Attempted): void {
    const { violation, ended, outcome, requests, decisions } = attempted
    this.#runs += 1
    this.#requests += requests
    this.#decisions += decisions
    const isNew = ended === "DONE" && this.#isNew(worldOf(this.#turn.script, outcome))
    if (violation !== undefined) return this.#addViolation(prepared, attempted, violation)
    if (!isNew || this.#turn.dice.below(probeInterval) > 0) return
    for (const { name, tries } of this.#judged.probes) {
      const words = tries(prepared, attempted)
      const at = attempted.stage.recorder.observations.length
      if (words !== undefined) return this.#addViolation(prepared, attempted, { invariant: name, words, at })
    }
  }

  /** A defect outside the properties: no script expresses it, and repeating the iteration reproduces it. */
  addDefect(error: unknown): void {
    const words = error instanceof Error ? error.message : String(error)
    const cause = `every run ends; ${words.replace(/[0-9a-f]*\d[\w-]*/g, "…").slice(0, 120)}`
    this.#runs += 1
    this.#sighted.push({ look: cause, words, invariant: "every run ends", shrunk: { cause, words, text: undefined } })
  }

  finish(isUnusable: boolean): TurnCame {
    return {
      script: this.#turn.script,
      way: this.#turn.way.name,
      runs: this.#runs,
      requests: this.#requests,
      worlds: [...this.#worlds],
      isUnusable,
      sighted: this.#sighted
    }
  }

  #isNew(world: number): boolean {
    if (this.#known.seen.has(world) || this.#worlds.has(world)) return false
    this.#worlds.add(world)
    return true
  }

  #addViolation(prepared: Prepared, { schedule, stage }: Attempted, violation: Violation): void {
    const look = causeOf(stage.recorder.observations, violation)
    const { words, invariant } = violation
    const isKnown = this.#known.isKnown(look) || this.#sighted.some((one) => one.look === look)
    const shrunk = isKnown ? undefined : minimized(prepared, schedule, violation, look, this.#judged)
    this.#sighted.push({ look, words, invariant, shrunk })
  }
}

const minimized = (
  prepared: Prepared,
  schedule: Schedule,
  violation: Violation,
  look: string,
  all: Judged
): Reduced => {
  // Only the violated probe is checked during minimization: the others are slow and irrelevant.
  const judged = { ...all, probes: all.probes.filter(({ name }) => name === violation.invariant) }
  const shrunk = shrinkFinding(prepared, { violation, schedule, by: "", after: 0 }, judged)
  if (shrunk === undefined) return { cause: look, words: violation.words, text: undefined }
  const { text, words } = shrunk
  return { cause: classOfScript(shrunk, judged) ?? look, words, text }
}

/** Undefined if the saved script does not reproduce the violation. */
const classOfScript = ({ text, invariant }: ShownAndText, judged: Judged): string | undefined => {
  const failing = Result.getOrUndefined(Result.map(readScenario("found.yaml", text), failingIn))
  if (failing === undefined) return undefined
  const { attempted, violation } = rerun(failing, toTheLetter(failing), judged)
  if (violation?.invariant !== invariant) return undefined
  return causeOf(attempted.stage.recorder.observations, violation)
}
