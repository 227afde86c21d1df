/** Advances the virtual time of a world, and answers once the world is quiescent. */
import { toMilliseconds } from "../../src/vocabulary/instant.ts"
import type { JsonObject } from "../script/json.ts"
import { durationInMilliseconds } from "../script/duration.ts"
import { waitUntil } from "./patience.ts"
import { ControlRefused } from "./refusals.ts"
import { observedIn, outcomeOf, standsStill } from "./steps.ts"
import { momentOf, type ServedWorld } from "./served-world.ts"
import type { Advance } from "./forms.ts"

/** By a duration or to an instant. Refused while external programs or held requests freeze the time. */
export const advance = async (world: ServedWorld, { by, until }: typeof Advance.Type): Promise<JsonObject> => {
  if ((by === undefined) === (until === undefined))
    throw new ControlRefused("INVALID_REQUEST", "Give either by or until.")
  const { live } = world
  if (!(await waitUntil(() => live.standing.length === 0, world.patience)))
    throw standsStill(world, "The time was not advanced.")
  const { now } = live.session.kernel
  const target = until === undefined ? now + durationInMilliseconds(by ?? "") : toMilliseconds(until)
  if (target < now) {
    throw new ControlRefused("INVALID_REQUEST", `until is in the past: it is ${momentOf(now)}.`)
  }
  if (!(target <= latest))
    throw new ControlRefused("INVALID_REQUEST", "The time is after the year 9998, the end of virtual time.")
  const outcome = await outcomeOf(world, by === undefined ? { until } : { advance: by })
  return { now: momentOf(live.session.kernel.now), fired: outcome.fired, ...observedIn(world, outcome) }
}

const latest = Date.UTC(9999, 0)
