/** How runs are chosen of all there could be. */
import type { Attempted } from "../attempt.ts"
import type { Decide } from "../point.ts"

export interface Strategy {
  readonly name: string
  /** How to decide in the next run; undefined where there is none left. */
  readonly next: () => Decide | undefined
  /** Told what came of it. */
  readonly came: (attempted: Came) => void
  /** What is known by now. */
  readonly proof: () => Proof
}

export type Came = Pick<Attempted, "ended" | "violation" | "decisions">

export interface Proof {
  /** True where every order that could matter was tried. */
  readonly isComplete: boolean
  /** How many different worlds were come to, where that is counted. */
  readonly states: number | undefined
  /** In words, what was not tried; empty where nothing was left out. */
  readonly leftOut: string
}
