/** Concurrent commands on one proposal, over Postgres: one outcome, at most one agreement, no partial writes. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { revokeGrant } from "../../src/access/grants.ts"
import { GrantProjects, Grants } from "../../src/access/store.ts"
import { removeContact } from "../../src/people/contacts.ts"
import { onBehalfOf } from "../../src/people/acting-person.ts"
import { Storage } from "../../src/ports/storage.ts"
import { Projects } from "../../src/projects/store.ts"
import { pauseProposal } from "../../src/proposals/automation.ts"
import { nonIdempotentRequest } from "../../src/replay/idempotency.ts"
import { flawsInStore } from "../support/proposal-integrity.ts"
import {
  answerOf,
  commandProposal,
  createDraftProposal,
  makeHolder,
  proposalRow,
  createPublishedProposal,
  readProposal,
  recipientActions,
  updateOf,
  versionOf
} from "../support/proposals.ts"
import { freshTestService, type Answer } from "../support/service.ts"
import { outcome } from "../support/workspace.ts"

const rounds = Array.from({ length: 12 }, (_, round) => round)

/** Both concurrently, each of them started first in half of the rounds. */
const race = <A, B, E, F, R, S>(round: number, one: Effect.Effect<A, E, R>, other: Effect.Effect<B, F, S>) =>
  round % 2 === 0
    ? Effect.all([one, other], { concurrency: "unbounded" })
    : Effect.map(Effect.all([other, one], { concurrency: "unbounded" }), ([second, first]) => [first, second] as const)

const won = ({ status }: Answer) => status === 200

const assertSound = Effect.gen(function* () {
  assert.deepStrictEqual(yield* flawsInStore, [])
})

/** The agreements in the scope of a grant. */
const reach = (grantId: string) =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const links = yield* storage.view((reader) => reader.range(GrantProjects, "key", { prefix: [grantId], limit: 100 }))
    return links.map(({ projectId }) => projectId)
  })

