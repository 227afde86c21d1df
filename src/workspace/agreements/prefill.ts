/** Terms or a draft as form fields; missing values are empty fields. */
import type { DraftContent } from "../../drafts/content.ts"
import { valueAt, type Terms } from "../../projects/terms.ts"
import type { Fields } from "../kit/urlencoded.ts"
import type { TermsChoices } from "./choices.ts"
import { textOf } from "./controls.ts"
import { fields, fieldsIn, type Field } from "./fields.ts"
import { fieldsFromCriteria, fieldsFromRequirements } from "./rows.ts"

/** For a revision; `supplierActorId` is the current representative, who may have joined after the terms were made. */
export const fieldsFromTerms = (terms: Terms, supplierActorId: string | null): Fields => ({
  ...fieldsFromDraft(terms, { contacts: [] }),
  supplierBy: supplierActorId === null ? "LATER" : "PERSON",
  supplierActorId: supplierActorId ?? ""
})

export const fieldsFromDraft = (content: DraftContent, choices: Pick<TermsChoices, "contacts">): Fields => ({
  ...textsOf(
    fields.filter(({ section }) => section !== "signing"),
    content
  ),
  supplierReference: content.supplierReference ?? content.recipient?.reference ?? "",
  ...supplier(content, choices),
  ...fieldsFromCriteria(content.criteria),
  ...fieldsFromRequirements(content.subjectRequirements),
  ...signing(content)
})

const textsOf = (shown: ReadonlyArray<Field>, content: DraftContent): Fields =>
  Object.fromEntries(shown.map((field) => [field.formName, textOf(field, valueAt(content, field.path))]))

/** The recipient is the supplier where no other supplier is named. */
const supplier = (
  { supplierActorId, recipient }: DraftContent,
  { contacts }: Pick<TermsChoices, "contacts">
): Fields => {
  const personId = supplierActorId ?? recipient?.actorId
  if (personId === undefined) return { supplierBy: "", supplierActorId: "" }
  const contact = contacts.find((one) => one.personId === personId)
  return contact === undefined
    ? { supplierBy: "PERSON", supplierActorId: personId }
    : { supplierBy: "CONTACT", supplierContact: contact.contactId, supplierActorId: "" }
}

/** A proposed external signing policy fills the same fields. */
const signing = ({ signing, externalSigning }: DraftContent): Fields => {
  const proposed = signing ?? externalSigning
  return proposed === undefined
    ? { signing: "OFF" }
    : { ...textsOf(fieldsIn("signing"), { signing: proposed }), signing: signingWayOf(proposed) }
}

/** Empty where the method is not specified. */
export const signingWayOf = ({ enabled, method }: NonNullable<DraftContent["signing"]>) =>
  enabled === false ? "OFF" : (method ?? "")
