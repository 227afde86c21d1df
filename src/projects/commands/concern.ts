/** Concerns: either side contests the confirmation, people dismiss or uphold the concern. */
import { Result } from "effect"
import { defineCommand } from "../command.ts"
import type { ResolveConcernPayload } from "../event.ts"
import type { ConcernInput, ResolveConcernInput, WithdrawConfirmationInput } from "../input.ts"
import { requireCurrentConfirmation } from "../requirements.ts"

/** Reliance on the confirmation is paused until a person resolves the concern. */
export const concern = defineCommand({
  kind: "CONCERN",
  moveOf: () => "CONCERN",
  decide: (project, input: ConcernInput) =>
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
  decide: (project, input: ResolveConcernInput) =>
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
  decide: (project, input: WithdrawConfirmationInput) =>
    Result.map(requireCurrentConfirmation(project, input.confirmationId), () => {
      const { requestId: _, ...payload } = input
      return { event: { kind: "WITHDRAW_CONFIRMATION", payload } }
    })
})
