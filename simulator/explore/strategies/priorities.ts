/**
 * Probabilistic concurrency testing: everybody has a priority, whoever has the highest goes first, and at a few moments
 * of a run, chosen by chance, whoever is first falls behind all others. A race that needs so many moments to be met is
 * found with a probability that does not shrink with the length of the run as that of a random walk does.
 */
import { Dice } from "./dice.ts"
import { mishapRarity } from "./random-walk.ts"
import type { Strategy } from "./strategy.ts"

export const priorities = (seed: number, changes = 2): Strategy => {
  let runs = 0
  let longest = 1
  return {
    name: "priorities",
    next: () => {
      const dice = new Dice(seed)
      const stream = `run ${(runs += 1)}`
      const moments = new Set(Array.from({ length: changes }, () => dice.below(longest, stream)))
      const ranks = new Map<string, number>()
      let choices = 0
      return ({ kind, options }) => {
        if (kind === "mishap") {
          return dice.below(mishapRarity, stream) === 0 ? 1 + dice.below(options.length - 1, stream) : 0
        }
        // By what each is about to do: of all that one process has under way, any may be slow.
        for (const one of options) if (!ranks.has(one)) ranks.set(one, changes + dice.below(aMillion, stream))
        const first = () => options.reduce((best, one, index) => (rank(one) > rank(options[best]!) ? index : best), 0)
        const rank = (one: string) => ranks.get(one) ?? 0
        if (moments.has(choices++)) ranks.set(options[first()]!, -choices)
        return first()
      }
    },
    came: ({ decisions }) => {
      longest = Math.max(longest, decisions)
    },
    proof: () => ({ isComplete: false, states: undefined, leftOut: "everything that chance did not come to" })
  }
}

const aMillion = 1_000_000
