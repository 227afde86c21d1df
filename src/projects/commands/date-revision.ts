/** Either side requests another date: delivery or review is on hold until people revise the terms or lift the hold. */
import { Result } from "effect"
import { defineCommand } from "../command.ts"
import type { DateRevisionPayload } from "../event.ts"
import type { DateRevisionInput } from "../input.ts"

export const dateRevision = defineCommand({
  kind: "DATE_REVISION",
  moveOf: ({ purpose }: Pick<DateRevisionPayload, "purpose">) => `HOLD_${purpose}`,
  decide: (_, { agreementDigest, purpose, reason }: DateRevisionInput) =>
    Result.succeed({ event: { kind: "DATE_REVISION", payload: { agreementDigest, purpose, reason } } }),
  evolve: (_, { payload: { purpose, reason }, actor, occurredAt }) => ({
    hold: { purpose, requestedBy: actor.role, reason, occurredAt }
  })
})
