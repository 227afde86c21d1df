/** Advances the virtual time of a world, and answers once the world is quiescent. */
import { toMilliseconds } from "../../src/vocabulary/instant.ts"
import type { JsonObject } from "../vocabulary/json.ts"
import { durationInMilliseconds } from "../vocabulary/duration.ts"
import { waitUntil } from "./real-time-wait.ts"
import { ControlRefusal } from "./control-refusals.ts"
import { observedIn, outcomeOf, timeHeldRefusal } from "./steps.ts"
import type { ServedWorld } from "./served-world.ts"
import { momentOf } from "../view-model/session-summary.ts"
import type { AdvanceForm } from "./control-forms.ts"

/** By a duration or to an instant. Refused while external programs or held requests freeze the time. */
export const advance = async (world: ServedWorld, { by, until }: typeof AdvanceForm.Type): Promise<JsonObject> => {
  if ((by === undefined) === (until === undefined))
    throw new ControlRefusal("INVALID_REQUEST", "Give either by or until.")
  const { live } = world
  if (!(await waitUntil(() => live.frozenFor.length === 0, world.patience)))
    throw timeHeldRefusal(world, "The time was not advanced.")
  const { now } = live.session.scheduler
  const target = until === undefined ? now + durationInMilliseconds(by ?? "") : toMilliseconds(until)
  if (target < now) {
    throw new ControlRefusal("INVALID_REQUEST", `until is in the past: it is ${momentOf(now)}.`)
  }
  if (!(target <= latest))
    throw new ControlRefusal("INVALID_REQUEST", "The time is after the year 9998, the end of virtual time.")
  const outcome = await outcomeOf(world, by === undefined ? { until } : { advance: by })
  return { now: momentOf(live.session.scheduler.now), fired: outcome.fired, ...observedIn(world, outcome) }
}

const latest = Date.UTC(9999, 0)
