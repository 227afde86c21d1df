/** Drafts of both sides: prepared by agents and read by people. */
import { Effect } from "effect"
import { publishSpecification } from "../../src/discovery/publish.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { confirmAgreement, creationInput, makeAgent, uuid, type Party } from "./parties.ts"
import { legalDocument, send, siteUrl } from "./service.ts"
import type { SignedInPerson } from "./sessions.ts"
import { specificationOf } from "./specifications.ts"
import { createdBody, post, read } from "./workspace.ts"

const path = "/api/agents/v1/drafts"

export const prepareDraft = (token: string, fields: object) =>
  send("POST", path, { token, body: { requestId: uuid(), ...fields } })

/** A grant that only allows to prepare drafts for one side. */
export const draftingAgent = (
  party: Omit<Party, "name"> & { readonly name: string },
  role: "BUYER" | "SUPPLIER" = "BUYER"
) => makeAgent(party, role, ["CREATE_DRAFT"])

/** A draft prepared by a new agent of that person. */
export const prepareDraftFor = Effect.fnUntraced(function* (
  person: SignedInPerson,
  fields: object,
  role: "BUYER" | "SUPPLIER" = "BUYER"
) {
  const { token } = yield* draftingAgent(person, role)
  return createdBody(yield* prepareDraft(token, { role, ...fields })).draftId as string
})

/** Every member of the flat form. */
export const flatDraft = ({ personId }: { readonly personId: string }) => ({
  requestId: uuid(),
  role: "BUYER",
  source: "crm",
  sourceReference: "deal 7",
  references: ["https://example.test/brief"],
  title: "Logo",
  scope: "One logo.",
  buyerName: "Dana Ltd",
  providerName: "Sam Studio",
  criteria: [{ id: "vector", title: "Vector files", requirement: "An SVG." }],
  baselineStatement: "None yet.",
  recordPurpose: "Record",
  contractBasis: "EXISTING_CONTRACT",
  commercialReference: "Frame 12",
  contractClauses: "Clause 1.",
  deadlineInstant: "2027-03-01T10:30:00.000Z",
  reviewDeadlineInstant: "2027-03-08T10:30:00.000Z",
  retainUntilInstant: "",
  originalCustodian: "Sam",
  originalLocation: "Folder",
  originalAccess: "Both",
  agreementSharing: "Both",
  sharingRecipients: ["A court"],
  recipientActorId: personId,
  recipientReference: "Offer 7",
  subjectRequirements: [{ id: "people", statement: "A person accepts.", humanDecisions: ["ACCEPT"] }],
  signingEnabled: true,
  signingMethod: "NATIVE",
  signingAgreementInstant: "2027-02-01T10:30:00.000Z",
  signingAcceptanceInstant: "",
  templateSelection: "short form"
})

/** Every member of the nested form. */
export const nestedDraft = ({ personId }: { readonly personId: string }) => ({
  schema: "service.agreement-draft/v1",
  requestId: uuid(),
  title: "Logo",
  criteria: [{ title: "Vector files" }],
  supplierName: "Sam Studio",
  supplierActorId: personId,
  supplierReference: "Offer 7",
  deadline: "2027-03-01T10:30:00.000Z",
  materialPolicy: "FILE_DIGESTS",
  termsPolicy: { purpose: "Record", contractBasis: "THIS_AGREEMENT", sharingRecipients: [] },
  originals: { custodian: "Sam" },
  legalContext: { documents: [legalDocument] },
  templateBinding: { id: "short form", version: 2 },
  signing: { enabled: true, method: "EXTERNAL", counterparty: personId, contact: "Legal" }
})

/** One valid request of every operation of people on drafts. */
export const draftRequests = Effect.fnUntraced(function* (dana: SignedInPerson, sam: SignedInPerson) {
  const fresh = Effect.gen(function* () {
    const draftId = yield* prepareDraftFor(dana, { title: "Logo" })
    const { revision } = yield* readDraft(dana, draftId)
    return { ids: { id: draftId }, revision: revision as number }
  })
  const { organizationId } = dana
  const [read, saved, discarded, committed] = [yield* fresh, yield* fresh, yield* fresh, yield* fresh]
  const revised = ({ revision }: { readonly revision: number }) => ({ requestId: uuid(), revision })
  const content = { title: "Logo", signing: { enabled: false } }
  return [
    ["listDrafts", dana],
    ["createDraft", dana, { body: { requestId: uuid(), organizationId, role: "BUYER", content }, status: 201 }],
    ["readDraft", dana, { ids: read.ids }],
    ["saveDraft", dana, { ids: saved.ids, body: { ...revised(saved), content } }],
    ["discardDraft", dana, { ids: discarded.ids, body: revised(discarded) }],
    ["commitDraft", dana, { ids: committed.ids, body: yield* finishingTerms(committed, sam), status: 201 }]
  ] as const
})

export const readDraft = (by: SignedInPerson, draftId: string) =>
  Effect.map(read(by, `/drafts/${draftId}`), createdBody)

export const saveDraft = (by: SignedInPerson, draft: any, content: object, changes: object = {}) =>
  post(by, `/drafts/${draft.draftId}/save`, { requestId: uuid(), revision: draft.revision, content, ...changes })

export const discardDraft = (by: SignedInPerson, draft: any, changes: object = {}) =>
  post(by, `/drafts/${draft.draftId}/discard`, { requestId: uuid(), revision: draft.revision, ...changes })

/** The terms with which a person commits a draft. */
export const finishingTerms = Effect.fnUntraced(function* (
  draft: { readonly revision: number },
  supplier: { readonly personId: string },
  changes: object = {}
) {
  return { revision: draft.revision, ...creationInput(supplier, yield* confirmAgreement, yield* now), ...changes }
})

export const finishDraft = (by: SignedInPerson, draftId: string, body: object) =>
  post(by, `/drafts/${draftId}/commit`, body)

/** A new specification with one version. */
export const publishNewSpecification = Effect.suspend(() => publishSpecification(specificationOf(`logo-${uuid()}`)))

export const handoffLifetime = 1_800_000

/** The hand-over parameters of a specification page. */
export const handoffOf = Effect.fnUntraced(function* (specification: Effect.Success<typeof publishNewSpecification>) {
  return { handoffId: uuid(), endsAt: addMilliseconds(yield* now, handoffLifetime), specification }
})

export const finishingUrl = (role: "BUYER" | "SUPPLIER", draftId: string): string =>
  `${siteUrl}/workspace/${role === "BUYER" ? "projects" : "proposals"}/new?draft=${draftId}`
