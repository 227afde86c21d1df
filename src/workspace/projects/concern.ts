/**
 * Concerns about an acceptance: a party raises one, people dismiss or uphold it, and the buyer can withdraw the
 * acceptance.
 */
import { Layer } from "effect"
import { h } from "preact"
import { concernKinds } from "../../projects/event.ts"
import type { Submission } from "../commands/command-page.ts"
import { choiceField, hiddenField, requiredField } from "../kit/form-field.ts"
import type { Content } from "../kit/html.ts"
import { paragraph } from "../kit/parts.ts"
import { reasonField, readByOtherParty } from "../commands/fields.ts"
import { reviewSection, warnings } from "./delivery.ts"
import { concernLabels } from "./labels.ts"
import type { ProjectPageModel } from "./read-model.ts"
import { projectCommand } from "./subject.ts"

interface WithModel {
  readonly model: ProjectPageModel
}

/** The reason, and the acceptance that was shown. */
const concernFields = ({ model }: WithModel) => ({
  reason: reasonField(readByOtherParty),
  confirmationId: hiddenField(model.project.confirmation?.confirmationId)
})

const finalFields = (context: WithModel) => ({
  ...concernFields(context),
  confirmed: requiredField(
    "The acceptance is withdrawn. It cannot be taken back.",
    "Tick the box to withdraw the acceptance."
  )
})

/** Names the acceptance to which its hidden field binds the command. */
const acceptance = ({ project: { confirmation } }: ProjectPageModel, field: Content): Content =>
  confirmation === null ? null : [paragraph("The acceptance: ", h("code", null, confirmation.confirmationId)), field]

const concernInput = (
  { requestId, model }: Submission<ProjectPageModel>,
  { confirmationId = "", reason }: { readonly confirmationId?: string; readonly reason: string }
) => ({ requestId, agreementDigest: model.project.agreementDigest, confirmationId, reason })

const raise = projectCommand({
  acts: ["RAISE_CONCERN"],
  operation: "raiseConcern",
  acknowledgement: {
    did: "You raised a concern.",
    next: "The acceptance is not to be relied on until people resolve it."
  },
  submitLabel: "Raise the concern",
  fields: (context) => ({
    kind: choiceField({
      what: "what is wrong",
      values: concernKinds,
      legend: "What is wrong?",
      choices: concernKinds.map((value) => ({ value, label: concernLabels[value] }))
    }),
    ...concernFields(context)
  }),
  show: ({ model }, { kind, reason, confirmationId }) => ({
    before: [
      "A concern states that the acceptance is not to be relied on for now. Your party can dismiss it again; the buyer can uphold it, which withdraws the acceptance.",
      reviewSection(model)
    ],
    fields: [acceptance(model, confirmationId), kind, reason]
  }),
  command: (submission, { kind, ...values }) => ({
    kind: "CONCERN",
    input: { ...concernInput(submission, values), expectedEventHash: submission.expectedHead, kind }
  })
})

const dismiss = projectCommand({
  acts: ["DISMISS_CONCERN"],
  operation: "resolveConcern",
  acknowledgement: { did: "You dismissed the concern.", next: "The acceptance can be relied on again." },
  fields: concernFields,
  show: ({ model }, { reason, confirmationId }) => ({
    before: [warnings(model), "Your party raised it. If you dismiss it, the acceptance is valid again."],
    fields: [acceptance(model, confirmationId), reason]
  }),
  command: (submission, values) => ({
    kind: "RESOLVE_CONCERN",
    input: { ...concernInput(submission, values), resolution: "DISMISSED" }
  })
})

const uphold = projectCommand({
  acts: ["UPHOLD_CONCERN"],
  operation: "resolveConcern",
  acknowledgement: {
    did: "You upheld the concern.",
    next: "The acceptance is withdrawn, and the agreement has ended."
  },
  submitLabel: "Uphold the concern, and withdraw the acceptance",
  isDangerous: true,
  fields: finalFields,
  show: ({ model }, { reason, confirmationId, confirmed }) => ({
    before: [
      warnings(model),
      model.project.concern?.raisedBy === "BUYER"
        ? "Your party raised it. If you uphold it, the acceptance is withdrawn and the agreement ends; if it is settled, dismiss it instead."
        : "If you uphold it, the acceptance is withdrawn and the agreement ends."
    ],
    fields: [acceptance(model, confirmationId), reason, confirmed]
  }),
  command: (submission, values) => ({
    kind: "RESOLVE_CONCERN",
    input: { ...concernInput(submission, values), resolution: "UPHELD" }
  })
})

const withdraw = projectCommand({
  acts: ["WITHDRAW_CONFIRMATION"],
  operation: "withdrawConfirmation",
  acknowledgement: {
    did: "You withdrew the acceptance.",
    next: "The agreement has ended, and a record of it is not to be relied on."
  },
  isDangerous: true,
  fields: finalFields,
  show: ({ model }, { reason, confirmationId, confirmed }) => ({
    before: [
      "The acceptance can no longer be relied on, and the agreement ends. An issued record is unchanged; its status says that it is withdrawn.",
      reviewSection(model)
    ],
    fields: [acceptance(model, confirmationId), reason, confirmed]
  }),
  command: (submission, values) => ({ kind: "WITHDRAW_CONFIRMATION", input: concernInput(submission, values) })
})

export const concernPages = Layer.mergeAll(raise, dismiss, uphold, withdraw)
