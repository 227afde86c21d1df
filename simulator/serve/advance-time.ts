/** Advances the virtual time of a world, and answers once the world is quiescent. */
import { type Instant, toMilliseconds } from "../../src/vocabulary/instant.ts"
import type { JsonObject } from "../vocabulary/json.ts"
import { durationInMilliseconds } from "../vocabulary/duration.ts"
import { waitUntil } from "./real-time-wait.ts"
import { type AwaitedEvent, hasOccurred } from "../scenario/committed-events.ts"
import { ControlRefusal } from "./control-refusals.ts"
import { advanceTo, type DueInWorld, dueIn, dueSoon } from "./due-times.ts"
import { observedIn, outcomeOf, timeHeldRefusal } from "./steps.ts"
import type { ServedWorld } from "./served-world.ts"
import { momentOf } from "../view-model/session-summary.ts"
import type { AdvanceForm } from "./control-forms.ts"

/**
 * By a duration, to an instant, until nothing is due soon, or until an event. Refused while external programs or held
 * requests freeze the time.
 */
export const advance = async (
  world: ServedWorld,
  { by, until, most }: typeof AdvanceForm.Type
): Promise<JsonObject> => {
  if ((by === undefined) === (until === undefined))
    throw new ControlRefusal("INVALID_REQUEST", "Give either by or until.")
  if (most !== undefined && !isGoal(until))
    throw new ControlRefusal("INVALID_REQUEST", "most applies to until idle, and to until an event.")
  if (!(await waitUntil(() => world.live.frozenFor.length === 0, world.programTimeout)))
    throw timeHeldRefusal(world, "The time was not advanced.")
  if (isGoal(until)) return advanceUntil(world, until, durationInMilliseconds(most ?? mostByDefault))
  return advanceTowards(world, { by, until })
}

/** What has to be the case, at a moment that is not known before. */
type Goal = "idle" | { readonly event: AwaitedEvent }

const isGoal = (until: (typeof AdvanceForm.Type)["until"]): until is Goal =>
  until === "idle" || (until !== undefined && typeof until !== "string")

const mostByDefault = "30d"

const advanceTowards = async (
  world: ServedWorld,
  { by, until }: { readonly by: string | undefined; readonly until: Instant | undefined }
): Promise<JsonObject> => {
  const { scheduler } = world.live.session
  const target = until === undefined ? scheduler.now + durationInMilliseconds(by ?? "") : toMilliseconds(until)
  if (target < scheduler.now) {
    throw new ControlRefusal("INVALID_REQUEST", `until is in the past: it is ${momentOf(scheduler.now)}.`)
  }
  if (!(target <= latest))
    throw new ControlRefusal("INVALID_REQUEST", "The time is after the year 9998, the end of virtual time.")
  const outcome = await outcomeOf(world, by === undefined ? { until } : { advance: by })
  return { now: momentOf(scheduler.now), fired: outcome.fired, ...observedIn(world, outcome.observed) }
}

const latest = Date.UTC(9999, 0)

/** From one due moment to the next; refused after the time or the number of moments that is allowed. */
const advanceUntil = async (world: ServedWorld, goal: Goal, most: number): Promise<JsonObject> => {
  const { session } = world.live
  const { now: start, fired } = session.scheduler
  const before = session.observations.length
  for (let moments = 0; ; moments++) {
    const observed = session.observations.slice(before)
    const next = goal === "idle" ? dueSoon(world) : dueIn(world)[0]
    const isReached = goal === "idle" ? next === undefined : hasOccurred(goal.event, observed, session.content)
    if (isReached) {
      const { now, fired: firedNow } = session.scheduler
      return { now: momentOf(now), fired: firedNow - fired, ...observedIn(world, observed) }
    }
    if (next === undefined || next.at > start + most || moments >= momentsMax) {
      throw notReached(world, next, { goal, most, moments })
    }
    await advanceTo(world, next.at)
  }
}

const momentsMax = 1000

/** The time stays where it was advanced to. */
const notReached = (
  world: ServedWorld,
  next: DueInWorld | undefined,
  { goal, most, moments }: { readonly goal: Goal; readonly most: number; readonly moments: number }
): ControlRefusal => {
  const due = dueIn(world)
    .slice(0, dueShown)
    .map(({ at, what }) => ({ at: momentOf(at), what }))
  const wanted = goal === "idle" ? "The world did not become idle" : `${goal.event} did not occur`
  const reason =
    next === undefined
      ? "nothing is due"
      : moments >= momentsMax
        ? `${next.what} is due again after ${momentsMax} due moments`
        : `the next due moment, of ${next.what}, is after the most of ${most} ms`
  return new ControlRefusal("NOT_REACHED", `${wanted}: ${reason}.`, {
    due,
    now: momentOf(world.live.session.scheduler.now)
  })
}

const dueShown = 20
