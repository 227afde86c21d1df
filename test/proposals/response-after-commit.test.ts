/** The response to a command shows the proposal right after it, even if another transaction commits before it. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { AfterCommitHook, withAfterCommitHook } from "../support/after-commit-hook.ts"
import {
  answerOf,
  commandProposal,
  addContactFor,
  makeHolder,
  withoutRevision,
  personProposal
} from "../support/proposals.ts"
import { readProposal, updateOf, versionOf } from "../support/proposals.ts"
import { freshService, postgresStorage, testService, type Answer } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"
import {
  answerBy,
  peoplePair,
  publishBy,
  changeRecipientBy,
  createPublishedBy,
  type PeoplePair
} from "../support/person-proposals.ts"
import { createdBody, outcome, read } from "../support/workspace.ts"

const service = Layer.unwrap(
  Effect.map(freshService, (connection) => {
    const storage = withAfterCommitHook(postgresStorage(connection))
    return Layer.merge(testService(storage), storage)
  })
)

/** Sends a request, and runs `act` between its commit and its response. */
const sendAndInterleave = <A, E, R, R2>(sending: Effect.Effect<Answer, never, R>, act: Effect.Effect<A, E, R2>) =>
  Effect.gen(function* () {
    const { after, hasPassed } = yield* AfterCommitHook
    const context = yield* Effect.context<R2>()
    yield* after("proposal", Effect.provideContext(Effect.orDie(act), context))
    const answer = yield* sending
    assert.isTrue(yield* hasPassed, "nothing has committed")
    return answer
  })

const started = Effect.gen(function* () {
  const pair = yield* peoplePair
  const eve = yield* signInNewPerson("Eve")
  yield* addContactFor(pair.supplier, eve, "eve")
  return { pair, eve, view: yield* createPublishedBy(pair) }
})

/** The author publishes to another recipient. */
const readdressTo = Effect.fnUntraced(function* (pair: PeoplePair, eve: any) {
  const [{ id }] = createdBody(yield* read(pair.supplier, "/proposals")).proposals
  const now = createdBody(yield* read(pair.supplier, `/proposals/${id}`))
  return yield* publishBy(pair, yield* changeRecipientBy(pair, now, eve, "eve"))
})

layer(service, { excludeTestServices: true })("the response to a proposal command", (it) => {
  it.effect(
    "A recipient gets the response to their own command although the proposal was readdressed after its commit.",
    () =>
      Effect.gen(function* () {
        const { pair, eve, view } = yield* started
        const { supplier, buyer } = pair
        const answer = yield* sendAndInterleave(answerBy(buyer, view, "REQUEST_CHANGES"), readdressTo(pair, eve))
        assert.strictEqual(answer.status, 200, answer.text)
        const { state, version, digest, recipient } = answer.body.proposal
        assert.deepStrictEqual(
          [state, version, digest, recipient],
          ["CHANGES_REQUESTED", 1, view.proposal.digest, { actorId: buyer.personId, reference: null }]
        )
        assert.deepStrictEqual([answer.body.role, answer.body.replayed], ["BUYER", undefined])
        assert.notInclude(answer.text, eve.personId)
        const path = `/proposals/${view.proposal.id}`
        assert.deepStrictEqual(outcome(yield* read(buyer, path)), [403, "FORBIDDEN"])
        assert.strictEqual(createdBody(yield* read(supplier, path)).proposal.publishedVersion, 2)
      })
  )

  it.effect(
    "A recipient's agent gets the response to its own command although the proposal was readdressed after its commit.",
    () =>
      Effect.gen(function* () {
        const { pair, eve, view } = yield* started
        const { id } = view.proposal
        const { token } = yield* makeHolder(pair.buyer, "BUYER", ["RESPOND_PROPOSAL"], { proposalIds: [id] })
        const seen = createdBody(yield* readProposal(token, id))
        const body = yield* answerOf(seen, "REQUEST_CHANGES")
        const answer = yield* sendAndInterleave(commandProposal(token, id, "respond", body), readdressTo(pair, eve))
        assert.strictEqual(answer.status, 200, answer.text)
        const { state, version, recipient } = answer.body.proposal
        assert.deepStrictEqual([state, version, recipient.actorId], ["CHANGES_REQUESTED", 1, pair.buyer.personId])
        assert.strictEqual((yield* readProposal(token, id)).status, 403)
      })
  )

  it.effect(
    "An author's update returns the updated draft although a colleague withdrew the proposal after its commit.",
    () =>
      Effect.gen(function* () {
        const { pair, view } = yield* started
        const { supplier } = pair
        const body = withoutRevision(yield* updateOf(view, pair))
        const withdrawal = Effect.gen(function* () {
          const now = createdBody(yield* read(supplier, `/proposals/${view.proposal.id}`))
          return createdBody(yield* personProposal(supplier, now, "withdraw", withoutRevision(versionOf(now))))
        })
        const answer = yield* sendAndInterleave(personProposal(supplier, view, "update", body), withdrawal)
        assert.strictEqual(answer.status, 200, answer.text)
        assert.deepStrictEqual([answer.body.proposal.state, answer.body.proposal.version], ["DRAFT", 2])
        const now = createdBody(yield* read(supplier, `/proposals/${view.proposal.id}`))
        assert.strictEqual(now.proposal.state, "WITHDRAWN")
        assert.notStrictEqual(answer.body.proposal.proposalHead, now.proposal.proposalHead)
      })
  )
})
