/** Moves the time of a world, and answers once everything that happens meanwhile has come to rest. */
import { toMilliseconds } from "../../src/vocabulary/instant.ts"
import type { JsonObject } from "../script/json.ts"
import { durationInMilliseconds } from "../script/duration.ts"
import { waitUntil } from "./patience.ts"
import { ControlRefused } from "./refusals.ts"
import { observedIn, outcomeOf, standsStill } from "./steps.ts"
import { momentOf, type ServedWorld } from "./served-world.ts"
import type { Advance } from "./forms.ts"

/** By a span or to a moment: nothing is moved while the world waits for somebody outside. */
export const advance = async (world: ServedWorld, { by, until }: typeof Advance.Type): Promise<JsonObject> => {
  if ((by === undefined) === (until === undefined))
    throw new ControlRefused("INVALID_REQUEST", "Say either by or until.")
  const { live } = world
  if (!(await waitUntil(() => live.standing.length === 0, world.patience)))
    throw standsStill(world, "Nothing was moved.")
  const { now } = live.session.kernel
  const target = until === undefined ? now + durationInMilliseconds(by ?? "") : toMilliseconds(until)
  if (target < now) {
    throw new ControlRefused("INVALID_REQUEST", `It is ${momentOf(now)}: that moment has passed.`)
  }
  if (!(target <= latest)) throw new ControlRefused("INVALID_REQUEST", "No world lasts that long.")
  const outcome = await outcomeOf(world, by === undefined ? { until } : { advance: by })
  return { now: momentOf(live.session.kernel.now), fired: outcome.fired, ...observedIn(world, outcome) }
}

const latest = Date.UTC(9999, 0)
