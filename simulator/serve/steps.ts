/** Does a step of the script language in a world, whoever it is that somebody acts for. */
import type { Outcome } from "../session.ts"
import { SessionClosed } from "../live.ts"
import { BadStep } from "../session.ts"
import { asJson, type JsonObject } from "../script/json.ts"
import { whileTimeMoves } from "./patience.ts"
import { ControlRefused } from "./refusals.ts"
import { momentOf, type ServedWorld } from "./served-world.ts"

/** Answers once nothing more can happen at its moment. */
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

/** Throws `ControlRefused` where it is no step, where its time would be past all that has a name, and where the world stands still for longer than anybody waits. */
export const outcomeOf = async (world: ServedWorld, form: unknown): Promise<Outcome> => {
  const { outcome } = world.live.submit(form)
  const done = await whileTimeMoves(outcome, world.live, world.patience).catch((error: unknown) => {
    if (error instanceof SessionClosed) throw new ControlRefused("WORLD_ENDED", error.message)
    if (!(error instanceof BadStep)) throw error
    const problems = error.problems.map(({ path, message }) => ({ path, message }))
    throw new ControlRefused("INVALID_STEP", error.message, { problems })
  })
  if (done === undefined) throw standsStill(world, "The step is under way, and goes on once that is over.")
  if (done.answer !== undefined && (done.step.kind === "act" || done.step.kind === "send")) {
    world.handOut(done.step.as, done.answer.body)
  }
  return done
}

export const standsStill = (world: ServedWorld, what: string): ControlRefused => {
  const { standing } = world.live
  return new ControlRefused("TIME_STANDS_STILL", `Time stands still for ${standing.join(" and ")}. ${what}`, {
    standing
  })
}

/** The lines of the trace, and how many more there are where there are too many to show. */
export const observedIn = (world: ServedWorld, { observed }: Outcome): JsonObject => {
  const lines = world.linesOf(observed.slice(0, linesMax))
  return { observed: lines, ...(observed.length > linesMax ? { more: observed.length - linesMax } : {}) }
}

const linesMax = 1000
