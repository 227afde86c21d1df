/** The modes of the continuous search: sampling strategy, number of faults, and whether processes are slow. */
import type { SeededRandom } from "../../kernel/seeded-random.ts"
import type { Decider } from "../choice-point.ts"
import { pct } from "../strategies/pct.ts"
import { randomWalk } from "../strategies/random-walk.ts"
import type { Strategy } from "../strategies/strategy.ts"

export interface SearchMode {
  readonly name: string
  readonly most: number
  readonly isSlow: boolean
  readonly strategy: (seed: number) => Strategy
}

const strategies: ReadonlyArray<readonly [name: string, strategy: (seed: number) => Strategy]> = [
  ["random walk", randomWalk],
  ["priorities", (seed) => pct(seed)],
  ["priorities that change often", (seed) => pct(seed, 5)]
]

export const searchModes: ReadonlyArray<SearchMode> = strategies.flatMap(([name, strategy]) =>
  [1, 2, 3].flatMap((most) =>
    [false, true].map((isSlow): SearchMode => ({
      name: `${name}, ${most} at most${isSlow ? ", slow" : ""}`,
      most,
      isSlow,
      strategy
    }))
  )
)

/** Keeps one in `rarity` of the chosen faults, which would otherwise all occur at the start of a long run. */
export const withFaultRarity =
  (decide: Decider, rarity: number, random: SeededRandom): Decider =>
  (point) => {
    const wanted = decide(point)
    return point.kind === "order" || wanted === 0 || random.below(rarity) === 0 ? wanted : 0
  }
