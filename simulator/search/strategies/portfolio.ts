/** The strategies of a search in order: exhaustive first, then sampling of distant schedules. */
import { DelayBoundedSearch } from "./delay-bounded.ts"
import { DepthFirstSearch } from "./depth-first.ts"
import { pct } from "./pct.ts"
import { randomWalk } from "./random-walk.ts"
import type { Strategy } from "./strategy.ts"

export const strategyNames = ["exhaustive", "delays", "priorities", "random"] as const
export type StrategyName = (typeof strategyNames)[number]

export const strategyOf = (name: StrategyName, seed: number): Strategy => {
  switch (name) {
    case "exhaustive":
      return new DepthFirstSearch()
    case "delays":
      return new DelayBoundedSearch(3)
    case "priorities":
      return pct(seed)
    case "random":
      return randomWalk(seed)
  }
}

/** Half of all runs go to the exhaustive search; the others share the rest. */
export const portfolio = (seed: number, runsMax: number): ReadonlyArray<readonly [Strategy, number]> => [
  [strategyOf("exhaustive", seed), Math.ceil(runsMax / 2)],
  [strategyOf("delays", seed), Math.ceil(runsMax / 6)],
  [strategyOf("priorities", seed), Math.ceil(runsMax / 6)],
  [strategyOf("random", seed), Math.ceil(runsMax / 6)]
]
