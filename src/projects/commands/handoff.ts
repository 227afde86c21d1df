/** A hand-off: an agent pauses its own side, and only a person of that side resumes it. */
import { Result } from "effect"
import { defineCommand } from "../command.ts"
import type { HandoffInput } from "../input.ts"

/** Allowed in every state; a paused project was refused before. */
export const handoff = defineCommand({
  kind: "HANDOFF",
  moveOf: () => undefined,
  decide: (_, { reason }: HandoffInput) => Result.succeed({ handoff: { reason } })
})
