/** Random walk: every option is equally likely, and faults are rare. */
import type { Strategy } from "./strategy.ts"
import { SeededRandom } from "../../kernel/seeded-random.ts"

export const randomWalk = (seed: number): Strategy => {
  let runs = 0
  return {
    name: "random walk",
    next: () => {
      const random = new SeededRandom(seed)
      const stream = `run ${(runs += 1)}`
      return ({ kind, options }) => {
        if (kind === "order") return random.below(options.length, stream)
        return random.below(faultRarity, stream) === 0 ? 1 + random.below(options.length - 1, stream) : 0
      }
    },
    onRunFinished: () => {},
    proof: () => ({ isComplete: false, states: undefined, leftOut: "all schedules that were not sampled" })
  }
}

/** A fault is injected at one of so many opportunities. */
export const faultRarity = 8
