/** The modes of the continuous search: sampling strategy, number of faults, and whether processes are slow. */
import type { Dice } from "../../generate/dice.ts"
import type { Decide } from "../point.ts"
import { priorities } from "../strategies/priorities.ts"
import { randomWalk } from "../strategies/random-walk.ts"
import type { Strategy } from "../strategies/strategy.ts"

export interface Way {
  readonly name: string
  readonly most: number
  readonly isSlow: boolean
  readonly strategy: (seed: number) => Strategy
}

const strategies: ReadonlyArray<readonly [name: string, strategy: (seed: number) => Strategy]> = [
  ["random walk", randomWalk],
  ["priorities", (seed) => priorities(seed)],
  ["priorities that change often", (seed) => priorities(seed, 5)]
]

export const ways: ReadonlyArray<Way> = strategies.flatMap(([name, strategy]) =>
  [1, 2, 3].flatMap((most) =>
    [false, true].map((isSlow): Way => ({
      name: `${name}, ${most} at most${isSlow ? ", slow" : ""}`,
      most,
      isSlow,
      strategy
    }))
  )
)

/** Keeps one in `rarity` of the chosen faults, which would otherwise all occur at the start of a long run. */
export const rarely =
  (decide: Decide, rarity: number, dice: Dice): Decide =>
  (point) => {
    const wanted = decide(point)
    return point.kind === "order" || wanted === 0 || dice.below(rarity) === 0 ? wanted : 0
  }
