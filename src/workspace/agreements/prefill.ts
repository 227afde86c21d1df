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
  signing: "OFF",
  ...fieldsFromDraft(terms, { contacts: [] }),
  supplierBy: supplierActorId === null ? "LATER" : "PERSON",
  supplierActorId: supplierActorId ?? ""
})

/** The terms for another agreement like this one: the legal documents and every date are left out. */
export const contentLike = (agreed: Terms): DraftContent => {
  const { legalContext: _, ...terms } = agreed
  const dates = fields.filter(({ control }) => control === "date").map(({ path }) => path)
  const isDate = (group: string | undefined, name: string) =>
    dates.some((date) => date.group === group && date.name === name)
  const without = (group: string | undefined, members: object): object =>
    Object.fromEntries(Object.entries(members).filter(([name]) => !isDate(group, name)))
  const { signing } = terms
  return { ...without(undefined, terms), ...(signing === undefined ? {} : { signing: without("signing", signing) }) }
}

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

/** A choice without a value is absent, as a browser sends it. */
const textsOf = (shown: ReadonlyArray<Field>, content: DraftContent): Fields =>
  Object.fromEntries(
    shown
      .map((field) => [field, valueAt(content, field.path)] as const)
      .filter(([{ choices }, value]) => choices === undefined || value !== undefined)
      .map(([field, value]) => [field.formName, textOf(field, value)])
  )

/** The recipient is the supplier where no other supplier is named. */
const supplier = (
  { supplierActorId, recipient }: DraftContent,
  { contacts }: Pick<TermsChoices, "contacts">
): Fields => {
  const personId = supplierActorId ?? recipient?.actorId
  if (personId === undefined) return { supplierBy: "LATER", supplierActorId: "" }
  const contact = contacts.find((one) => one.personId === personId)
  return contact === undefined
    ? { supplierBy: "PERSON", supplierActorId: personId }
    : { supplierBy: "CONTACT", supplierContact: contact.contactId, supplierActorId: "" }
}

/** A proposed external signing policy fills the same fields. */
const signing = ({ signing, externalSigning }: DraftContent): Fields => {
  const proposed = signing ?? externalSigning
  const texts = textsOf(fieldsIn("signing"), { signing: proposed ?? {} })
  const way = proposed === undefined ? undefined : signingWayOf(proposed)
  return way === undefined ? texts : { ...texts, signing: way }
}

/** Undefined where the method is not specified. */
export const signingWayOf = ({ enabled, method }: NonNullable<DraftContent["signing"]>) =>
  enabled === false ? "OFF" : method
