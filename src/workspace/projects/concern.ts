/**
 * Concerns about an acceptance: a party raises one, people dismiss or uphold it, and the buyer can withdraw the
 * acceptance.
 */
import { Effect, Layer, Result, Schema } from "effect"
import { h } from "preact"
import { concernKinds, type ResolveConcernPayload } from "../../projects/event.ts"
import { limits } from "../../vocabulary/limits.ts"
import { checkbox, radioGroup } from "../kit/choices.ts"
import { hidden, textArea, type FormState } from "../kit/fields.ts"
import { decodeForm } from "../kit/form.ts"
import { lines, requiredCheckbox, oneOf } from "../kit/form-values.ts"
import type { Content } from "../kit/html.ts"
import { paragraph } from "../kit/parts.ts"
import { commandPage, type CommandFormContext, type ProjectPageContext } from "./command-page.ts"
import { reviewSection, warnings } from "./delivery.ts"
import { concernLabels } from "./labels.ts"

const reason = lines("The reason", limits.textCharacters)
const confirmationId = Schema.optionalKey(Schema.String)

const reasonField = (state: FormState): Content =>
  textArea(state, {
    name: "reason",
    label: "Reason",
    hint: "The other party reads it, and it stays in the history.",
    rows: 3,
    maxLength: limits.textCharacters
  })

/** Binds the command to the acceptance that was shown. */
const acceptanceField = ({ model: { project } }: ProjectPageContext): Content =>
  project.confirmation === null
    ? null
    : [
        paragraph("The acceptance: ", h("code", null, project.confirmation.confirmationId)),
        hidden("confirmationId", project.confirmation.confirmationId)
      ]

const concernInput = ({ requestId, agreementDigest }: CommandFormContext, confirmation: string | undefined) => ({
  requestId,
  agreementDigest,
  confirmationId: confirmation ?? ""
})

const raise = commandPage({
  path: "concern",
  title: "Raise a concern",
  acts: ["RAISE_CONCERN"],
  operation: "raiseConcern",
  submitLabel: "Raise the concern",
  show: (context, state) =>
    Effect.succeed({
      before: [
        paragraph(
          "A concern states that the acceptance is not to be relied on for now. Your party can dismiss it again; the buyer can uphold it, which withdraws the acceptance."
        ),
        reviewSection(context.model)
      ],
      fields: [
        acceptanceField(context),
        radioGroup(state, {
          name: "kind",
          legend: "What is wrong?",
          choices: concernKinds.map((value) => ({ value, label: concernLabels[value] }))
        }),
        reasonField(state)
      ]
    }),
  read: (given, form) =>
    Effect.map(
      decodeForm(Schema.Struct({ kind: oneOf("what is wrong", concernKinds), reason, confirmationId }), form),
      Result.map((values) => ({
        command: {
          kind: "CONCERN" as const,
          input: {
            ...concernInput(given, values.confirmationId),
            expectedEventHash: given.expectedEventHash,
            kind: values.kind,
            reason: values.reason
          }
        }
      }))
    )
})

const dismiss = commandPage({
  path: "dismiss-concern",
  title: "Dismiss the concern",
  acts: ["DISMISS_CONCERN"],
  operation: "resolveConcern",
  submitLabel: "Dismiss the concern",
  show: (context, state) =>
    Effect.succeed({
      before: [
        warnings(context.model),
        paragraph("Your party raised it. If you dismiss it, the acceptance is valid again.")
      ],
      fields: [acceptanceField(context), reasonField(state)]
    }),
  read: (given, form) =>
    Effect.map(
      decodeForm(Schema.Struct({ reason, confirmationId }), form),
      Result.map((values) => resolveCommand(given, values, "DISMISSED"))
    )
})

const uphold = commandPage({
  path: "uphold-concern",
  title: "Uphold the concern",
  acts: ["UPHOLD_CONCERN"],
  operation: "resolveConcern",
  submitLabel: "Uphold the concern, and withdraw the acceptance",
  isDangerous: true,
  show: (context, state) =>
    Effect.succeed({
      before: [
        warnings(context.model),
        context.model.project.concern?.raisedBy === "BUYER"
          ? paragraph(
              "Your party raised it. If you uphold it, the acceptance is withdrawn and the agreement ends; if it is settled, dismiss it instead."
            )
          : paragraph("If you uphold it, the acceptance is withdrawn and the agreement ends.")
      ],
      fields: [acceptanceField(context), reasonField(state), finalBox(state)]
    }),
  read: (given, form) =>
    Effect.map(
      decodeForm(Schema.Struct({ reason, confirmationId, confirmed }), form),
      Result.map((values) => resolveCommand(given, values, "UPHELD"))
    )
})

const resolveCommand = (
  given: CommandFormContext,
  values: { readonly reason: string; readonly confirmationId?: string },
  resolution: ResolveConcernPayload["resolution"]
) => ({
  command: {
    kind: "RESOLVE_CONCERN" as const,
    input: { ...concernInput(given, values.confirmationId), resolution, reason: values.reason }
  }
})

const confirmed = requiredCheckbox("Tick the box to withdraw the acceptance.")

const finalBox = (state: FormState): Content =>
  checkbox(state, { name: "confirmed", label: "The acceptance is withdrawn. It cannot be taken back." })

const withdraw = commandPage({
  path: "withdraw-confirmation",
  title: "Withdraw the acceptance",
  acts: ["WITHDRAW_CONFIRMATION"],
  operation: "withdrawConfirmation",
  submitLabel: "Withdraw the acceptance",
  isDangerous: true,
  show: (context, state) =>
    Effect.succeed({
      before: [
        paragraph(
          "The acceptance can no longer be relied on, and the agreement ends. An issued record is unchanged; its status says that it is withdrawn."
        ),
        reviewSection(context.model)
      ],
      fields: [acceptanceField(context), reasonField(state), finalBox(state)]
    }),
  read: (given, form) =>
    Effect.map(
      decodeForm(Schema.Struct({ reason, confirmationId, confirmed }), form),
      Result.map((values) => ({
        command: {
          kind: "WITHDRAW_CONFIRMATION" as const,
          input: { ...concernInput(given, values.confirmationId), reason: values.reason }
        }
      }))
    )
})

export const concernPages = Layer.mergeAll(raise, dismiss, uphold, withdraw)
