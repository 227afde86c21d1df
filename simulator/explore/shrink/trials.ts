/** Executes candidate runs and compares their violation with the original one. */
import { Result } from "effect"
import type { Invariant } from "../../invariants/invariant.ts"
import type { Monitors, Violation } from "../../invariants/monitors.ts"
import { Spinning } from "../../kernel/spinning.ts"
import { invariantOf } from "../../script-properties/invariant-of.ts"
import { readScenario } from "../../script/read.ts"
import { writeScenario } from "../../script/write.ts"
import { attempt, type Attempted, watch } from "../attempt.ts"
import { prepare, type Prepared, Unsearchable } from "../prepared.ts"
import type { Probe } from "../probe.ts"
import { type Failing, formsOf, scenarioOf, searchOf } from "./failing.ts"
import { Following, type Made, type Wanted } from "./following.ts"

export interface Judged {
  readonly invariants: ReadonlyArray<Invariant>
  readonly probes: ReadonlyArray<Probe>
}

/** The built-in properties and those of the script. */
export const withProperties = ({ opening }: Failing, { invariants, probes }: Judged): Judged => ({
  invariants: [...invariants, ...opening.properties.map(invariantOf)],
  probes
})

/** A replayed run. */
export interface Ran {
  readonly attempted: Attempted
  readonly violation: Violation | undefined
  readonly following: Following
}

/** A candidate that reproduces the violation. */
export interface Tried {
  /** With the actual choices, for a strict replay. */
  readonly failing: Failing
  readonly made: ReadonlyArray<Made>
  readonly violation: Violation
  readonly attempted: Attempted
}

/** Replays one run. Throws `Unsearchable` if a step before the explore step fails. */
export const rerun = (failing: Failing, wanted: Wanted, judged: Judged): Ran => {
  const prepared = prepare(scenarioOf(failing))
  return runOf(prepared, watch(prepared, judged.invariants), wanted, judged)
}

export const toTheLetter = ({ choices }: Failing): Wanted => ({ names: choices, how: "TO_THE_LETTER" })

const runOf = (prepared: Prepared, watched: Monitors, wanted: Wanted, { probes }: Judged): Ran => {
  const replay = new Following(wanted)
  const attempted = attempt(prepared, watched, replay.decide)
  return { attempted, following: replay, violation: attempted.violation ?? violatedProbe(prepared, attempted, probes) }
}

const violatedProbe = (
  prepared: Prepared,
  attempted: Attempted,
  probes: ReadonlyArray<Probe>
): Violation | undefined => {
  if (attempted.ended !== "DONE") return undefined
  for (const { name, tries } of probes) {
    const words = tries(prepared, attempted)
    if (words !== undefined) return { invariant: name, words, at: attempted.stage.recorder.observations.length }
  }
  return undefined
}

export class Trials {
  /** The number of runs; preparing a search root counts as several. */
  runs = 0
  readonly #invariant: string
  readonly #judged: Judged
  readonly #runsMax: number
  /** The acts without a request in the original run. */
  #acts: ReadonlySet<string> | undefined
  /** By the steps before the explore step; undefined if they fail. */
  readonly #prepared = new Map<string, { readonly prepared: Prepared; readonly watched: Monitors } | undefined>()

  constructor(invariant: string, judged: Judged, runsMax: number) {
    this.#invariant = invariant
    this.#judged = judged
    this.#runsMax = runsMax
  }

  get isOver(): boolean {
    return this.runs >= this.#runsMax
  }

  /** Undefined if it violates no property or another one. */
  try(failing: Failing, wanted: Wanted): Tried | undefined {
    const ready = this.#ready(failing)
    if (ready === undefined) return undefined
    this.runs += 1
    const scenario = scenarioOf(failing)
    const rest = scenario.steps.slice(failing.before.length + 1)
    const prepared = { ...ready.prepared, scenario, search: searchOf(failing), rest }
    const { attempted, violation, following } = runOf(prepared, ready.watched, wanted, this.#judged)
    if (violation?.invariant !== this.#invariant) return undefined
    // A request without a session becomes an act of the operator, which is another run.
    const acts = actsIn(attempted)
    this.#acts ??= acts
    if ([...acts].some((act) => this.#acts?.has(act) === false)) return undefined
    const made = following.needed
    const reproduced = { ...failing, choices: made.map(({ chosen }) => chosen) }
    return isReadable(reproduced) ? { failing: reproduced, made, violation, attempted } : undefined
  }

  #ready(failing: Failing) {
    const key = JSON.stringify(failing.before)
    if (this.#prepared.has(key)) return this.#prepared.get(key)
    this.runs += preparationCost
    const prepared = prepareIfPossible(failing)
    const ready = prepared === undefined ? undefined : { prepared, watched: watch(prepared, this.#judged.invariants) }
    // Search roots are large, so only the most recent ones are cached; failed preparations are small.
    if (ready !== undefined) {
      const [oldest, ...others] = [...this.#prepared].filter(([, one]) => one !== undefined)
      if (oldest !== undefined && others.length >= rootsCached - 1) this.#prepared.delete(oldest[0])
    }
    this.#prepared.set(key, ready)
    return ready
  }
}

const actsIn = ({ stage }: Attempted): ReadonlySet<string> =>
  new Set(stage.recorder.observations.flatMap((one) => (one.kind === "act" ? [`${one.actor} ${one.operation}`] : [])))

const preparationCost = 3
const rootsCached = 4

const prepareIfPossible = (failing: Failing): Prepared | undefined => {
  try {
    return prepare(scenarioOf(failing))
  } catch (error) {
    if (error instanceof Unsearchable || error instanceof Spinning) return undefined
    throw error
  }
}

/** Removing steps can leave a script that the format rejects. */
const isReadable = (failing: Failing): boolean =>
  Result.isSuccess(readScenario("shrunk.yaml", writeScenario(failing.opening, formsOf(failing))))
