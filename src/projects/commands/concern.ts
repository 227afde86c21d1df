/** Concerns: either side contests the confirmation, people dismiss or uphold the concern. */
import { Result, Schema } from "effect"
import { idOf } from "../../vocabulary/ids.ts"
import { Text } from "../../vocabulary/text.ts"
import { atHead, defineCommand, reasoned } from "../command.ts"
import { concernKinds, resolutions, type ResolveConcernPayload } from "../event.ts"
import { requireCurrentConfirmation } from "../requirements.ts"

export const ConcernInput = Schema.Struct({
  ...atHead,
  confirmationId: idOf("confirmation"),
  kind: Schema.Literals(concernKinds),
  reason: Text
})

export const ResolveConcernInput = Schema.Struct({
  ...reasoned,
  confirmationId: idOf("confirmation"),
  resolution: Schema.Literals(resolutions)
})

export const WithdrawConfirmationInput = Schema.Struct({ ...reasoned, confirmationId: idOf("confirmation") })

/** Reliance on the confirmation is paused until a person resolves the concern. */
export const concern = defineCommand({
  kind: "CONCERN",
  moveOf: () => "CONCERN",
  decide: (project, input: typeof ConcernInput.Type) =>
    Result.map(requireCurrentConfirmation(project, input.confirmationId), () => {
      const { requestId: _, expectedEventHash: __, ...payload } = input
      return { event: { kind: "CONCERN", payload } }
    }),
  evolve: (_, { payload: { kind, reason }, actor, occurredAt }) => ({
    concern: { kind, raisedBy: actor.role, reason, occurredAt }
  })
})

export const resolveConcern = defineCommand({
  kind: "RESOLVE_CONCERN",
  moveOf: ({ resolution }: Pick<ResolveConcernPayload, "resolution">) =>
    resolution === "UPHELD" ? "UPHOLD_CONCERN" : "DISMISS_CONCERN",
  decide: (project, input: typeof ResolveConcernInput.Type) =>
    Result.map(requireCurrentConfirmation(project, input.confirmationId), () => {
      const { requestId: _, ...payload } = input
      return { event: { kind: "RESOLVE_CONCERN", payload } }
    }),
  evolve: () => ({ concern: null })
})

/** The buyer withdraws its confirmation, which is no longer valid. */
export const withdrawConfirmation = defineCommand({
  kind: "WITHDRAW_CONFIRMATION",
  moveOf: () => "WITHDRAW_CONFIRMATION",
  decide: (project, input: typeof WithdrawConfirmationInput.Type) =>
    Result.map(requireCurrentConfirmation(project, input.confirmationId), () => {
      const { requestId: _, ...payload } = input
      return { event: { kind: "WITHDRAW_CONFIRMATION", payload } }
    })
})
