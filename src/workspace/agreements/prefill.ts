/** Terms as form fields, for a revision. */
import type { Terms } from "../../projects/terms.ts"
import type { Fields } from "../kit/urlencoded.ts"
import { textFromInstant } from "../kit/time-input.ts"
import { rowCountNames, rowName } from "./rows.ts"

/** `supplierActorId` is the current representative, who may have joined after the terms were made. */
export const fieldsFromTerms = (terms: Terms, supplierActorId: string | null): Fields => {
  const { termsPolicy, originals, retainUntil } = terms
  return {
    title: terms.title,
    scope: terms.scope,
    buyerName: terms.buyerName,
    supplierName: terms.supplierName,
    supplierReference: terms.supplierReference,
    supplierBy: supplierActorId === null ? "LATER" : "PERSON",
    supplierActorId: supplierActorId ?? "",
    deadline: textFromInstant(terms.deadline),
    reviewDeadline: textFromInstant(terms.reviewDeadline),
    retainUntil: retainUntil === undefined ? "" : textFromInstant(retainUntil),
    baselineStatement: terms.baselineStatement,
    purpose: termsPolicy.purpose,
    contractBasis: termsPolicy.contractBasis,
    contractReference: termsPolicy.contractReference ?? "",
    contractClauses: termsPolicy.contractClauses ?? "",
    sharing: termsPolicy.sharing,
    sharingRecipients: termsPolicy.sharingRecipients.join("\n"),
    custodian: originals.custodian,
    location: originals.location,
    access: originals.access,
    ...criteria(terms),
    ...requirements(terms),
    ...signing(terms)
  }
}

const criteria = ({ criteria }: Terms): Fields => ({
  [rowCountNames.criteria]: String(criteria.length),
  ...Object.fromEntries(
    criteria.flatMap(({ id, title, requirement }, index) => [
      [rowName("criterion", index + 1, "Id"), id],
      [rowName("criterion", index + 1, "Title"), title],
      [rowName("criterion", index + 1, "Requirement"), requirement]
    ])
  )
})

const requirements = ({ subjectRequirements }: Terms): Fields => ({
  [rowCountNames.requirements]: String(subjectRequirements.length),
  ...Object.fromEntries(
    subjectRequirements.flatMap(({ id, statement, humanDecisions }, index) => [
      [rowName("requirement", index + 1, "Id"), id],
      [rowName("requirement", index + 1, "Statement"), statement],
      [rowName("requirement", index + 1, "Decisions"), humanDecisions]
    ])
  )
})

const signing = ({ signing }: Terms): Fields =>
  signing === undefined
    ? { signing: "OFF" }
    : {
        signing: signing.method,
        principal: signing.principal,
        counterparty: signing.counterparty ?? "",
        signingContact: signing.contact ?? "",
        agreementSignBy: textFromInstant(signing.agreementSignBy),
        acceptanceSignBy: textFromInstant(signing.acceptanceSignBy)
      }
