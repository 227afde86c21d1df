/** The source of the runs of a search: they are executed in their turn, or ahead of it by other threads. */
import type { Monitors } from "../properties/monitors.ts"
import { executeRun, type RunResult } from "./search-run.ts"
import type { SearchRoot } from "./search-root.ts"
import type { Strategy } from "./strategies/strategy.ts"

/** A run in its turn. */
export interface SearchedRun extends Omit<RunResult, "setup" | "context"> {
  /** True if the probes were checked at its end and hold. */
  readonly areProbesMet: boolean
  /** The run with its world, which is executed again if another thread executed it. */
  readonly withWorld: () => RunResult
}

export interface RunSource {
  /** The next run of a strategy; undefined if none is left. */
  readonly next: (strategy: Strategy) => SearchedRun | undefined
}

/** The search that a source supplies with runs. */
export interface RunningSearch {
  readonly root: SearchRoot
  readonly monitors: Monitors
  /** The outcomes so far, as JSON. */
  readonly outcomes: ReadonlyMap<string, unknown>
}

export const runsInTurn = ({ root, monitors }: RunningSearch): RunSource => ({
  next: (strategy) => {
    const decide = strategy.next()
    return decide && searchedRun(executeRun(root, monitors, decide))
  }
})

export const searchedRun = (result: RunResult): SearchedRun => ({
  ...result,
  areProbesMet: false,
  withWorld: () => result
})
