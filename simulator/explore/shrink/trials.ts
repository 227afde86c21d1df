/** Tries runs out: whether one goes wrong in the same way as the one that is to be made less. */
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

/** The invariants together with the properties of the script. */
export const withProperties = ({ opening }: Failing, { invariants, probes }: Judged): Judged => ({
  invariants: [...invariants, ...opening.properties.map(invariantOf)],
  probes
})

/** A run that was had. */
export interface Ran {
  readonly attempted: Attempted
  readonly violation: Violation | undefined
  readonly following: Following
}

/** A run that goes wrong as it should. */
export interface Tried {
  /** With the choices that were really made, so that it can be had again to the letter. */
  readonly failing: Failing
  readonly made: ReadonlyArray<Made>
  readonly violation: Violation
  readonly attempted: Attempted
}

/** Has one run again. Throws `Unsearchable` where it cannot be brought to the point from which orders matter. */
export const rerun = (failing: Failing, wanted: Wanted, judged: Judged): Ran => {
  const prepared = prepare(scenarioOf(failing))
  return runOf(prepared, watch(prepared, judged.invariants), wanted, judged)
}

export const toTheLetter = ({ choices }: Failing): Wanted => ({ names: choices, how: "TO_THE_LETTER" })

const runOf = (prepared: Prepared, watched: Monitors, wanted: Wanted, { probes }: Judged): Ran => {
  const following = new Following(wanted)
  const attempted = attempt(prepared, watched, following.decide)
  return { attempted, following, violation: attempted.violation ?? probed(prepared, attempted, probes) }
}

const probed = (prepared: Prepared, attempted: Attempted, probes: ReadonlyArray<Probe>): Violation | undefined => {
  if (attempted.ended !== "DONE") return undefined
  for (const { name, tries } of probes) {
    const words = tries(prepared, attempted)
    if (words !== undefined) return { invariant: name, words, at: attempted.stage.recorder.observations.length }
  }
  return undefined
}

export class Trials {
  /** How many runs there were; bringing a world to the point anew counts as several. */
  runs = 0
  readonly #invariant: string
  readonly #judged: Judged
  readonly #runsMax: number
  /** What was done without a request in the run that is made less. */
  #acts: ReadonlySet<string> | undefined
  /** By what comes before the point; undefined where that does not go. */
  readonly #prepared = new Map<string, { readonly prepared: Prepared; readonly watched: Monitors } | undefined>()

  constructor(invariant: string, judged: Judged, runsMax: number) {
    this.#invariant = invariant
    this.#judged = judged
    this.#runsMax = runsMax
  }

  get isOver(): boolean {
    return this.runs >= this.#runsMax
  }

  /** Undefined where nothing goes wrong in it, or something else does. */
  try(failing: Failing, wanted: Wanted): Tried | undefined {
    const ready = this.#ready(failing)
    if (ready === undefined) return undefined
    this.runs += 1
    const scenario = scenarioOf(failing)
    const rest = scenario.steps.slice(failing.before.length + 1)
    const prepared = { ...ready.prepared, scenario, search: searchOf(failing), rest }
    const { attempted, violation, following } = runOf(prepared, ready.watched, wanted, this.#judged)
    if (violation?.invariant !== this.#invariant) return undefined
    // A request that nobody has a session for any more is an act of the operator: something else.
    const acts = actsIn(attempted)
    this.#acts ??= acts
    if ([...acts].some((act) => this.#acts?.has(act) === false)) return undefined
    const made = following.needed
    const came = { ...failing, choices: made.map(({ chosen }) => chosen) }
    return isReadable(came) ? { failing: came, made, violation, attempted } : undefined
  }

  #ready(failing: Failing) {
    const key = JSON.stringify(failing.before)
    if (this.#prepared.has(key)) return this.#prepared.get(key)
    this.runs += costOfPreparing
    const prepared = prepareOrNot(failing)
    const ready = prepared === undefined ? undefined : { prepared, watched: watch(prepared, this.#judged.invariants) }
    // Worlds are large, and only the last that went wrong is come back to; whatever does not go is small.
    if (ready !== undefined) {
      const [oldest, ...others] = [...this.#prepared].filter(([, one]) => one !== undefined)
      if (oldest !== undefined && others.length >= worldsKept - 1) this.#prepared.delete(oldest[0])
    }
    this.#prepared.set(key, ready)
    return ready
  }
}

const actsIn = ({ stage }: Attempted): ReadonlySet<string> =>
  new Set(stage.recorder.observations.flatMap((one) => (one.kind === "act" ? [`${one.actor} ${one.operation}`] : [])))

const costOfPreparing = 3
const worldsKept = 4

const prepareOrNot = (failing: Failing): Prepared | undefined => {
  try {
    return prepare(scenarioOf(failing))
  } catch (error) {
    if (error instanceof Unsearchable || error instanceof Spinning) return undefined
    throw error
  }
}

/** Steps can be left out of a world that a script has to name. */
const isReadable = (failing: Failing): boolean =>
  Result.isSuccess(readScenario("shrunk.yaml", writeScenario(failing.opening, formsOf(failing))))
