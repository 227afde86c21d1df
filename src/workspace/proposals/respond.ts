/** The recipient answers exactly the version that was published to them. */
import { Effect, Result, Schema } from "effect"
import { h } from "preact"
import { currentDocuments, previewConfirmation } from "../../projects/legal.ts"
import { responses } from "../../projects/event.ts"
import { limits } from "../../vocabulary/limits.ts"
import { checkbox, radioGroup } from "../kit/choices.ts"
import { hidden, textArea, type FormState } from "../kit/fields.ts"
import { decodeForm } from "../kit/form.ts"
import { lines, requiredCheckbox, oneOf } from "../kit/form-values.ts"
import { untrusted, type Content } from "../kit/html.ts"
import { list, paragraph, section } from "../kit/parts.ts"
import { personOf } from "../projects/identity.ts"
import { proposalCommandPage } from "./command-page.ts"
import type { ProposalPageContext } from "./command-refused.ts"
import { proposalTermsFacts } from "./terms.ts"
import { answerLabels, proposalBlockedReasonText } from "./labels.ts"

export const respondPages = proposalCommandPage({
  act: "RESPOND_PROPOSAL",
  operation: "answerProposalAsPerson",
  show: (context, state) =>
    Effect.gen(function* () {
      const { model } = context
      const { confirmation } = yield* previewConfirmation(yield* currentDocuments)
      return {
        before: [
          section(
            "What you answer",
            paragraph(
              `Version ${model.view.proposal.version}, with the digest `,
              h("code", null, model.view.proposal.digest),
              ": all of this."
            ),
            proposalTermsFacts(model)
          ),
          section("What an acceptance does", effectOf(context))
        ],
        fields: [
          answers(context, state),
          organizations(context, state),
          textArea(state, {
            name: "reason",
            label: "Reason",
            hint: "The author reads it, and it stays in the history.",
            rows: 3,
            maxLength: limits.textCharacters
          }),
          section(
            "What you confirm by accepting",
            paragraph(confirmation.effect),
            paragraph("It is based on the current versions of the legal documents in the terms."),
            paragraph("Digest: ", h("code", null, confirmation.digest))
          ),
          hidden("confirmationDigest", confirmation.digest),
          checkbox(state, {
            name: "attested",
            label:
              "I am entitled to answer for the organization. If I accept, I confirm the above, and it binds the organization as buyer."
          })
        ],
        submitLabel: "Send the answer"
      }
    }),
  read: ({ model, requestId }, form) =>
    Effect.gen(function* () {
      const { answering, view } = model
      const organizationIds = answering.map(({ organizationId }) => organizationId)
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
            proposalDigest: view.proposal.digest,
            action,
            reason,
            ...(action !== "ACCEPT" || confirmationDigest === undefined ? {} : { confirmationDigest })
          }
        },
        organizationId: organizationId ?? view.organizationId
      }))
    })
})

const answer = {
  action: oneOf("the answer", responses),
  reason: lines("The reason", limits.textCharacters),
  attested: requiredCheckbox("Tick the box to answer for the organization."),
  confirmationDigest: Schema.optionalKey(Schema.String)
}

interface Answer {
  readonly action: (typeof responses)[number]
  readonly reason: string
  readonly confirmationDigest?: string
  readonly organizationId?: string
}

/** The effect of an acceptance, and its limits. */
const effectOf = ({ model }: ProposalPageContext): Content =>
  list([
    "An agreement with exactly these terms is made at once, with the legal documents that they name.",
    [
      "Your organization is its buyer, you made it, and ",
      personOf(model.view.proposal.supplier.actorId, model.nameOf),
      " represents its supplier."
    ],
    "The supplier still has to answer it: accepting a proposal does not accept the agreement for the supplier.",
    "It neither delivers nor accepts a delivery, and issues no record.",
    "Agents of both parties with this proposal in their grants get access to the agreement too; other agents do not."
  ])

/** An unavailable acceptance is listed with its reasons. */
const answers = ({ model }: ProposalPageContext, state: FormState): Content => {
  const { missing } = model.view.decisionReadiness
  const allowed = responses.filter((one) => one !== "ACCEPT" || missing.length === 0)
  return [
    radioGroup(state, {
      name: "action",
      legend: "Your answer",
      choices: allowed.map((value) => ({ value, label: answerLabels[value].name, hint: answerLabels[value].about }))
    }),
    missing.length === 0
      ? null
      : [paragraph(answerLabels.ACCEPT.name, " is not possible now:"), list(missing.map(proposalBlockedReasonText))]
  ]
}

const organizations = ({ model }: ProposalPageContext, state: FormState): Content => {
  const [only, ...others] = model.answering
  if (only !== undefined && others.length === 0) {
    return [
      paragraph("You answer for ", untrusted(only.organizationName), "."),
      hidden("organizationId", only.organizationId)
    ]
  }
  return radioGroup(state, {
    name: "organizationId",
    legend: "For which of your organizations?",
    choices: model.answering.map(({ organizationId, organizationName }) => ({
      value: organizationId,
      label: untrusted(organizationName),
      hint: h("code", null, organizationId)
    }))
  })
}
