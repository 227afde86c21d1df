/** Withdraws a proposal. */
import { requiredField } from "../kit/form-field.ts"
import { proposalCommand } from "./subject.ts"

export const withdrawPages = proposalCommand({
  acts: ["WITHDRAW_PROPOSAL"],
  operation: "withdrawProposalAsPerson",
  acknowledgement: { did: "You withdrew the proposal.", next: "It has ended, and can no longer be answered." },
  isDangerous: true,
  fields: () => ({
    confirmed: requiredField(
      "I withdraw this proposal. It cannot be taken back.",
      "Tick the box to withdraw the proposal."
    )
  }),
  show: ({ model }, { confirmed }) => ({
    before:
      model.view.proposal.publishedVersion === null
        ? "It ends; it was visible only in your organization."
        : "It ends: its recipient can still read the published version, but no longer answer it.",
    fields: confirmed
  }),
  command: ({ model, requestId }) => ({
    kind: "WITHDRAW",
    input: { requestId, expectedVersion: model.view.proposal.version }
  })
})
