/** The entered terms where no version can be saved any more: for copying, and for a new proposal. */
import { form } from "../kit/fields.ts"
import type { Content } from "../kit/html.ts"
import type { Viewer } from "../kit/page.ts"
import { section } from "../kit/parts.ts"
import { submittedTexts } from "../kit/submitted-texts.ts"
import { requestIdField } from "../kit/idempotent-form.ts"
import type { Fields } from "../kit/urlencoded.ts"
import { entryLabel } from "../agreements/entry-labels.ts"
import { hiddenFields, previewDigestName, withoutFields } from "../agreements/terms-form.ts"
import { supplierReferenceLabel } from "./form.ts"
import { proposalFromEntriesPath } from "./path.ts"

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
    "Your entries can become a new proposal, with every field unchanged, in a draft. It refers to no public specification.",
    form(
      { action: proposalFromEntriesPath, formToken, submitLabel: "Continue in a new proposal" },
      requestIdField(requestId),
      hiddenFields({ ...terms, organizationId })
    )
  )
}

const labelOf = (name: string): string | undefined =>
  Object.hasOwn(proposalLabels, name) ? proposalLabels[name] : entryLabel(name)

const proposalLabels: { readonly [name: string]: string } = {
  supplierReference: supplierReferenceLabel,
  supplierActorId: "Person id of the supplier’s representative"
}
