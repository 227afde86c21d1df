/** One valid request of every operation on proposals, of agents and of people, each on a proposal of its own. */
import { Effect } from "effect"
import { requestOf } from "./valid-request.ts"
import { uuid } from "./parties.ts"
import {
  answerOf,
  authorActions,
  createDraftProposal,
  handOffOf,
  addContactFor,
  makeHolder,
  makePair,
  withoutRevision,
  personProposal,
  proposalFor,
  createPublishedProposal,
  updateOf,
  versionOf
} from "./proposals.ts"
import type { SignedInPerson } from "./sessions.ts"
import { createdBody, post } from "./workspace.ts"

/** The requests of agents. */
export const proposalRequests = Effect.gen(function* () {
  const pair = yield* makePair()
  const author = yield* makeHolder(pair.supplier, "SUPPLIER", authorActions)
  const on = (
    operation: string,
    { proposalId }: { readonly proposalId: string },
    { token }: { readonly token: string },
    body: object
  ) => requestOf(operation, { on: proposalId, token, body })
  const rewritten = yield* createDraftProposal()
  const shown = yield* createDraftProposal()
  const answered = yield* createPublishedProposal()
  const taken = yield* createDraftProposal()
  const handed = yield* createDraftProposal()
  return [
    requestOf("createProposal", { token: author.token, body: yield* proposalFor(pair), status: 201 }),
    on("updateProposal", rewritten, rewritten.author, yield* updateOf(rewritten.view, rewritten)),
    on("publishProposal", shown, shown.author, versionOf(shown.view)),
    on("respondProposal", answered, answered.recipient, yield* answerOf(answered.view, "ACCEPT")),
    on("withdrawProposal", taken, taken.author, versionOf(taken.view)),
    on("handoffProposal", handed, handed.author, handOffOf(handed.view))
  ]
})

/** The requests of people: the supplier writes, the buyer answers. */
export const proposalRequestsOfPeople = Effect.fnUntraced(function* (buyer: SignedInPerson, supplier: SignedInPerson) {
  yield* addContactFor(supplier, buyer, "the buyer")
  const parties = { supplier, buyer }
  const content = Effect.fnUntraced(function* () {
    return yield* proposalFor(parties, { recipientReference: "the buyer" })
  })
  const written = Effect.gen(function* () {
    const { organizationId } = supplier
    return createdBody(yield* post(supplier, "/proposals", { organizationId, ...(yield* content()) }))
  })
  const shown = Effect.flatMap(written, (view) =>
    Effect.map(personProposal(supplier, view, "publish", withoutRevision(versionOf(view))), createdBody)
  )
  const stopped = Effect.tap(shown, (view) =>
    Effect.map(post(buyer, `/proposals/${view.proposal.id}/pause`, withReason()), createdBody)
  )
  const on = (view: any, body?: object) => ({
    ids: { id: view.proposal.id as string },
    ...(body === undefined ? {} : { body })
  })
  const toUpdate = yield* written
  const toPublish = yield* written
  const toAnswer = yield* shown
  const toWithdraw = yield* shown
  const replacement = yield* updateOf(toUpdate, parties, { recipientReference: "the buyer" })
  const { organizationId } = supplier
  return [
    ["listOwnProposals", buyer],
    ["createOwnProposal", supplier, { body: { organizationId, ...(yield* content()) }, status: 201 }],
    ["readOwnProposal", supplier, on(yield* written)],
    ["updateAsPerson", supplier, on(toUpdate, withoutRevision(replacement))],
    ["publishAsPerson", supplier, on(toPublish, withoutRevision(versionOf(toPublish)))],
    ["answerProposal", buyer, on(toAnswer, withoutRevision(yield* answerOf(toAnswer, "ACCEPT")))],
    ["withdrawAsPerson", supplier, on(toWithdraw, withoutRevision(versionOf(toWithdraw)))],
    ["pauseProposal", buyer, on(yield* shown, withReason())],
    ["resumeProposal", buyer, on(yield* stopped, withReason())]
  ] as const
})

const withReason = () => ({ requestId: uuid(), reason: "To look at it." })
