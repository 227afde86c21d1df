/** What is due in a served world: its timers and rows, the waits of its agents, and the acts of an examination. */
import { fromMilliseconds } from "../../src/vocabulary/instant.ts"
import type { Outcome } from "../scenario/session.ts"
import { outcomeOf } from "./steps.ts"
import type { ServedWorld } from "./served-world.ts"

export interface DueInWorld {
  /** In milliseconds. */
  readonly at: number
  readonly what: string
}

/** The first first; never in the past. */
export const dueIn = (world: ServedWorld): ReadonlyArray<DueInWorld> => {
  const { session } = world.live
  const { now } = session.scheduler
  return [...session.due, ...world.agents.due, ...(world.acts?.due ?? [])]
    .map(({ at, what }) => ({ at: Math.max(at, now), what }))
    .toSorted((one, other) => one.at - other.at)
}

/** The first within the longest backoff. What is due later is the end of a lifetime, and no work in progress. */
export const dueSoon = (world: ServedWorld): DueInWorld | undefined => {
  const [first] = dueIn(world)
  return first !== undefined && first.at <= world.live.session.scheduler.now + hour ? first : undefined
}

const hour = 3_600_000

/** Advances the time to a moment that is not in the past. */
export const advanceTo = (world: ServedWorld, at: number): Promise<Outcome> =>
  outcomeOf(world, { until: fromMilliseconds(at) })
