/** A search strategy: it chooses the runs. */
import type { RunResult } from "../search-run.ts"
import type { Decider } from "../choice-point.ts"
import type { DepthFirstPlan } from "./depth-first-plan.ts"

export interface Strategy {
  readonly name: string
  /** The decisions of the next run; undefined if none is left. */
  readonly next: () => Decider | undefined
  /** Plans of the runs that it will probably choose, at most so many: exactly the next one, then others. */
  readonly upcoming: (most: number) => ReadonlyArray<RunPlan>
  /** Called with the result of each run. */
  readonly onRunFinished: (result: FinishedRun) => void
  /** The coverage so far. */
  readonly proof: () => Proof
}

/** What is known of a run before it begins, as plain data: it can be executed ahead, in another thread. */
export type RunPlan = DepthFirstPlan | PathPlan | RandomPlan | PriorityPlan

/** The options of the first choice points, then the first option. */
export interface PathPlan {
  readonly by: "path"
  readonly path: ReadonlyArray<number>
}

/** A run of a random walk, by its number. */
export interface RandomPlan {
  readonly by: "random walk"
  readonly seed: number
  readonly run: number
}

/** A run with random priorities, by its number. */
export interface PriorityPlan {
  readonly by: "priorities"
  readonly seed: number
  readonly run: number
  readonly changes: number
  /** The number of choice points of the longest run before. */
  readonly longest: number
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
