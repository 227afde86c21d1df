/** The named supplier responds to the exact terms. */
import { Result, Schema } from "effect"
import { roles } from "../../access/actions.ts"
import { Digest, UuidV4 } from "../../vocabulary/ids.ts"
import { Text } from "../../vocabulary/text.ts"
import { defineCommand } from "../command.ts"
import { confirmRespond } from "../confirmation.ts"
import { responses, type RespondPayload } from "../event.ts"
import { requireConfirmation, requirePerson } from "../requirements.ts"

export const RespondInput = Schema.Struct({
  requestId: UuidV4,
  agreementDigest: Digest,
  action: Schema.Literals(responses),
  actorId: Schema.String,
  actorRole: Schema.Literals(roles),
  authorityAttested: Schema.Literal(true),
  reason: Text,
  confirmationDigest: Schema.optionalKey(Digest)
})

export const respond = defineCommand({
  kind: "RESPOND",
  moveOf: ({ action }: Pick<RespondPayload, "action">) => `RESPOND_${action}`,
  decide: (project, input: typeof RespondInput.Type, context) =>
    Result.gen(function* () {
      yield* requirePerson(project, `RESPOND_${input.action}`, context)
      yield* requireConfirmation(input.confirmationDigest, confirmRespond(project).digest)
      const { requestId: _, actorId: __, ...payload } = input
      return { event: { kind: "RESPOND", payload } }
    }),
  evolve: (_, { actor }) => ({ supplier: { actorId: actor.id, organizationId: actor.organizationId } })
})
