/**
 * Probabilistic concurrency testing (PCT): the option with the highest random priority is first, and at a few random
 * change points its priority drops below all others. Unlike with a random walk, the probability to find a race of that
 * depth does not fall exponentially with the length of the run.
 */
import { SeededRandom } from "../../kernel/seeded-random.ts"
import { faultRarity } from "./random-walk.ts"
import type { Decider } from "../choice-point.ts"
import type { PriorityPlan, Strategy } from "./strategy.ts"

export const pct = (seed: number, changes = 2): Strategy => {
  let runs = 0
  let longest = 1
  const planOf = (run: number): PriorityPlan => ({ by: "priorities", seed, run, changes, longest })
  return {
    name: "priorities",
    next: () => priorityDecider(planOf((runs += 1))),
    upcoming: (most) => Array.from({ length: most }, (_, index) => planOf(runs + 1 + index)),
    onRunFinished: ({ decisions }) => {
      longest = Math.max(longest, decisions)
    },
    proof: () => ({ isComplete: false, states: undefined, leftOut: "all schedules that were not sampled" })
  }
}

export const priorityDecider = ({ seed, run, changes, longest }: PriorityPlan): Decider => {
  const random = new SeededRandom(seed)
  const stream = `run ${run}`
  const changePoints = new Set(Array.from({ length: changes }, () => random.below(longest, stream)))
  const ranks = new Map<string, number>()
  let choices = 0
  return ({ kind, options }) => {
    if (kind === "fault") {
      return random.below(faultRarity, stream) === 0 ? 1 + random.below(options.length - 1, stream) : 0
    }
    // One priority for each pending transition: any operation of a process can be the slow one.
    for (const one of options) if (!ranks.has(one)) ranks.set(one, changes + random.below(aMillion, stream))
    const first = () => options.reduce((best, one, index) => (rank(one) > rank(options[best]!) ? index : best), 0)
    const rank = (one: string) => ranks.get(one) ?? 0
    if (changePoints.has(choices++)) ranks.set(options[first()]!, -choices)
    return first()
  }
}

const aMillion = 1_000_000
