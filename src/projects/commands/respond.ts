/** The named supplier responds to the exact terms. */
import { Result } from "effect"
import { defineCommand } from "../command.ts"
import { confirmRespond } from "../confirmation.ts"
import type { RespondPayload } from "../event.ts"
import type { RespondInput } from "../input.ts"
import { requireConfirmation, requirePerson } from "../requirements.ts"

export const respond = defineCommand({
  kind: "RESPOND",
  moveOf: ({ action }: Pick<RespondPayload, "action">) => `RESPOND_${action}`,
  decide: (project, input: RespondInput, context) =>
    Result.gen(function* () {
      yield* requirePerson(project, `RESPOND_${input.action}`, context)
      yield* requireConfirmation(input.confirmationDigest, confirmRespond(project).digest)
      const { requestId: _, actorId: __, ...payload } = input
      return { event: { kind: "RESPOND", payload } }
    }),
  evolve: (_, { actor }) => ({ supplier: { actorId: actor.id, organizationId: actor.organizationId } })
})
