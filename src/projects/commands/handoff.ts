/** A hand-off: an agent pauses its own side, and only a person of that side resumes it. */
import { Result, Schema } from "effect"
import { UuidV4 } from "../../vocabulary/ids.ts"
import { Text } from "../../vocabulary/text.ts"
import { defineCommand } from "../command.ts"

export const HandoffInput = Schema.Struct({ requestId: UuidV4, reason: Text })

/** Allowed in every state; a paused project was refused before. */
export const handoff = defineCommand({
  kind: "HANDOFF",
  moveOf: () => undefined,
  decide: (_, { reason }: typeof HandoffInput.Type) => Result.succeed({ handoff: { reason } })
})
