/** In which ways a script is searched beyond its proof: how chance decides, how much goes wrong at once, how slow anybody is. */
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

/** Of the mishaps that a strategy wants, one in `rarity`: in a long run the others would all happen at its beginning. */
export const rarely =
  (decide: Decide, rarity: number, dice: Dice): Decide =>
  (point) => {
    const wanted = decide(point)
    return point.kind === "order" || wanted === 0 || dice.below(rarity) === 0 ? wanted : 0
  }
