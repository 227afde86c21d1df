/** The entered terms where no version can be saved any more: for copying, and for a new proposal. */
import { form } from "../kit/fields.ts"
import type { Content } from "../kit/html.ts"
import type { Viewer } from "../kit/page.ts"
import { section } from "../kit/parts.ts"
import { submittedTexts } from "../kit/submitted-texts.ts"
import { requestIdField } from "../kit/idempotent-form.ts"
import type { Fields } from "../kit/urlencoded.ts"
import { fields } from "../agreements/fields.ts"
import { stepName } from "../agreements/form.ts"
import { editStep, hiddenFields, previewDigestName, withoutFields } from "../agreements/steps.ts"
import { supplierReferenceLabel } from "./form.ts"
import { newProposalPath } from "./path.ts"

/** Each entered text with its label. */
export const enteredTerms = (fields: Fields): Content => submittedTexts(fields, labelOf)

/** A form that starts a new proposal with all entered values, selections included. */
export const newProposalForm = (
  { formToken }: Viewer,
  organizationId: string,
  { requestId, fields }: { readonly requestId: string; readonly fields: Fields }
): Content => {
  const terms = withoutFields(fields, [previewDigestName])
  return section(
    "Continue with it",
    "Your entries can become a new proposal, with every field unchanged. It refers to no public specification.",
    form(
      { action: newProposalPath, formToken, submitLabel: "Continue in a new proposal" },
      requestIdField(requestId),
      hiddenFields({ ...terms, organizationId, [stepName]: editStep })
    )
  )
}

const labelOf = (name: string): string | undefined => {
  const [, row = "", place, part = ""] = /^(criterion|requirement)([1-9]\d*)([A-Z][a-z]+)$/.exec(name) ?? []
  if (place !== undefined) return Object.hasOwn(rowLabels, row + part) ? `${rowLabels[row + part]} ${place}` : undefined
  const field = fields.find(({ formName }) => formName === name)
  return field === undefined || field.control === "choice" ? undefined : (proposalLabels[name] ?? field.label)
}

const rowLabels: { readonly [name: string]: string } = {
  criterionId: "Id of criterion",
  criterionTitle: "Title of criterion",
  criterionRequirement: "What is required by criterion",
  requirementId: "Id of requirement",
  requirementStatement: "What is said by requirement"
}

const proposalLabels: { readonly [name: string]: string } = {
  supplierReference: supplierReferenceLabel,
  supplierActorId: "Person id of the supplier’s representative"
}
