/** Proposals that people write, publish and answer on pages: form values, and submissions. */
import { Effect } from "effect"
import { addContact } from "../../src/people/contacts.ts"
import { readProposalWithHistory } from "../../src/proposals/person-operations.ts"
import { now } from "../../src/vocabulary/instant.ts"
import { commitPreview, dayFrom, throughSteps } from "./agreement-pages.ts"
import { formOn, readPage, submit, type Values } from "./page-forms.ts"
import type { Answer } from "./service.ts"
import { signInNewPerson, type SignedInPerson } from "./sessions.ts"

export const newPath = "/workspace/proposals/new"

export const proposalPage = (proposalId: string, path = "") =>
  `/workspace/proposals/${proposalId}${path === "" ? "" : `/${path}`}`

/** Sam, who proposes, and Dana, a contact of Sam under a reference. */
export const makeProposalContacts = Effect.gen(function* () {
  const supplier = yield* signInNewPerson("Sam")
  const buyer = yield* signInNewPerson("Dana")
  return { supplier, buyer, contactId: yield* makeContact(supplier, buyer, "dana") }
})

export type ProposalContacts = Effect.Success<typeof makeProposalContacts>

export const makeContact = (supplier: SignedInPerson, { personId, name }: SignedInPerson, reference: string) =>
  Effect.map(
    addContact(supplier, { organizationId: supplier.organizationId, reference, name, personId }),
    ({ contactId }) => contactId
  )

/** Every field of the form, with one criterion and without optional values. */
export const proposalFormValues = Effect.fnUntraced(function* (
  { supplier, contactId }: Pick<ProposalContacts, "supplier" | "contactId">,
  changes: Values = {}
) {
  const today = yield* now
  return {
    recipient: contactId,
    title: "Logo",
    scope: "One logo.\nIn colour.",
    baselineStatement: "None yet.",
    buyerName: "Dana Ltd",
    supplierName: "Sam Studio",
    supplierReference: "Offer 7",
    supplierActorId: supplier.personId,
    criterion1Id: "vector",
    criterion1Title: "Vector files",
    criterion1Requirement: "An SVG.",
    deadline: dayFrom(today, 7),
    reviewDeadline: dayFrom(today, 14),
    retainUntil: "",
    purpose: "Record",
    contractBasis: "THIS_AGREEMENT",
    contractReference: "",
    contractClauses: "",
    sharing: "Both sides",
    sharingRecipients: "",
    custodian: "Sam",
    location: "Folder",
    access: "Both sides",
    signing: "OFF",
    principal: "",
    counterparty: "",
    signingContact: "",
    agreementSignBy: "",
    acceptanceSignBy: "",
    ...changes
  } satisfies Values
})

/** The preview after the steps of a new draft, of the draft at this path, or after the form of a version. */
export const previewProposal = Effect.fnUntraced(function* (by: SignedInPerson, values: Values, shownAt = newPath) {
  if (shownAt.startsWith(newPath)) return yield* throughSteps(by, values, shownAt)
  return yield* submit(by, formOn(yield* readPage(by, shownAt), shownAt), values)
})

/** Both steps; the proposal is then a draft. */
export const writeOnPages = Effect.fnUntraced(function* (couple: ProposalContacts, changes: Values = {}) {
  const shown = yield* previewProposal(couple.supplier, yield* proposalFormValues(couple, changes))
  return proposalIn(yield* commitPreview(couple.supplier, shown, newPath))
})

/** The same, published. */
export const publishOnPages = Effect.fnUntraced(function* (couple: ProposalContacts, changes: Values = {}) {
  const proposalId = yield* writeOnPages(couple, changes)
  yield* actOnProposalSuccessfully(couple.supplier, proposalId, "publish")
  return proposalId
})

/** The id of the proposal whose page a response redirects to. */
export const proposalIn = ({ status, headers, text }: Answer): string => {
  const [, proposalId] = /^\/workspace\/proposals\/(proposal_[0-9a-f-]{36})$/.exec(headers["location"] ?? "") ?? []
  if (status !== 303 || proposalId === undefined)
    throw new Error(`the response leads to no proposal: ${status} ${text}`)
  return proposalId
}

/** The form of an act on its current page. */
export const openForm = (by: SignedInPerson, proposalId: string, path: string) =>
  Effect.map(readPage(by, proposalPage(proposalId, path)), (page) => formOn(page, proposalPage(proposalId, path)))

/** Opens the form and submits it. */
export const actOnProposalPage = (by: SignedInPerson, proposalId: string, path: string, values: Values = {}) =>
  Effect.flatMap(openForm(by, proposalId, path), (form) => submit(by, form, values))

/** The same; asserts that the response is the page of the proposal. */
export const actOnProposalSuccessfully = Effect.fnUntraced(function* (
  by: SignedInPerson,
  proposalId: string,
  path: string,
  values: Values = {}
) {
  const answer = yield* actOnProposalPage(by, proposalId, path, values)
  if (answer.status !== 303) throw new Error(`${path} was answered with ${answer.status}: ${answer.text}`)
  return yield* readPage(by, proposalPage(proposalId))
})

/** A new version, from the form with the current one. */
export const updateOnPages = Effect.fnUntraced(function* (
  couple: ProposalContacts,
  proposalId: string,
  changes: Values = {}
) {
  const path = proposalPage(proposalId, "update")
  const shown = yield* previewProposal(couple.supplier, yield* proposalFormValues(couple, changes), path)
  return yield* commitPreview(couple.supplier, shown, path)
})

/** The proposal in its author's view. */
export const readAsAuthor = (by: SignedInPerson, proposalId: string) =>
  Effect.map(readProposalWithHistory(by, proposalId), ({ view, events }) => ({
    ...view.proposal,
    paused: view.automation.paused,
    events: events.map(({ kind }) => kind)
  }))

export const acceptanceValues: Values = { action: "ACCEPT", reason: "We want it.", attested: "on" }
