/** Runs a step of a script in a served world. */
import type { Outcome } from "../session.ts"
import { SessionClosed } from "../live.ts"
import { BadStep } from "../session.ts"
import { asJson, type JsonObject } from "../script/json.ts"
import { whileTimeMoves } from "./patience.ts"
import { ControlRefused } from "./refusals.ts"
import { momentOf, type ServedWorld } from "./served-world.ts"

/** Answers once the world is quiescent. */
export const doStep = async (world: ServedWorld, form: unknown): Promise<JsonObject> => {
  const outcome = await outcomeOf(world, form)
  const { ended, answer, differences, fired } = outcome
  return asJson({
    now: momentOf(world.live.session.kernel.now),
    ended: ended === undefined ? null : { ...ended, differences },
    ...(answer === undefined ? {} : { answer: { status: answer.status, body: answer.body ?? null } }),
    ...observedIn(world, outcome),
    fired
  })
}

/** Throws `ControlRefused` for an invalid step, and if the time stays frozen longer than the timeout. */
export const outcomeOf = async (world: ServedWorld, form: unknown): Promise<Outcome> => {
  const { outcome } = world.live.submit(form)
  const result = await whileTimeMoves(outcome, world.live, world.patience).catch((error: unknown) => {
    if (error instanceof SessionClosed) throw new ControlRefused("WORLD_ENDED", error.message)
    if (!(error instanceof BadStep)) throw error
    const problems = error.problems.map(({ path, message }) => ({ path, message }))
    throw new ControlRefused("INVALID_STEP", error.message, { problems })
  })
  if (result === undefined)
    throw standsStill(world, "The step is pending, and resumes when the time is no longer held.")
  if (result.answer !== undefined && (result.step.kind === "act" || result.step.kind === "send")) {
    world.handOut(result.step.as, result.answer.body)
  }
  return result
}

export const standsStill = (world: ServedWorld, what: string): ControlRefused => {
  const { standing } = world.live
  return new ControlRefused("TIME_STANDS_STILL", `Time is held by ${standing.join(" and ")}. ${what}`, {
    standing
  })
}

/** The trace lines of a step, and the number of omitted ones above the limit. */
export const observedIn = (world: ServedWorld, { observed }: Outcome): JsonObject => {
  const lines = world.linesOf(observed.slice(0, linesMax))
  return { observed: lines, ...(observed.length > linesMax ? { more: observed.length - linesMax } : {}) }
}

const linesMax = 1000
