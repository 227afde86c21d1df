/** Random walk: every option is equally likely, and faults are rare. */
import type { Decider } from "../choice-point.ts"
import type { RandomPlan, Strategy } from "./strategy.ts"
import { SeededRandom } from "../../kernel/seeded-random.ts"

export const randomWalk = (seed: number): Strategy => {
  let runs = 0
  const planOf = (run: number): RandomPlan => ({ by: "random walk", seed, run })
  return {
    name: "random walk",
    next: () => randomDecider(planOf((runs += 1))),
    upcoming: (most) => Array.from({ length: most }, (_, index) => planOf(runs + 1 + index)),
    onRunFinished: () => {},
    proof: () => ({ isComplete: false, states: undefined, leftOut: "all schedules that were not sampled" })
  }
}

export const randomDecider = ({ seed, run }: RandomPlan): Decider => {
  const random = new SeededRandom(seed)
  const stream = `run ${run}`
  return ({ kind, options }) => {
    if (kind === "order") return random.below(options.length, stream)
    return random.below(faultRarity, stream) === 0 ? 1 + random.below(options.length - 1, stream) : 0
  }
}

/** A fault is injected at one of so many opportunities. */
export const faultRarity = 8
