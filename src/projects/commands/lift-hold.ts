/** A person of either side lifts a hold: delivery or review continues under the agreed dates. */
import { Result, Schema } from "effect"
import { defineCommand, reasoned } from "../command.ts"

export const LiftHoldInput = Schema.Struct(reasoned)

export const liftHold = defineCommand({
  kind: "LIFT_HOLD",
  moveOf: () => "LIFT_HOLD",
  decide: (project, { agreementDigest, reason }: typeof LiftHoldInput.Type) =>
    // The move requires a hold.
    Result.succeed({
      event: { kind: "LIFT_HOLD", payload: { agreementDigest, purpose: project.hold!.purpose, reason } }
    }),
  evolve: () => ({ hold: null })
})
