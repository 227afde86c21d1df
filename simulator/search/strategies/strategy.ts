/** A search strategy: it chooses the runs. */
import type { RunResult } from "../search-run.ts"
import type { Decider } from "../choice-point.ts"

export interface Strategy {
  readonly name: string
  /** The decisions of the next run; undefined if none is left. */
  readonly next: () => Decider | undefined
  /** Called with the result of each run. */
  readonly onRunFinished: (result: FinishedRun) => void
  /** The coverage so far. */
  readonly proof: () => Proof
}

export type FinishedRun = Pick<RunResult, "ended" | "violation" | "decisions">

export interface Proof {
  /** True if the search was exhaustive. */
  readonly isComplete: boolean
  /** The number of visited states, if counted. */
  readonly states: number | undefined
  /** The unexplored part in words; empty if there is none. */
  readonly leftOut: string
}
