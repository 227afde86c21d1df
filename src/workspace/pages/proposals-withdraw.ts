/** Withdraws a proposal. */
import { Effect, Result, Schema } from "effect"
import { checkbox } from "../choices.ts"
import { decodeForm } from "../form.ts"
import { mustBeTicked } from "../form-values.ts"
import { paragraph } from "../parts.ts"
import { proposalActPages } from "../proposal-act.ts"

export const withdrawPages = proposalActPages({
  act: "WITHDRAW_PROPOSAL",
  operation: "withdrawProposalAsPerson",
  isDangerous: true,
  show: ({ model }, state) =>
    Effect.succeed({
      before: paragraph(
        model.view.proposal.publishedVersion === null
          ? "It ends; it was visible only in your organization."
          : "It ends: its recipient can still read the published version, but no longer answer it."
      ),
      fields: checkbox(state, { name: "confirmed", label: "I withdraw this proposal. It cannot be taken back." }),
      submitLabel: "Withdraw the proposal"
    }),
  read: ({ model, requestId }, form) =>
    Effect.map(
      decodeForm(Withdrawal, form),
      Result.map(() => ({
        command: { kind: "WITHDRAW" as const, input: { requestId, expectedVersion: model.view.proposal.version } }
      }))
    )
})

const Withdrawal = Schema.Struct({ confirmed: mustBeTicked("Tick the box to withdraw the proposal.") })
