/** The entered terms where no version can be saved any more: for copying, and for a new proposal. */
import { form, hidden } from "../kit/fields.ts"
import type { Content } from "../kit/html.ts"
import type { Viewer } from "../kit/page.ts"
import { paragraph, section } from "../kit/parts.ts"
import { submittedValues } from "../kit/submitted-values.ts"
import { requestIdField } from "../kit/idempotent-form.ts"
import type { Fields } from "../kit/urlencoded.ts"
import { stepName } from "../agreements/form.ts"
import { editStep, previewDigestName } from "../agreements/preview.ts"
import { newProposalPath } from "./path.ts"

/** Each entered text with its label. */
export const enteredTerms = (fields: Fields): Content => submittedValues(fields, labelOf)

/** A form that starts a new proposal with all entered values, selections included. */
export const newProposalForm = (
  { formToken }: Viewer,
  organizationId: string,
  { requestId, fields }: { readonly requestId: string; readonly fields: Fields }
): Content => {
  const { [stepName]: _, [previewDigestName]: __, ...terms } = fields
  return section(
    "Continue with it",
    paragraph(
      "Your entries can become a new proposal, with every field unchanged. It refers to no public specification."
    ),
    form(
      { action: newProposalPath, formToken, submitLabel: "Continue in a new proposal" },
      requestIdField(requestId),
      Object.entries({ ...terms, organizationId, [stepName]: editStep }).flatMap(([name, value]) =>
        (typeof value === "string" ? [value] : value).map((one) => hidden(name, one))
      )
    )
  )
}

const labelOf = (name: string): string | undefined => {
  const [, row = "", place, part = ""] = /^(criterion|requirement)([1-9]\d*)([A-Z][a-z]+)$/.exec(name) ?? []
  if (place !== undefined) return Object.hasOwn(rowLabels, row + part) ? `${rowLabels[row + part]} ${place}` : undefined
  return Object.hasOwn(termsLabels, name) ? termsLabels[name] : undefined
}

const rowLabels: { readonly [name: string]: string } = {
  criterionId: "Id of criterion",
  criterionTitle: "Title of criterion",
  criterionRequirement: "What is required by criterion",
  requirementId: "Id of requirement",
  requirementStatement: "What is said by requirement"
}

const termsLabels: { readonly [name: string]: string } = {
  title: "Title",
  scope: "Scope",
  baselineStatement: "State at the start",
  buyerName: "Name of the buyer",
  supplierName: "Name of the supplier",
  supplierReference: "How the buyer refers to the supplier",
  supplierActorId: "Person id of the supplier’s representative",
  deadline: "Delivered until",
  reviewDeadline: "Reviewed until",
  retainUntil: "Kept until",
  purpose: "Purpose",
  contractReference: "Reference of the existing contract",
  contractClauses: "Its clauses that apply, word for word",
  sharing: "What is shared with whom",
  sharingRecipients: "Recipients of the record",
  custodian: "Who keeps the originals",
  location: "Where they are",
  access: "Who may open them",
  principal: "Person id of who signs for the buyer",
  counterparty: "Person id of who signs for the supplier",
  signingContact: "Contact for signing",
  agreementSignBy: "Agreement signed until",
  acceptanceSignBy: "Acceptance signed until"
}
