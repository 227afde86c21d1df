/** The strategies of a search in their order: first what proves something, then what finds what is far away. */
import { DelayBounded } from "./delay-bounded.ts"
import { Exhaustive } from "./exhaustive.ts"
import { priorities } from "./priorities.ts"
import { randomWalk } from "./random-walk.ts"
import type { Strategy } from "./strategy.ts"

export const strategyNames = ["exhaustive", "delays", "priorities", "random"] as const
export type StrategyName = (typeof strategyNames)[number]

export const strategyOf = (name: StrategyName, seed: number): Strategy => {
  switch (name) {
    case "exhaustive":
      return new Exhaustive()
    case "delays":
      return new DelayBounded(3)
    case "priorities":
      return priorities(seed)
    case "random":
      return randomWalk(seed)
  }
}

/** Half of all runs go to a proof; what it leaves is shared by the others. */
export const portfolio = (seed: number, runsMax: number): ReadonlyArray<readonly [Strategy, number]> => [
  [strategyOf("exhaustive", seed), Math.ceil(runsMax / 2)],
  [strategyOf("delays", seed), Math.ceil(runsMax / 6)],
  [strategyOf("priorities", seed), Math.ceil(runsMax / 6)],
  [strategyOf("random", seed), Math.ceil(runsMax / 6)]
]
