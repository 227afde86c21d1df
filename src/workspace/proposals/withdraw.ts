/** Withdraws a proposal. */
import { Effect, Result, Schema } from "effect"
import { checkbox } from "../kit/choices.ts"
import { decodeForm } from "../kit/form.ts"
import { requiredCheckbox } from "../kit/form-values.ts"
import { paragraph } from "../kit/parts.ts"
import { proposalCommandPage } from "./command-page.ts"

export const withdrawPages = proposalCommandPage({
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

const Withdrawal = Schema.Struct({ confirmed: requiredCheckbox("Tick the box to withdraw the proposal.") })
