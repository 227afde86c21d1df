/** Bodies of operations and handlers: an effect, or the steps of a generator function, as that of `Effect.gen`. */
import { Effect } from "effect"

export type Step = Effect.Effect<any, any, any>
export type Steps = Generator<Step, unknown, never>

/** Runs a body, from its start at each run. */
export const runBody = (body: () => Step | Steps): Step =>
  Effect.suspend(() => {
    const started = body()
    return "next" in started ? Effect.gen(() => started) : started
  })
