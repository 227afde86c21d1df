/** The supplier's representative answers the exact terms. */
import { Effect, Result, Schema } from "effect"
import { h } from "preact"
import { readProfile } from "../../people/profile.ts"
import { responses } from "../../projects/event.ts"
import { limits } from "../../vocabulary/limits.ts"
import { checkbox, radioGroup } from "../kit/choices.ts"
import { hidden, textArea, type FormState } from "../kit/fields.ts"
import { decodeForm } from "../kit/form.ts"
import { lines, requiredCheckbox, oneOf } from "../kit/form-values.ts"
import { untrusted, type Content } from "../kit/html.ts"
import { paragraph, section } from "../kit/parts.ts"
import { commandPage, type ProjectPageContext } from "./command-page.ts"
import { termsFacts } from "./terms.ts"
import { responseLabels, blockedReasonText } from "./labels.ts"

export const respondPages = commandPage({
  path: "respond",
  title: "Answer the terms",
  acts: ["RESPOND_TERMS"],
  operation: "respondAsPerson",
  submitLabel: "Send the answer",
  show: (context, state) =>
    Effect.gen(function* () {
      const { model } = context
      const { terms } = model.project.agreement
      return {
        before: section(
          "The terms that you answer",
          paragraph("Digest of the agreement: ", h("code", null, model.project.agreementDigest)),
          termsFacts(terms, model.nameOf)
        ),
        fields: [
          answers(context, state),
          yield* organizations(context, state),
          reason(state),
          confirmation(context),
          checkbox(state, {
            name: "attested",
            label: "I am entitled to answer for the supplier, and this answer binds its organization."
          })
        ]
      }
    }),
  read: ({ visitor, model, requestId, agreementDigest }, form) =>
    Effect.gen(function* () {
      const { organizationIds } = model
      // The form can name an organization that has become the only one since it was shown.
      const organizationId =
        organizationIds.length > 1 ? oneOf("the organization", organizationIds) : Schema.optionalKey(Schema.String)
      const schema = Schema.Struct({ ...answer, organizationId })
      const decoded: Result.Result<Answer, FormState> = yield* decodeForm(schema, form)
      return Result.map(decoded, ({ action, reason, confirmationDigest, organizationId }) => ({
        command: {
          kind: "RESPOND" as const,
          input: {
            requestId,
            agreementDigest,
            action,
            actorId: visitor.person.personId,
            actorRole: "SUPPLIER" as const,
            authorityAttested: true as const,
            reason,
            ...(confirmationDigest === undefined ? {} : { confirmationDigest })
          }
        },
        ...(organizationId === undefined ? {} : { organizationId })
      }))
    })
})

const answer = {
  action: oneOf("the answer", responses),
  reason: lines("The reason", limits.textCharacters),
  attested: requiredCheckbox("Tick the box to answer for the supplier."),
  confirmationDigest: Schema.optionalKey(Schema.String)
}

interface Answer {
  readonly action: (typeof responses)[number]
  readonly reason: string
  readonly confirmationDigest?: string
  readonly organizationId?: string
}

/** Unavailable answers are listed with the reason. */
const answers = ({ model }: ProjectPageContext, state: FormState): Content => {
  const decisionOptions = model.view.decisionActions.filter(({ action }) => action === "RESPOND_TERMS")
  const allowed = responses.filter((one) =>
    decisionOptions.some(({ decision, allowed }) => allowed && decision === one)
  )
  return [
    radioGroup(state, {
      name: "action",
      legend: "Your answer",
      choices: allowed.map((value) => ({ value, label: responseLabels[value].name, hint: responseLabels[value].about }))
    }),
    responses
      .filter((one) => !allowed.includes(one))
      .map((one) => {
        const code = decisionOptions.find(({ decision }) => decision === one)?.code
        return paragraph(responseLabels[one].name, ": ", blockedReasonText(code ?? "STATE_CONFLICT"))
      })
  ]
}

const organizations = Effect.fnUntraced(function* ({ visitor, model }: ProjectPageContext, state: FormState) {
  if (model.organizationIds.length < 2) return null
  const { memberships } = yield* readProfile(visitor.person)
  return radioGroup(state, {
    name: "organizationId",
    legend: "For which of your organizations?",
    choices: model.organizationIds.map((organizationId) => ({
      value: organizationId,
      label: untrusted(memberships.find((one) => one.organizationId === organizationId)?.organizationName ?? "")
    }))
  })
})

const reason = (state: FormState): Content =>
  textArea(state, {
    name: "reason",
    label: "Reason",
    hint: "The buyer reads it, and it stays in the history.",
    rows: 3,
    maxLength: limits.textCharacters
  })

/** The confirmation text that the digest covers, as in the record. */
const confirmation = ({ model }: ProjectPageContext): Content => {
  const { respond } = model.view.project.confirmations
  return respond === undefined
    ? null
    : [
        section("What you confirm", paragraph(respond.effect), paragraph("Digest: ", h("code", null, respond.digest))),
        hidden("confirmationDigest", respond.digest)
      ]
}
