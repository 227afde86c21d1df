/** Proposals between two parties and their agents, and requests about them. */
import { Effect } from "effect"
import type { Action, SubjectRequirement } from "../../src/access/actions.ts"
import { addContact } from "../../src/people/contacts.ts"
import { onBehalfOf } from "../../src/people/acting-person.ts"
import { authorities } from "../../src/people/membership.ts"
import { createMembership } from "../../src/people/memberships.ts"
import { exclusive, Storage } from "../../src/ports/storage.ts"
import { Proposals, type ProposalRow } from "../../src/proposals/store.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { confirmAgreement, creationInput, makeParty, uuid, type Party } from "./parties.ts"
import { grantAgent } from "./people.ts"
import { send } from "./service.ts"
import { signInNewPerson, type SignedInPerson } from "./sessions.ts"
import { post } from "./workspace.ts"

const agents = "/api/agents/v1"

export const authorActions: ReadonlyArray<Action> = [
  "CREATE_PROPOSAL",
  "UPDATE_PROPOSAL",
  "PUBLISH_PROPOSAL",
  "WITHDRAW_PROPOSAL",
  "RESPOND_TERMS",
  "SUBMIT_MATERIALS"
]
export const recipientActions: ReadonlyArray<Action> = ["RESPOND_PROPOSAL", "REVIEW_DELIVERY", "CONFIRM_COMPLETION"]

export interface HolderOptions {
  readonly proposalIds?: ReadonlyArray<string>
  readonly subjectRequirements?: ReadonlyArray<SubjectRequirement>
}

/** A grant that may hold proposals from its creation. */
export const makeHolder = (
  party: Pick<Party, "name" | "personId" | "organizationId">,
  role: "BUYER" | "SUPPLIER",
  actions: ReadonlyArray<Action>,
  { proposalIds = [], subjectRequirements = [] }: HolderOptions = {}
) =>
  grantAgent({
    personId: party.personId,
    organizationId: party.organizationId,
    role,
    actions,
    projectIds: [],
    proposalIds,
    agentName: `${party.name}'s agent`,
    subjectRequirements
  })

/** A supplier with a buyer as a contact under a reference. */
export const makePair = Effect.fnUntraced(function* () {
  const supplier = yield* makeParty("Sam")
  const buyer = yield* makeParty("Dana")
  yield* addContactFor(supplier, buyer)
  return { supplier, buyer }
})

export const addContactFor = (
  supplier: Pick<Party, "personId" | "organizationId">,
  { personId, name }: Pick<Party, "personId" | "name">,
  reference = "dana"
) => addContact(onBehalfOf(supplier.personId), { organizationId: supplier.organizationId, reference, name, personId })

/** Replaces members of the terms; the requirements also bind an author's agent. */
export interface TermChanges {
  readonly subjectRequirements?: ReadonlyArray<SubjectRequirement>
  readonly [member: string]: unknown
}

/** Terms that the supplier offers; `changes` replaces members. */
export const termsFor = Effect.fnUntraced(function* (
  { supplier }: { readonly supplier: { readonly personId: string } },
  changes: object = {}
) {
  const { requestId: _, confirmationDigest: __, ...terms } = creationInput(supplier, "", yield* now, changes)
  return terms
})

/** The author and the recipient. */
export interface OfferParties {
  readonly supplier: { readonly personId: string }
  readonly buyer: { readonly personId: string }
}

export const proposalFor = Effect.fnUntraced(function* (
  pair: OfferParties,
  changes: object = {},
  termChanges: TermChanges = {}
) {
  return {
    requestId: uuid(),
    expectedVersion: 0,
    recipientActorId: pair.buyer.personId,
    recipientReference: "dana",
    terms: yield* termsFor(pair, termChanges),
    ...changes
  }
})

export const createProposal = (token: string, body: object) => send("POST", `${agents}/proposals`, { token, body })

export const readProposal = (token: string, proposalId: string) =>
  send("GET", `${agents}/proposals/${proposalId}`, { token })

export const commandProposal = (token: string, proposalId: string, operation: string, body: object) =>
  send("POST", `${agents}/proposals/${proposalId}/${operation}`, { token, body })

