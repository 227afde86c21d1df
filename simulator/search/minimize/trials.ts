/** Executes candidate runs and compares their violation with the original one. */
import { Result } from "effect"
import type { MonitoredProperty } from "../../properties/property.ts"
import type { Monitors, Violation } from "../../properties/monitors.ts"
import { Livelock } from "../../kernel/livelock.ts"
import { scenarioProperty } from "../../scenario/properties/scenario-property.ts"
import { readScenario } from "../../scenario/format/read.ts"
import { writeScenario } from "../../scenario/format/write.ts"
import { executeRun, type RunResult, createMonitors } from "../search-run.ts"
import { prepareSearchRoot, type SearchRoot, Unsearchable } from "../search-root.ts"
import type { Probe } from "../isolation/probe.ts"
import { type FailingRun, stepFormsOf, scenarioOf, replaySearch } from "./failing-run.ts"
import { ScheduleReplay, type RecordedChoice, type ReplaySchedule } from "./replay.ts"

export interface PropertySet {
  readonly properties: ReadonlyArray<MonitoredProperty>
  readonly probes: ReadonlyArray<Probe>
}

/** The built-in properties and those of the script. */
export const withScriptProperties = ({ opening }: FailingRun, { properties, probes }: PropertySet): PropertySet => ({
  properties: [...properties, ...opening.properties.map(scenarioProperty)],
  probes
})

/** A replayed run. */
export interface ReplayedRun {
  readonly result: RunResult
  readonly violation: Violation | undefined
  readonly replay: ScheduleReplay
}

/** A candidate that reproduces the violation. */
export interface ReproducedRun {
  /** With the actual choices, for a strict replay. */
  readonly failing: FailingRun
  readonly made: ReadonlyArray<RecordedChoice>
  readonly violation: Violation
  readonly result: RunResult
}

/** Replays one run. Throws `Unsearchable` if a step before the explore step fails. */
export const replayRun = (failing: FailingRun, wanted: ReplaySchedule, checks: PropertySet): ReplayedRun => {
  const root = prepareSearchRoot(scenarioOf(failing))
  return runOf(root, createMonitors(root, checks.properties), wanted, checks)
}

export const strictReplay = ({ choices }: FailingRun): ReplaySchedule => ({ names: choices, how: "STRICT" })

const runOf = (root: SearchRoot, monitors: Monitors, wanted: ReplaySchedule, { probes }: PropertySet): ReplayedRun => {
  const replay = new ScheduleReplay(wanted)
  const result = executeRun(root, monitors, replay.decide)
  return { result, replay, violation: result.violation ?? violatedProbe(root, result, probes) }
}

/** The first probe that a finished run violates. */
export const violatedProbe = (
  root: SearchRoot,
  result: RunResult,
  probes: ReadonlyArray<Probe>
): Violation | undefined => {
  if (result.ended !== "DONE") return undefined
  for (const { name, findViolation } of probes) {
    const words = findViolation(root, result)
    if (words !== undefined) return { property: name, words, at: result.setup.recorder.observations.length }
  }
  return undefined
}

export class Trials {
  /** The number of runs; preparing a search root counts as several. */
  runs = 0
  readonly #property: string
  readonly #checks: PropertySet
  readonly #runsMax: number
  /** The acts without a request in the original run. */
  #acts: ReadonlySet<string> | undefined
  /** By the steps before the explore step; undefined if they fail. */
  readonly #roots = new Map<string, { readonly root: SearchRoot; readonly monitors: Monitors } | undefined>()

  constructor(property: string, checks: PropertySet, runsMax: number) {
    this.#property = property
    this.#checks = checks
    this.#runsMax = runsMax
  }

  get isOver(): boolean {
    return this.runs >= this.#runsMax
  }

  /** Undefined if it violates no property or another one. */
  try(failing: FailingRun, wanted: ReplaySchedule): ReproducedRun | undefined {
    const ready = this.#ready(failing)
    if (ready === undefined) return undefined
    this.runs += 1
    const scenario = scenarioOf(failing)
    const rest = scenario.steps.slice(failing.before.length + 1)
    const root = { ...ready.root, scenario, search: replaySearch(failing), rest }
    const { result, violation, replay } = runOf(root, ready.monitors, wanted, this.#checks)
    if (violation?.property !== this.#property) return undefined
    // A request without a session becomes an act of the operator, which is another run.
    const acts = actsIn(result)
    this.#acts ??= acts
    if ([...acts].some((act) => this.#acts?.has(act) === false)) return undefined
    const made = replay.needed
    const reproduced = { ...failing, choices: made.map(({ chosen }) => chosen) }
    return isReadable(reproduced) ? { failing: reproduced, made, violation, result } : undefined
  }

  #ready(failing: FailingRun) {
    const key = JSON.stringify(failing.before)
    if (this.#roots.has(key)) return this.#roots.get(key)
    this.runs += preparationCost
    const root = prepareIfPossible(failing)
    const ready = root === undefined ? undefined : { root, monitors: createMonitors(root, this.#checks.properties) }
    // Search roots are large, so only the most recent ones are cached; failed preparations are small.
    if (ready !== undefined) {
      const [oldest, ...others] = [...this.#roots].filter(([, one]) => one !== undefined)
      if (oldest !== undefined && others.length >= rootsCached - 1) this.#roots.delete(oldest[0])
    }
    this.#roots.set(key, ready)
    return ready
  }
}

const actsIn = ({ setup }: RunResult): ReadonlySet<string> =>
  new Set(setup.recorder.observations.flatMap((one) => (one.kind === "act" ? [`${one.actor} ${one.operation}`] : [])))

const preparationCost = 3
const rootsCached = 4

const prepareIfPossible = (failing: FailingRun): SearchRoot | undefined => {
  try {
    return prepareSearchRoot(scenarioOf(failing))
  } catch (error) {
    if (error instanceof Unsearchable || error instanceof Livelock) return undefined
    throw error
  }
}

/** Removing steps can leave a script that the format rejects. */
const isReadable = (failing: FailingRun): boolean =>
  Result.isSuccess(readScenario("shrunk.yaml", writeScenario(failing.opening, stepFormsOf(failing))))
