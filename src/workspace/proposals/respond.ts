/** The recipient answers exactly the version that was published to them. */
import { Effect } from "effect"
import { h } from "preact"
import { currentDocuments, previewConfirmation } from "../../projects/legal.ts"
import { responses } from "../../projects/event.ts"
import { decisionChoice, organizationField, reasonField } from "../commands/fields.ts"
import { hidden } from "../kit/fields.ts"
import { hiddenField, requiredField } from "../kit/form-field.ts"
import { untrusted, type Content } from "../kit/html.ts"
import { list, paragraph, section } from "../kit/parts.ts"
import { personOf } from "../projects/identity.ts"
import { answerLabels, proposalBlockedReasonText } from "./labels.ts"
import type { ProposalPageModel } from "./read-model.ts"
import { proposalCommand } from "./subject.ts"
import { proposalTermsFacts } from "./terms.ts"

export const respondPages = proposalCommand({
  acts: ["RESPOND_PROPOSAL"],
  operation: "answerProposalAsPerson",
  submitLabel: "Send the answer",
  readExtra: () => Effect.flatMap(currentDocuments, previewConfirmation),
  fields: ({ model, extra }) => ({
    action: decisionChoice(
      answerLabels,
      responses.filter((one) => one !== "ACCEPT" || model.view.decisionReadiness.missing.length === 0),
      { what: "the answer", legend: "Your answer" }
    ),
    reason: reasonField("The author reads it, and it stays in the history."),
    attested: requiredField(
      "I am entitled to answer for the organization. If I accept, I confirm the above, and it binds the organization as buyer.",
      "Tick the box to answer for the organization."
    ),
    confirmationDigest: hiddenField(extra?.confirmation.digest),
    organizationId: organizationField(
      model.answering.map(({ organizationId, organizationName }) => ({
        value: organizationId,
        label: untrusted(organizationName),
        hint: h("code", null, organizationId)
      })),
      model.answering.map(({ organizationId, organizationName }) => [
        paragraph("You answer for ", untrusted(organizationName), "."),
        hidden("organizationId", organizationId)
      ])
    )
  }),
  show: (context, { action, organizationId, reason, confirmationDigest, attested }) => {
    const { model, extra } = context
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
        section("What an acceptance does", effectOf(model))
      ],
      fields: [
        action,
        obstacles(model),
        organizationId,
        reason,
        section(
          "What you confirm by accepting",
          extra.confirmation.effect,
          "It is based on the current versions of the legal documents in the terms.",
          paragraph("Digest: ", h("code", null, extra.confirmation.digest))
        ),
        confirmationDigest,
        attested
      ]
    }
  },
  command: ({ model, requestId }, { action, reason, confirmationDigest }) => ({
    kind: "RESPOND",
    input: {
      requestId,
      proposalDigest: model.view.proposal.digest,
      action,
      reason,
      ...(action !== "ACCEPT" || confirmationDigest === undefined ? {} : { confirmationDigest })
    }
  }),
  acknowledgement: ({ action }) => answerLabels[action].acknowledgement,
  organizationOf: ({ organizationId }: { readonly organizationId?: string }, { view }) =>
    organizationId ?? view.organizationId
})

/** The effect of an acceptance, and its limits. */
const effectOf = ({ view, nameOf }: ProposalPageModel): Content =>
  list([
    "An agreement with exactly these terms is made at once, with the legal documents that they name.",
    [
      "Your organization is its buyer, you made it, and ",
      personOf(view.proposal.supplier.actorId, nameOf),
      " represents its supplier."
    ],
    "The supplier still has to answer it: accepting a proposal does not accept the agreement for the supplier.",
    "It neither delivers nor accepts a delivery, and issues no record.",
    "Agents of both parties with this proposal in their grants get access to the agreement too; other agents do not."
  ])

/** Why it cannot be accepted now. */
const obstacles = ({ view }: ProposalPageModel): Content => {
  const { missing } = view.decisionReadiness
  return missing.length === 0
    ? null
    : [paragraph(answerLabels.ACCEPT.name, " is not possible now:"), list(missing.map(proposalBlockedReasonText))]
}
