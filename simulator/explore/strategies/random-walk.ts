/** Any option, each as likely as the others. What goes wrong is as rare as it is allowed to be often. */
import type { Strategy } from "./strategy.ts"
import { Dice } from "./dice.ts"

export const randomWalk = (seed: number): Strategy => {
  let runs = 0
  return {
    name: "random walk",
    next: () => {
      const dice = new Dice(seed)
      const stream = `run ${(runs += 1)}`
      return ({ kind, options }) => {
        if (kind === "order") return dice.below(options.length, stream)
        return dice.below(mishapRarity, stream) === 0 ? 1 + dice.below(options.length - 1, stream) : 0
      }
    },
    came: () => {},
    proof: () => ({ isComplete: false, states: undefined, leftOut: "everything that chance did not come to" })
  }
}

/** Of so many points at which something could go wrong, it does at one. */
export const mishapRarity = 8
