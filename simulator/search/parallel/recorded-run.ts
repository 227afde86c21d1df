/**
 * A run that was executed ahead of its turn: its choice points and its result, as plain data. The strategy decides at the
 * recorded points as if the run were executed then; where it decides otherwise, the run is executed again.
 */
import type { Monitors } from "../../properties/monitors.ts"
import type { ChoicePoint, Decider } from "../choice-point.ts"
import { executeRun, type RunProgress, type RunResult } from "../search-run.ts"
import type { SearchRoot } from "../search-root.ts"

/** A result without its world. */
export type PlainResult = Omit<RunResult, "setup" | "context">

export interface RecordedRun {
  readonly points: ReadonlyArray<RecordedPoint>
  readonly result: PlainResult
  /** True if all probes hold at its end; undefined if they were not checked. */
  readonly areProbesMet: boolean | undefined
}

interface RecordedPoint extends Omit<ChoicePoint, "stateHash"> {
  /** Undefined if it was not asked for. */
  readonly stateHash: string | undefined
  readonly chosen: Decision
  readonly progress: RunProgress
}

type Decision = number | "CUT"

/** Executes a run and records it. `isMet` checks the probes of a finished run. */
export const recordRun = (
  root: SearchRoot,
  monitors: Monitors,
  decide: Decider,
  isMet: (result: RunResult) => boolean | undefined
): RecordedRun => {
  const points: Array<RecordedPoint> = []
  let stateHash: string | undefined
  const deciding: Decider = (point) => {
    stateHash = undefined
    return decide({ ...point, stateHash: () => (stateHash ??= point.stateHash()) })
  }
  const executed = executeRun(root, monitors, deciding, (point, chosen, progress) => {
    const { kind, options, offers, footprint } = point
    points.push({
      kind,
      options,
      offers: offers.map(plainTransition),
      footprint,
      stateHash,
      chosen,
      progress: progress()
    })
  })
  const { setup: _setup, context: _context, ...result } = executed
  return { points, result, areProbesMet: isMet(executed) }
}

const plainTransition = ({ history, wait }: ChoicePoint["offers"][number]): ChoicePoint["offers"][number] =>
  history === undefined ? { wait } : { history: { name: history.name }, wait }

/** The decisions of the strategy, and the result of the run with them; undefined if it was recorded with others. */
export interface Replayed {
  readonly made: ReadonlyArray<Decision>
  readonly result: PlainResult | undefined
}

export const replayRun = ({ points, result }: RecordedRun, decide: Decider): Replayed => {
  const made: Array<Decision> = []
  for (const { stateHash, chosen, progress, ...point } of points) {
    const decision = decide({ ...point, stateHash: () => recorded(stateHash) })
    made.push(decision)
    if (decision === chosen) continue
    return { made, result: decision === "CUT" ? cutAfter(made.length, progress) : undefined }
  }
  return { made, result }
}

const recorded = (stateHash: string | undefined): string => {
  if (stateHash === undefined) throw new Error("a planned run lacks the hash of a state that its strategy compares")
  return stateHash
}

/** The result of a run that the strategy prunes after so many decisions. */
const cutAfter = (decisions: number, { answers, observed: _observed, ...progress }: RunProgress): PlainResult => ({
  ...progress,
  ended: "CUT",
  violation: undefined,
  schedule: { choices: [], faults: [], visits: new Map(), calls: [] },
  decisions,
  outcome: { answers, rows: "" }
})

/** Repeats decisions, and then lets a strategy decide. */
export const following = (made: ReadonlyArray<Decision>, then: Decider): Decider => {
  let position = 0
  return (point) => made[position++] ?? then(point)
}
