/** Proposals that people write, publish and answer on pages: form values, and submissions. */
import { Effect } from "effect"
import { addContact } from "../../src/people/contacts.ts"
import { readWholeProposal } from "../../src/proposals/person-operations.ts"
import { now } from "../../src/vocabulary/instant.ts"
import { commitShown, dayFrom } from "./agreement-pages.ts"
import { formOn, readPage, submit, type Values } from "./page-forms.ts"
import type { Answer } from "./service.ts"
import { signInAnew, type SignedInPerson } from "./sessions.ts"

export const newPath = "/workspace/proposals/new"

export const proposalPage = (proposalId: string, path = "") =>
  `/workspace/proposals/${proposalId}${path === "" ? "" : `/${path}`}`

/** Sam, who proposes, and Dana, a contact of Sam under a reference. */
export const makeCouple = Effect.gen(function* () {
  const supplier = yield* signInAnew("Sam")
  const buyer = yield* signInAnew("Dana")
  return { supplier, buyer, contactId: yield* knowing(supplier, buyer, "dana") }
})

export type Couple = Effect.Success<typeof makeCouple>

export const knowing = (supplier: SignedInPerson, { personId, name }: SignedInPerson, reference: string) =>
  Effect.map(
    addContact(supplier, { organizationId: supplier.organizationId, reference, name, personId }),
    ({ contactId }) => contactId
  )

/** Every field of the form, with one criterion and without optional values. */
export const written = Effect.fnUntraced(function* (
  { supplier, contactId }: Pick<Couple, "supplier" | "contactId">,
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

/** The first step: submits the form from its page, which may have a query. */
export const previewed = Effect.fnUntraced(function* (by: SignedInPerson, values: Values, shownAt = newPath) {
  return yield* submit(by, formOn(yield* readPage(by, shownAt), shownAt.replace(/\?.*/, "")), values)
})

/** Both steps; the proposal is then a draft. */
export const writeOnPages = Effect.fnUntraced(function* (couple: Couple, changes: Values = {}) {
  const shown = yield* previewed(couple.supplier, yield* written(couple, changes))
  return proposalIn(yield* commitShown(couple.supplier, shown, newPath))
})

/** The same, published. */
export const publishOnPages = Effect.fnUntraced(function* (couple: Couple, changes: Values = {}) {
  const proposalId = yield* writeOnPages(couple, changes)
  yield* mustDo(couple.supplier, proposalId, "publish")
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
export const doOnPage = (by: SignedInPerson, proposalId: string, path: string, values: Values = {}) =>
  Effect.flatMap(openForm(by, proposalId, path), (form) => submit(by, form, values))

/** The same; asserts that the response is the page of the proposal. */
export const mustDo = Effect.fnUntraced(function* (
  by: SignedInPerson,
  proposalId: string,
  path: string,
  values: Values = {}
) {
  const answer = yield* doOnPage(by, proposalId, path, values)
  if (answer.status !== 303) throw new Error(`${path} was answered with ${answer.status}: ${answer.text}`)
  return yield* readPage(by, proposalPage(proposalId))
})

/** A new version, from the form with the current one. */
export const updateOnPages = Effect.fnUntraced(function* (couple: Couple, proposalId: string, changes: Values = {}) {
  const path = proposalPage(proposalId, "update")
  const shown = yield* previewed(couple.supplier, yield* written(couple, changes), path)
  return yield* commitShown(couple.supplier, shown, path)
})

/** The proposal in its author's view. */
export const standing = (by: SignedInPerson, proposalId: string) =>
  Effect.map(readWholeProposal(by, proposalId), ({ view, events }) => ({
    ...view.proposal,
    paused: view.automation.paused,
    events: events.map(({ kind }) => kind)
  }))

export const accepting: Values = { action: "ACCEPT", reason: "We want it.", attested: "on" }
