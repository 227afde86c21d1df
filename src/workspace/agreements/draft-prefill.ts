/** A draft as form fields; missing values are empty fields. */
import type { DraftContent } from "../../drafts/content.ts"
import type { Instant } from "../../vocabulary/instant.ts"
import { textFromInstant } from "../kit/time-input.ts"
import type { Fields } from "../kit/urlencoded.ts"
import type { AgreementChoices } from "./choices.ts"
import { defaultId, rowCountNames, rowName } from "./rows.ts"

export const fieldsFromDraft = (content: DraftContent, choices: Pick<AgreementChoices, "contacts">): Fields => {
  const { termsPolicy = {}, originals = {} } = content
  return {
    title: content.title ?? "",
    scope: content.scope ?? "",
    buyerName: content.buyerName ?? "",
    supplierName: content.supplierName ?? "",
    supplierReference: content.supplierReference ?? content.recipient?.reference ?? "",
    ...supplier(content, choices),
    deadline: textOf(content.deadline),
    reviewDeadline: textOf(content.reviewDeadline),
    retainUntil: textOf(content.retainUntil),
    baselineStatement: content.baselineStatement ?? "",
    purpose: termsPolicy.purpose ?? "",
    contractBasis: termsPolicy.contractBasis ?? "",
    contractReference: termsPolicy.contractReference ?? "",
    contractClauses: termsPolicy.contractClauses ?? "",
    sharing: termsPolicy.sharing ?? "",
    sharingRecipients: (termsPolicy.sharingRecipients ?? []).join("\n"),
    custodian: originals.custodian ?? "",
    location: originals.location ?? "",
    access: originals.access ?? "",
    ...criteria(content),
    ...requirements(content),
    ...signing(content)
  }
}

const textOf = (instant: Instant | undefined): string => (instant === undefined ? "" : textFromInstant(instant))

/** The recipient is the supplier where no other supplier is named. */
const supplier = (
  { supplierActorId, recipient }: DraftContent,
  { contacts }: Pick<AgreementChoices, "contacts">
): Fields => {
  const personId = supplierActorId ?? recipient?.actorId
  if (personId === undefined) return { supplierBy: "", supplierActorId: "" }
  const contact = contacts.find((one) => one.personId === personId)
  return contact === undefined
    ? { supplierBy: "PERSON", supplierActorId: personId }
    : { supplierBy: "CONTACT", supplierContact: contact.contactId, supplierActorId: "" }
}

const criteria = ({ criteria = [] }: DraftContent): Fields => {
  const ids = new Set(criteria.map(({ id }) => id))
  const freeId = (row: number) => (ids.has(defaultId("criteria", row)) ? "" : defaultId("criteria", row))
  const rows = criteria.length === 0 ? [{}] : criteria
  return {
    [rowCountNames.criteria]: String(rows.length),
    ...Object.fromEntries(
      rows.flatMap(({ id, title, requirement }: NonNullable<DraftContent["criteria"]>[number], index) => [
        [rowName("criterion", index + 1, "Id"), id ?? freeId(index + 1)],
        [rowName("criterion", index + 1, "Title"), title ?? ""],
        [rowName("criterion", index + 1, "Requirement"), requirement ?? ""]
      ])
    )
  }
}

const requirements = ({ subjectRequirements = [] }: DraftContent): Fields => ({
  [rowCountNames.requirements]: String(subjectRequirements.length),
  ...Object.fromEntries(
    subjectRequirements.flatMap(({ id, statement, humanDecisions }, index) => [
      [rowName("requirement", index + 1, "Id"), id],
      [rowName("requirement", index + 1, "Statement"), statement],
      [rowName("requirement", index + 1, "Decisions"), humanDecisions]
    ])
  )
})

/** A proposed external signing policy fills the same fields. */
const signing = ({ signing, externalSigning }: DraftContent): Fields => {
  const proposed = signing ?? externalSigning
  if (proposed === undefined) return { signing: "OFF" }
  return {
    signing: signingWayOf(proposed),
    principal: proposed.principal ?? "",
    counterparty: proposed.counterparty ?? "",
    signingContact: proposed.contact ?? "",
    agreementSignBy: textOf(proposed.agreementSignBy),
    acceptanceSignBy: textOf(proposed.acceptanceSignBy)
  }
}

/** Empty where the method is not specified. */
export const signingWayOf = ({ enabled, method }: NonNullable<DraftContent["signing"]>) =>
  enabled === false ? "OFF" : (method ?? "")
