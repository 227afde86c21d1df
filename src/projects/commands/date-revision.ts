/** Either side requests another date: delivery or review is on hold until people revise the terms or lift the hold. */
import { Result, Schema } from "effect"
import { Text } from "../../vocabulary/text.ts"
import { atHead, defineCommand } from "../command.ts"
import { datePurposes, type DateRevisionPayload } from "../event.ts"

export const DateRevisionInput = Schema.Struct({ ...atHead, purpose: Schema.Literals(datePurposes), reason: Text })

export const dateRevision = defineCommand({
  kind: "DATE_REVISION",
  moveOf: ({ purpose }: Pick<DateRevisionPayload, "purpose">) => `HOLD_${purpose}`,
  decide: (_, { agreementDigest, purpose, reason }: typeof DateRevisionInput.Type) =>
    Result.succeed({ event: { kind: "DATE_REVISION", payload: { agreementDigest, purpose, reason } } }),
  evolve: (_, { payload: { purpose, reason }, actor, occurredAt }) => ({
    hold: { purpose, requestedBy: actor.role, reason, occurredAt }
  })
})
