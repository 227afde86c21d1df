/** The supplier's representative answers the exact terms. */
import { Effect } from "effect"
import { h } from "preact"
import { responses } from "../../projects/event.ts"
import type { PageContext } from "../commands/subject.ts"
import { hiddenField, requiredField } from "../kit/form-field.ts"
import { untrusted, type Content } from "../kit/html.ts"
import { paragraph, section } from "../kit/parts.ts"
import { decisionChoice, organizationField, readByBuyer, reasonField } from "../commands/fields.ts"
import { readMemberships } from "../organization/own-membership.ts"
import { responseLabels, blockedReasonText } from "./labels.ts"
import type { ProjectPageModel } from "./read-model.ts"
import { projectCommand } from "./subject.ts"
import { termsFacts } from "./terms.ts"

/** The person's memberships, where several of their organizations can answer. */
const readChoices = ({ visitor, model }: PageContext<ProjectPageModel>) =>
  model.organizationIds.length < 2 ? Effect.succeed([]) : readMemberships(visitor.person)

export const respondPages = projectCommand({
  acts: ["RESPOND_TERMS"],
  operation: "respondAsPerson",
  submitLabel: "Send the answer",
  readExtra: readChoices,
  fields: ({ model, extra: memberships = [] }) => ({
    action: decisionChoice(responseLabels, allowedAnswers(model), { what: "the answer", legend: "Your answer" }),
    reason: reasonField(readByBuyer),
    attested: requiredField(
      "I am entitled to answer for the supplier, and this answer binds its organization.",
      "Tick the box to answer for the supplier."
    ),
    confirmationDigest: hiddenField(model.view.project.confirmations.respond?.digest),
    // The form can name an organization that has become the only one since it was shown.
    organizationId: organizationField(
      model.organizationIds.map((organizationId) => ({
        value: organizationId,
        label: untrusted(memberships.find((one) => one.organizationId === organizationId)?.organizationName ?? "")
      }))
    )
  }),
  show: ({ model }, { action, organizationId, reason, confirmationDigest, attested }) => {
    const { agreement, agreementDigest } = model.project
    const { respond } = model.view.project.confirmations
    return {
      before: section(
        "The terms that you answer",
        paragraph("Digest of the agreement: ", h("code", null, agreementDigest)),
        termsFacts(agreement.terms, model.nameOf)
      ),
      fields: [
        action,
        unavailableAnswers(model),
        organizationId,
        reason,
        respond === undefined
          ? null
          : section("What you confirm", respond.effect, paragraph("Digest: ", h("code", null, respond.digest))),
        confirmationDigest,
        attested
      ]
    }
  },
  command: ({ visitor, model, requestId }, { action, reason, confirmationDigest }) => ({
    kind: "RESPOND",
    input: {
      requestId,
      agreementDigest: model.project.agreementDigest,
      action,
      actorId: visitor.person.personId,
      actorRole: "SUPPLIER",
      authorityAttested: true,
      reason,
      ...(confirmationDigest === undefined ? {} : { confirmationDigest })
    }
  }),
  acknowledgement: ({ action }) => responseLabels[action].acknowledgement,
  organizationOf: ({ organizationId }) => organizationId
})

const decisionsOn = ({ view }: ProjectPageModel) =>
  view.decisionActions.filter(({ action }) => action === "RESPOND_TERMS")

const allowedAnswers = (model: ProjectPageModel) =>
  responses.filter((one) => decisionsOn(model).some(({ decision, allowed }) => allowed && decision === one))

/** Unavailable answers are listed with the reason. */
const unavailableAnswers = (model: ProjectPageModel): Content =>
  responses
    .filter((one) => !allowedAnswers(model).includes(one))
    .map((one) => {
      const code = decisionsOn(model).find(({ decision }) => decision === one)?.code
      return paragraph(responseLabels[one].name, ": ", blockedReasonText(code ?? "STATE_CONFLICT"))
    })
