/** Proposals between two signed-in people, for tests of pages and grants. */
import { Effect } from "effect"
import {
  authorActions,
  commandProposal,
  createProposal,
  knows,
  makeHolder,
  proposalFor,
  termsFor,
  updateOf,
  versionOf
} from "./proposals.ts"
import { signInAnew, type SignedInPerson } from "./sessions.ts"
import { made } from "./workspace.ts"

/** Sam, whose agent writes proposals, and Dana, a contact of Sam. */
export const makeOfferers = Effect.gen(function* () {
  const sam = yield* signInAnew("Sam")
  const dana = yield* signInAnew("Dana")
  yield* knows(sam, dana)
  const author = yield* makeHolder(sam, "SUPPLIER", authorActions)
  return { sam, dana, author }
})

export type Offerers = Effect.Success<typeof makeOfferers>

export const draftBetween = Effect.fnUntraced(function* ({ sam, dana, author }: Offerers, title = "Logo") {
  const pair = { supplier: sam, buyer: dana }
  const body = yield* proposalFor(pair, { terms: yield* termsFor(pair, { title }) })
  const view = made(yield* createProposal(author.token, body))
  return { view, proposalId: view.proposal.id as string }
})

export const publishBetween = Effect.fnUntraced(function* (between: Offerers, title?: string) {
  const { view, proposalId } = yield* draftBetween(between, title)
  return { proposalId, view: made(yield* published(between, view)) }
})

const published = ({ author }: Offerers, view: any) =>
  commandProposal(author.token, view.proposal.id, "publish", versionOf(view))

export const withdrawBetween = ({ author }: Offerers, view: any) =>
  Effect.map(commandProposal(author.token, view.proposal.id, "withdraw", versionOf(view)), made)

/** Publishes the same proposal to another recipient; the first one loses access. */
export const readdress = Effect.fnUntraced(function* (between: Offerers, view: any, other: SignedInPerson) {
  const reference = "another"
  yield* knows(between.sam, other, reference)
  const update = yield* updateOf(view, { supplier: between.sam, buyer: other }, { recipientReference: reference })
  const updated = made(yield* commandProposal(between.author.token, view.proposal.id, "update", update))
  return made(yield* published(between, updated))
})