/** The envelope of a command based on a view of the proposal. */
export const onProposal = <I extends object>(view: any, input: I) => ({
  expectedProposalHead: view.proposal.proposalHead,
  automationRevision: view.automation.revision,
  input: { requestId: uuid(), ...input }
})

/** The input of publish and withdraw. */
export const versionOf = (view: any) => onProposal(view, { expectedVersion: view.proposal.version })

export const updateOf = Effect.fnUntraced(function* (view: any, pair: OfferParties, changes: object = {}) {
  const { requestId: _, expectedVersion: __, ...offered } = yield* proposalFor(pair)
  return onProposal(view, { expectedVersion: view.proposal.version, ...offered, ...changes })
})

export const answerOf = Effect.fnUntraced(function* (view: any, action: string, changes: object = {}) {
  const confirmation = action === "ACCEPT" ? { confirmationDigest: yield* confirmAgreement } : {}
  return onProposal(view, {
    proposalDigest: view.proposal.digest,
    action,
    reason: "Read it.",
    ...confirmation,
    ...changes
  })
})

export const handOffOf = (view: any) => onProposal(view, { reason: "A person should look." })

/** The same command by a person, who sends no automation revision. */
export const withoutRevision = ({ expectedProposalHead, input }: ReturnType<typeof onProposal>) => ({
  expectedProposalHead,
  input
})

/** A command of a person on the proposal. */
export const personProposal = (by: Pick<SignedInPerson, "token">, view: any, operation: string, body: object) =>
  post(by, `/proposals/${view.proposal.id}/${operation}`, body)

/** A proposal written by its author's agent. */
export const createDraftProposal = Effect.fnUntraced(function* (changes: object = {}, termChanges: TermChanges = {}) {
  const pair = yield* makePair()
  const { subjectRequirements = [] } = termChanges
  const author = yield* makeHolder(pair.supplier, "SUPPLIER", authorActions, { subjectRequirements })
  const { status, body } = yield* createProposal(author.token, yield* proposalFor(pair, changes, termChanges))
  if (status !== 201) throw new Error(`the proposal was not created: ${JSON.stringify(body)}`)
  return { ...pair, author, proposalId: body.proposal.id as string, view: body }
})

/** The same, published, with an agent of the recipient that holds it. */
export const createPublishedProposal = Effect.fnUntraced(function* (
  changes: object = {},
  termChanges: TermChanges = {}
) {
  const made = yield* createDraftProposal(changes, termChanges)
  const { status, body } = yield* commandProposal(made.author.token, made.proposalId, "publish", versionOf(made.view))
  if (status !== 200) throw new Error(`the proposal was not published: ${JSON.stringify(body)}`)
  const recipient = yield* makeHolder(made.buyer, "BUYER", recipientActions, { proposalIds: [made.proposalId] })
  return { ...made, recipient, view: body }
})

export type PublishedProposal = Effect.Success<ReturnType<typeof createPublishedProposal>>

/** A person with a workspace of their own who has joined the organization and acts for it. */
export const colleagueOf = Effect.fnUntraced(function* ({ organizationId }: { readonly organizationId: string }) {
  const person = yield* signInNewPerson("Mia")
  const validUntil = addMilliseconds(yield* now, 86_400_000)
  const { membershipId } = yield* createMembership({
    personId: person.personId,
    organizationId,
    authorities,
    validUntil
  })
  return { ...person, elsewhere: person.organizationId, organizationId, membershipId }
})

/** The stored row. */
export const proposalRow = (proposalId: string) =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const row = yield* storage.view((reader) => reader.get(Proposals, [proposalId]))
    if (row === undefined) throw new Error(`unknown proposal ${proposalId}`)
    return row
  })

/** Changes the stored row, for states that a short test cannot reach. */
export const alterProposal = (proposalId: string, changes: Partial<ProposalRow>) =>
  Effect.gen(function* () {
    const storage = yield* Storage
    yield* storage.transaction({ locks: [exclusive("proposal", proposalId)] }, (transaction) =>
      transaction.update(Proposals, [proposalId], changes)
    )
  })