layer(freshTestService, { excludeTestServices: true })("concurrent commands on a proposal", (it) => {
  it.effect(
    "Of a concurrent acceptance and withdrawal one commits, and the other is refused with STALE_PROPOSAL_HEAD.",
    () =>
      Effect.gen(function* () {
        for (const round of rounds) {
          const { author, recipient, proposalId, view } = yield* createPublishedProposal()
          const accept = commandProposal(recipient.token, proposalId, "respond", yield* answerOf(view, "ACCEPT"))
          const withdraw = commandProposal(author.token, proposalId, "withdraw", versionOf(view))
          const [accepted, withdrawn] = yield* race(round, accept, withdraw)
          assert.notStrictEqual(won(accepted), won(withdrawn))
          const refused = won(accepted) ? withdrawn : accepted
          assert.deepStrictEqual(outcome(refused), [409, "STALE_PROPOSAL_HEAD"])
          const { state, projectId } = yield* proposalRow(proposalId)
          assert.deepStrictEqual([state, projectId !== null], won(accepted) ? ["ACCEPTED", true] : ["WITHDRAWN", false])
        }
        yield* assertSound
      })
  )

  it.effect(
    "Of a concurrent acceptance and update one commits, and the other is refused with STALE_PROPOSAL_HEAD.",
    () =>
      Effect.gen(function* () {
        for (const round of rounds) {
          const made = yield* createPublishedProposal()
          const { author, recipient, proposalId, view } = made
          const accept = commandProposal(recipient.token, proposalId, "respond", yield* answerOf(view, "ACCEPT"))
          const update = commandProposal(author.token, proposalId, "update", yield* updateOf(view, made))
          const [accepted, updated] = yield* race(round, accept, update)
          assert.notStrictEqual(won(accepted), won(updated))
          assert.deepStrictEqual(outcome(won(accepted) ? updated : accepted), [409, "STALE_PROPOSAL_HEAD"])
          const { version } = yield* proposalRow(proposalId)
          assert.strictEqual(version, won(accepted) ? 1 : 2)
        }
        yield* assertSound
      })
  )

  it.effect("No agent accepts a proposal after its pause is acknowledged.", () =>
    Effect.gen(function* () {
      for (const round of rounds) {
        const { supplier, recipient, proposalId, view } = yield* createPublishedProposal()
        const accept = commandProposal(recipient.token, proposalId, "respond", yield* answerOf(view, "ACCEPT"))
        const request = yield* nonIdempotentRequest(supplier.personId)
        const paused = pauseProposal(onBehalfOf(supplier.personId), request, { proposalId, reason: "Stop." })
        const [accepted] = yield* race(round, accept, paused)
        if (!won(accepted)) assert.deepStrictEqual(outcome(accepted), [409, "AGENT_PAUSED"])
        const { state, pauses } = yield* proposalRow(proposalId)
        assert.deepStrictEqual([state, pauses.length], [won(accepted) ? "ACCEPTED" : "PUBLISHED", 1])
        const late = yield* commandProposal(recipient.token, proposalId, "respond", yield* answerOf(view, "DECLINE"))
        assert.deepStrictEqual(outcome(late), [409, "AGENT_PAUSED"])
      }
      yield* assertSound
    })
  )

  it.effect("Concurrent acceptances by two agents of the recipient make one agreement, linked to both grants.", () =>
    Effect.gen(function* () {
      for (const round of rounds) {
        const { buyer, recipient, author, proposalId, view } = yield* createPublishedProposal()
        const second = yield* makeHolder(buyer, "BUYER", recipientActions, { proposalIds: [proposalId] })
        const accept = Effect.fnUntraced(function* (token: string) {
          return yield* commandProposal(token, proposalId, "respond", yield* answerOf(view, "ACCEPT"))
        })
        const answers = yield* race(round, accept(recipient.token), accept(second.token))
        assert.strictEqual(answers.filter(won).length, 1)
        const refused = answers.find((one) => !won(one))!
        assert.deepStrictEqual(outcome(refused), [409, "STALE_PROPOSAL_HEAD"])
        const { projectId } = yield* proposalRow(proposalId)
        for (const { grantId } of [author, recipient, second]) {
          assert.deepStrictEqual(yield* reach(grantId), [projectId])
        }
      }
      yield* assertSound
    })
  )

  it.effect("A publication concurrent with the removal of its contact commits before it or is refused after it.", () =>
    Effect.gen(function* () {
      for (const round of rounds) {
        const { supplier, author, proposalId, view } = yield* createDraftProposal()
        const publish = commandProposal(author.token, proposalId, "publish", versionOf(view))
        const { organizationId } = supplier
        const remove = removeContact(onBehalfOf(supplier.personId), { organizationId, reference: "dana" })
        const [shown] = yield* race(round, publish, remove)
        if (!won(shown)) assert.deepStrictEqual(outcome(shown), [409, "RECIPIENT_MISMATCH"])
        const { state } = yield* proposalRow(proposalId)
        assert.strictEqual(state, won(shown) ? "PUBLISHED" : "DRAFT")
        const again = yield* commandProposal(
          author.token,
          proposalId,
          "update",
          yield* updateOf(shown.body.proposal === undefined ? view : shown.body, {
            supplier,
            buyer: { personId: view.proposal.recipient.actorId }
          })
        )
        const late = yield* commandProposal(author.token, proposalId, "publish", versionOf(again.body))
        assert.deepStrictEqual(outcome(late), [409, "RECIPIENT_MISMATCH"])
      }
      yield* assertSound
    })
  )

  it.effect(
    "A grant created concurrently with an acceptance is linked to the agreement, unless it was created after it.",
    () =>
      Effect.gen(function* () {
        let together = 0
        for (const round of rounds) {
          const { buyer, supplier, recipient, proposalId, view } = yield* createPublishedProposal()
          const accept = commandProposal(recipient.token, proposalId, "respond", yield* answerOf(view, "ACCEPT"))
          const [party, role] = round % 4 < 2 ? ([buyer, "BUYER"] as const) : ([supplier, "SUPPLIER"] as const)
          const granted = makeHolder(party, role, [], { proposalIds: [proposalId] })
          const [accepted, { grantId }] = yield* race(round, accept, granted)
          assert.strictEqual(accepted.status, 200, accepted.text)
          const { projectId, holders } = yield* proposalRow(proposalId)
          assert.include(
            holders.map((holder) => holder.grantId),
            grantId
          )
          const storage = yield* Storage
          const { grant, project } = yield* storage.view((reader) =>
            Effect.all({ grant: reader.get(Grants, [grantId]), project: reader.get(Projects, [projectId!]) })
          )
          const linked = yield* reach(grantId)
          if (linked.length === 0) assert.isAtLeast(Date.parse(grant!.createdAt), Date.parse(project!.createdAt))
          else together++
          assert.deepStrictEqual(linked.length === 0 ? [] : [projectId], linked)
        }
        assert.isAbove(together, 0, "the grant never came first")
        yield* assertSound
      })
  )

  it.effect("An acceptance succeeds although another linked grant is revoked concurrently.", () =>
    Effect.gen(function* () {
      for (const round of rounds) {
        const { author, recipient, proposalId, view } = yield* createPublishedProposal()
        const accept = commandProposal(recipient.token, proposalId, "respond", yield* answerOf(view, "ACCEPT"))
        const [accepted] = yield* race(round, accept, revokeGrant("OPERATOR", { grantId: author.grantId }))
        assert.strictEqual(accepted.status, 200, accepted.text)
        const { projectId } = yield* proposalRow(proposalId)
        assert.deepStrictEqual(yield* reach(recipient.grantId), [projectId])
        assert.isAtMost((yield* reach(author.grantId)).length, 1)
      }
      yield* assertSound
    })
  )

  it.effect("An acceptance concurrent with the revocation of its grant commits before it or is refused with 401.", () =>
    Effect.gen(function* () {
      for (const round of rounds) {
        const { author, recipient, proposalId, view } = yield* createPublishedProposal()
        const accept = commandProposal(recipient.token, proposalId, "respond", yield* answerOf(view, "ACCEPT"))
        const [accepted] = yield* race(round, accept, revokeGrant("OPERATOR", { grantId: recipient.grantId }))
        if (!won(accepted)) assert.deepStrictEqual(outcome(accepted), [401, "AUTH_INVALID"])
        const { state } = (yield* readProposal(author.token, proposalId)).body.proposal
        assert.strictEqual(state, won(accepted) ? "ACCEPTED" : "PUBLISHED")
        assert.strictEqual((yield* reach(author.grantId)).length, won(accepted) ? 1 : 0)
      }
      yield* assertSound
    })
  )
})
