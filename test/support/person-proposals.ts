/** Proposals that two people carry out themselves, by the operations of the workspace. */
import { Effect } from "effect"
import { authorities } from "../../src/people/membership.ts"
import { createMembership } from "../../src/people/memberships.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { uuid } from "./parties.ts"
import {
  answerOf,
  addContactFor,
  withoutRevision,
  personProposal,
  proposalFor,
  updateOf,
  versionOf
} from "./proposals.ts"
import { signInNewPerson, type SignedInPerson } from "./sessions.ts"
import { createdBody, post } from "./workspace.ts"

export interface PeoplePair {
  readonly supplier: SignedInPerson
  readonly buyer: SignedInPerson
}

/** A supplier with a buyer as a contact; both are signed in. */
export const peoplePair = Effect.gen(function* () {
  const pair: PeoplePair = { supplier: yield* signInNewPerson("Sam"), buyer: yield* signInNewPerson("Dana") }
  yield* addContactFor(pair.supplier, pair.buyer)
  return pair
})

/** Adds a person to another organization, with every authority there. */
export const addToOrganization = Effect.fnUntraced(function* (
  { personId }: Pick<SignedInPerson, "personId">,
  { organizationId }: Pick<SignedInPerson, "organizationId">
) {
  const validUntil = addMilliseconds(yield* now, 86_400_000)
  return yield* createMembership({ personId, organizationId, authorities, validUntil })
})

/** An unpublished version; `terms` replaces members. */
export const draftBy = Effect.fnUntraced(function* (pair: PeoplePair, terms: object = {}) {
  const { organizationId } = pair.supplier
  const body = { organizationId, ...(yield* proposalFor(pair, {}, { ...terms })) }
  return createdBody(yield* post(pair.supplier, "/proposals", body))
})

/** Publishes the version in this view. */
export const publishBy = Effect.fnUntraced(function* ({ supplier }: PeoplePair, draft: any) {
  return createdBody(yield* personProposal(supplier, draft, "publish", withoutRevision(versionOf(draft))))
})

/** A published version. */
export const createPublishedBy = Effect.fnUntraced(function* (pair: PeoplePair, terms: object = {}) {
  return yield* publishBy(pair, yield* draftBy(pair, terms))
})

/** A new version of the same proposal for another recipient, a contact of the author under that reference. */
export const changeRecipientBy = Effect.fnUntraced(function* (
  pair: PeoplePair,
  view: any,
  to: SignedInPerson,
  reference: string
) {
  const named = { recipientActorId: to.personId, recipientReference: reference }
  const body = withoutRevision(yield* updateOf(view, pair, named))
  return createdBody(yield* personProposal(pair.supplier, view, "update", body))
})

/** A person's answer to the version in this view; `more` is added to the input. */
export const answerBy = Effect.fnUntraced(function* (by: SignedInPerson, view: any, action: string, more: object = {}) {
  return yield* personProposal(by, view, "respond", { ...withoutRevision(yield* answerOf(view, action)), ...more })
})

/** The agreement created by an acceptance. */
export const acceptProposalBy = Effect.fnUntraced(function* (by: SignedInPerson, view: any, more: object = {}) {
  return createdBody(yield* answerBy(by, view, "ACCEPT", more)).proposal.projectId as string
})

/** A pause or a resumption by a person. */
export const setAutomation = (by: SignedInPerson, { proposal }: any, operation: "pause" | "resume", reason = "Wait.") =>
  post(by, `/proposals/${proposal.id}/${operation}`, { requestId: uuid(), reason })
