/** Proposals between two signed-in people, for tests of pages and grants. */
import { Effect } from "effect"
import {
  authorActions,
  commandProposal,
  createProposal,
  addContactFor,
  makeHolder,
  proposalFor,
  termsFor,
  updateOf,
  versionOf
} from "./proposals.ts"
import { signInNewPerson, type SignedInPerson } from "./sessions.ts"
import { createdBody } from "./workspace.ts"

/** Sam, whose agent writes proposals, and Dana, a contact of Sam. */
export const makeContactPair = Effect.gen(function* () {
  const sam = yield* signInNewPerson("Sam")
  const dana = yield* signInNewPerson("Dana")
  yield* addContactFor(sam, dana)
  const author = yield* makeHolder(sam, "SUPPLIER", authorActions)
  return { sam, dana, author }
})

export type ContactPair = Effect.Success<typeof makeContactPair>

export const draftBetween = Effect.fnUntraced(function* ({ sam, dana, author }: ContactPair, title = "Logo") {
  const pair = { supplier: sam, buyer: dana }
  const body = yield* proposalFor(pair, { terms: yield* termsFor(pair, { title }) })
  const view = createdBody(yield* createProposal(author.token, body))
  return { view, proposalId: view.proposal.id as string }
})

export const publishBetween = Effect.fnUntraced(function* (between: ContactPair, title?: string) {
  const { view, proposalId } = yield* draftBetween(between, title)
  return { proposalId, view: createdBody(yield* published(between, view)) }
})

const published = ({ author }: ContactPair, view: any) =>
  commandProposal(author.token, view.proposal.id, "publish", versionOf(view))

export const withdrawBetween = ({ author }: ContactPair, view: any) =>
  Effect.map(commandProposal(author.token, view.proposal.id, "withdraw", versionOf(view)), createdBody)

/** Publishes the same proposal to another recipient; the first one loses access. */
export const changeRecipient = Effect.fnUntraced(function* (between: ContactPair, view: any, other: SignedInPerson) {
  const reference = "another"
  yield* addContactFor(between.sam, other, reference)
  const update = yield* updateOf(view, { supplier: between.sam, buyer: other }, { recipientReference: reference })
  const updated = createdBody(yield* commandProposal(between.author.token, view.proposal.id, "update", update))
  return createdBody(yield* published(between, updated))
})
