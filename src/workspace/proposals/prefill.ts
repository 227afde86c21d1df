/** The initial values of a proposal's form: the current version, or a supplier's draft. */
import type { DraftContent } from "../../drafts/content.ts"
import type { Fields } from "../kit/urlencoded.ts"
import { fieldsFromDraft, fieldsFromTerms } from "../agreements/prefill.ts"
import type { TermsChoices } from "../agreements/choices.ts"
import type { ProposalPageModel } from "./read-model.ts"
import { recipientName } from "./values.ts"

/** All fields of the version; a recipient who is no longer a contact has to be selected again. */
export const fieldsFromVersion = ({ view }: ProposalPageModel, choices: TermsChoices): Fields => {
  const { terms, supplier, recipient } = view.proposal
  const { supplierBy: _, ...fields } = fieldsFromTerms(terms, supplier.actorId)
  const contact = choices.contacts.find(
    ({ reference, personId }) => reference === recipient.reference && personId === recipient.actorId
  )
  // The default signer stays empty in the form, so that a new recipient becomes the signer.
  const isDefault = fields["principal"] === recipient.actorId
  return { ...fields, [recipientName]: contact?.contactId ?? "", ...(isDefault ? { principal: "" } : {}) }
}

/** Missing values are empty fields; persons who are no member or contact have to be selected. */
export const fieldsFromSupplierDraft = (content: DraftContent, choices: TermsChoices): Fields => {
  const { supplierBy: _, supplierContact: __, ...fields } = fieldsFromDraft(content, { contacts: [] })
  return {
    ...fields,
    supplierName: content.supplierName ?? choices.organizationName,
    supplierReference: content.supplierReference ?? "",
    supplierActorId: content.supplierActorId ?? choices.personId,
    [recipientName]: contactOf(content, choices)?.contactId ?? ""
  }
}

/** The contact whom a draft names as recipient. */
export const contactOf = (
  { recipient = {} }: DraftContent,
  { contacts }: TermsChoices
): TermsChoices["contacts"][number] | undefined => {
  const named = recipient.reference !== undefined || recipient.actorId !== undefined
  return contacts.find(
    ({ reference, personId }) =>
      named &&
      (recipient.reference === undefined || recipient.reference === reference) &&
      (recipient.actorId === undefined || recipient.actorId === personId)
  )
}
