/** A person of either side lifts a hold: delivery or review continues under the agreed dates. */
import { Result } from "effect"
import { defineCommand } from "../command.ts"
import type { LiftHoldInput } from "../input.ts"

export const liftHold = defineCommand({
  kind: "LIFT_HOLD",
  moveOf: () => "LIFT_HOLD",
  decide: (project, { agreementDigest, reason }: LiftHoldInput) =>
    // The move requires a hold.
    Result.succeed({
      event: { kind: "LIFT_HOLD", payload: { agreementDigest, purpose: project.hold!.purpose, reason } }
    }),
  evolve: () => ({ hold: null })
})
