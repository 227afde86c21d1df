/** Runs a step of a script in a served world. */
import type { Outcome } from "../scenario/session.ts"
import { SessionClosed } from "../scenario/live.ts"
import { BadStep } from "../scenario/session.ts"
import { asJson, type JsonObject } from "../vocabulary/json.ts"
import { waitWhileTimeAdvances } from "./real-time-wait.ts"
import { ControlRefusal } from "./control-refusals.ts"
import type { ServedWorld } from "./served-world.ts"
import { momentOf } from "../view-model/session-summary.ts"

/** Answers once the world is quiescent. */
export const runServedStep = async (world: ServedWorld, form: unknown): Promise<JsonObject> => {
  const outcome = await outcomeOf(world, form)
  const { ended, answer, differences, fired } = outcome
  return asJson({
    now: momentOf(world.live.session.scheduler.now),
    ended: ended === undefined ? null : { ...ended, differences },
    ...(answer === undefined ? {} : { answer: { status: answer.status, body: answer.body ?? null } }),
    ...observedIn(world, outcome.observed),
    fired
  })
}

/** Throws `ControlRefused` for an invalid step, and if the time stays frozen longer than the timeout. */
export const outcomeOf = async (world: ServedWorld, form: unknown): Promise<Outcome> => {
  const { outcome } = world.live.submit(form)
  const result = await waitWhileTimeAdvances(outcome, world.live, world.programTimeout).catch((error: unknown) => {
    if (error instanceof SessionClosed) throw new ControlRefusal("WORLD_ENDED", error.message)
    if (!(error instanceof BadStep)) throw error
    const problems = error.problems.map(({ path, message }) => ({ path, message }))
    throw new ControlRefusal("INVALID_STEP", error.message, { problems })
  })
  if (result === undefined)
    throw timeHeldRefusal(world, "The step is pending, and resumes when the time is no longer held.")
  if (result.answer !== undefined && (result.step.kind === "act" || result.step.kind === "send")) {
    world.registerSecrets(result.step.as, result.answer.body)
  }
  return result
}

export const timeHeldRefusal = (world: ServedWorld, what: string): ControlRefusal => {
  const { frozenFor } = world.live
  return new ControlRefusal("TIME_STANDS_STILL", `Time is held by ${frozenFor.join(" and ")}. ${what}`, {
    standing: frozenFor
  })
}

/** The trace lines of a step, and the number of omitted ones above the limit. */
export const observedIn = (world: ServedWorld, observed: Outcome["observed"]): JsonObject => {
  const lines = world.linesOf(observed.slice(0, linesMax))
  return { observed: lines, ...(observed.length > linesMax ? { more: observed.length - linesMax } : {}) }
}

const linesMax = 1000
