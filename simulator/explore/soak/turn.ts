/** One turn of a search without an end: some runs of one script in one way, and what they came to. */
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
  /** Throws `Unsearchable` where it cannot be brought to the point from which orders matter. */
  readonly prepare: () => Prepared
}

export interface TurnCame {
  readonly script: string
  readonly way: string
  readonly runs: number
  readonly requests: number
  /** Those that nobody had come to before. */
  readonly worlds: ReadonlyArray<number>
  readonly isUnusable: boolean
  readonly sighted: ReadonlyArray<Sighted>
}

/** A violation as it was met. */
export interface Sighted {
  /** What it looks like before it is shrunk. */
  readonly look: string
  readonly words: string
  readonly invariant: string
  /** Undefined where it was not shrunk, as what looks like this is known. */
  readonly shrunk: Reduced | undefined
}

export interface Reduced {
  readonly cause: string
  readonly words: string
  /** As a script; undefined where a script cannot say it. */
  readonly text: string | undefined
}

export interface Known {
  readonly seen: SeenWorlds
  /** True where it is known well enough what looks like this. */
  readonly isKnown: (look: string) => boolean
}

/** Comes back after each run, so that whoever waits for it can do something else, or end it. */
export function* taken(turn: Turn, judged: Judged, known: Known): Generator<undefined, TurnCame> {
  const gathered = new Gathered(turn, judged, known)
  let ready: Prepared
  try {
    ready = turn.prepare()
  } catch (error) {
    if (!(error instanceof Unsearchable)) gathered.broke(error)
    return gathered.came(true)
  }
  const prepared = { ...ready, search: searchFor(ready, turn.way, turn.dice) }
  const watched = watch(prepared, judged.invariants)
  const strategy = turn.way.strategy(turn.seed)
  const rarity = turn.dice.pick([1, 1, 4, 16])
  while (!gathered.isEnough) {
    yield
    const decide = strategy.next()
    if (decide === undefined) break
    try {
      const attempted = attempt(prepared, watched, rarely(decide, rarity, turn.dice))
      strategy.came(attempted)
      gathered.ran(prepared, attempted)
    } catch (error) {
      gathered.broke(error)
      break
    }
  }
  return gathered.came(false)
}

const runsMax = 25
/** Long runs are had less often. */
const decisionsMax = 3000
/** Of so many new worlds, probes are tried in one. */
const probeRarity = 8

class Gathered {
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

  ran(prepared: Prepared, attempted: Attempted): void {
    const { violation, ended, outcome, requests, decisions } = attempted
    this.#runs += 1
    this.#requests += requests
    this.#decisions += decisions
    const isNew = ended === "DONE" && this.#isNew(worldOf(this.#turn.script, outcome))
    if (violation !== undefined) return this.#sees(prepared, attempted, violation)
    if (!isNew || this.#turn.dice.below(probeRarity) > 0) return
    for (const { name, tries } of this.#judged.probes) {
      const words = tries(prepared, attempted)
      const at = attempted.stage.recorder.observations.length
      if (words !== undefined) return this.#sees(prepared, attempted, { invariant: name, words, at })
    }
  }

  /** Something that no run may come to: no script says it, and the turn has it again. */
  broke(error: unknown): void {
    const words = error instanceof Error ? error.message : String(error)
    const cause = `every run ends; ${words.replace(/[0-9a-f]*\d[\w-]*/g, "…").slice(0, 120)}`
    this.#runs += 1
    this.#sighted.push({ look: cause, words, invariant: "every run ends", shrunk: { cause, words, text: undefined } })
  }

  came(isUnusable: boolean): TurnCame {
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

  #sees(prepared: Prepared, { schedule, stage }: Attempted, violation: Violation): void {
    const look = causeOf(stage.recorder.observations, violation)
    const { words, invariant } = violation
    const isKnown = this.#known.isKnown(look) || this.#sighted.some((one) => one.look === look)
    const shrunk = isKnown ? undefined : reduced(prepared, schedule, violation, look, this.#judged)
    this.#sighted.push({ look, words, invariant, shrunk })
  }
}

const reduced = (prepared: Prepared, schedule: Schedule, violation: Violation, look: string, all: Judged): Reduced => {
  // Where no probe found it, trying all of them after each run would take long, and tell nothing.
  const judged = { ...all, probes: all.probes.filter(({ name }) => name === violation.invariant) }
  const shrunk = shrinkFinding(prepared, { violation, schedule, by: "", after: 0 }, judged)
  if (shrunk === undefined) return { cause: look, words: violation.words, text: undefined }
  const { text, words } = shrunk
  return { cause: causeIn(shrunk, judged) ?? look, words, text }
}

/** Undefined where the script does not say it, although what it was written from did. */
const causeIn = ({ text, invariant }: ShownAndText, judged: Judged): string | undefined => {
  const failing = Result.getOrUndefined(Result.map(readScenario("found.yaml", text), failingIn))
  if (failing === undefined) return undefined
  const { attempted, violation } = rerun(failing, toTheLetter(failing), judged)
  if (violation?.invariant !== invariant) return undefined
  return causeOf(attempted.stage.recorder.observations, violation)
}
