/** The life cycle of a proposal, from its first version to the agreement. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import {
  sendCommand,
  confirmAgreement,
  readProject,
  respondTo,
  reviewOf,
  submissionFor,
  uuid
} from "../support/parties.ts"
import {
  answerOf,
  commandProposal,
  createProposal,
  createDraftProposal,
  proposalFor,
  createPublishedProposal,
  readProposal,
  termsFor,
  updateOf,
  versionOf
} from "../support/proposals.ts"
import { freshTestService, send } from "../support/service.ts"
import { outcome } from "../support/workspace.ts"

layer(freshTestService, { excludeTestServices: true })("the life cycle of a proposal", (it) => {
  it.effect("A draft proposal becomes ready for the recipient's decision when it is published.", () =>
    Effect.gen(function* () {
      const { author, view, proposalId } = yield* createDraftProposal()
      assert.strictEqual(view.proposal.state, "DRAFT")
      assert.deepStrictEqual(view.availableActions, ["UPDATE_PROPOSAL", "PUBLISH_PROPOSAL", "WITHDRAW_PROPOSAL"])
      assert.deepStrictEqual(view.decisionReadiness, { ready: false, missing: ["STATE_CONFLICT"] })
      const shown = yield* commandProposal(author.token, proposalId, "publish", versionOf(view))
      assert.strictEqual(shown.status, 200)
      assert.strictEqual(shown.body.recipientUrl, `https://countersign.test/workspace/proposals/${proposalId}`)
      assert.deepStrictEqual(shown.body.decisionReadiness, { ready: true, missing: [] })
    })
  )

  it.effect("An accepted proposal becomes an agreement that both linked agents carry out.", () =>
    Effect.gen(function* () {
      const { author, recipient, supplier, proposalId } = yield* createPublishedProposal()
      const seen = (yield* readProposal(recipient.token, proposalId)).body
      assert.strictEqual(seen.proposal.recipient.reference, null)
      const accepted = yield* commandProposal(recipient.token, proposalId, "respond", yield* answerOf(seen, "ACCEPT"))
      assert.strictEqual(accepted.status, 200, JSON.stringify(accepted.body))
      const { state, projectId } = accepted.body.proposal
      assert.strictEqual(state, "ACCEPTED")
      const forSupplier = yield* readProject(author.token, projectId)
      assert.strictEqual(forSupplier.project.state, "AWAITING_SUPPLIER")
      const agreed = yield* sendCommand(author.token, projectId, "respond", respondTo(forSupplier, { supplier }))
      assert.strictEqual(agreed.status, 200, JSON.stringify(agreed.body))
      const delivered = yield* sendCommand(author.token, projectId, "submit", submissionFor(agreed.body))
      assert.strictEqual(delivered.status, 200, JSON.stringify(delivered.body))
      const toDecide = yield* readProject(recipient.token, projectId)
      const done = yield* sendCommand(recipient.token, projectId, "review", reviewOf(toDecide, "ACCEPT"))
      assert.strictEqual(done.body.project?.state, "BUYER_CONFIRMED", JSON.stringify(done.body))
      const me = (yield* send("GET", "/api/agents/v1/me", { token: recipient.token })).body
      assert.deepStrictEqual([me.proposalIds, me.projectIds], [[proposalId], [projectId]])
    })
  )

  it.effect("Eight concurrent copies of an acceptance make one agreement and seven replays.", () =>
    Effect.gen(function* () {
      const { recipient, proposalId, view } = yield* createPublishedProposal()
      const answer = yield* answerOf(view, "ACCEPT")
      const all = yield* Effect.all(
        Array.from({ length: 8 }, () => commandProposal(recipient.token, proposalId, "respond", answer)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        all.map(({ status }) => status),
        all.map(() => 200)
      )
      assert.strictEqual(new Set(all.map(({ body }) => body.proposal.projectId)).size, 1)
      assert.strictEqual(all.filter(({ body }) => body.replayed === true).length, 7)
    })
  )

  it.effect("The recipient sees the published version while the author drafts another.", () =>
    Effect.gen(function* () {
      const made = yield* createPublishedProposal()
      const { author, recipient, proposalId, view } = made
      const updated = yield* commandProposal(
        author.token,
        proposalId,
        "update",
        yield* updateOf(view, made, { terms: yield* termsFor(made, { title: "Another logo" }) })
      )
      assert.deepStrictEqual(
        [updated.status, updated.body.proposal?.version, updated.body.proposal?.state],
        [200, 2, "DRAFT"],
        JSON.stringify(updated.body)
      )
      const seen = (yield* readProposal(recipient.token, proposalId)).body
      assert.deepStrictEqual([seen.proposal.version, seen.proposal.state], [1, "DRAFT"])
      assert.deepStrictEqual(
        [seen.proposal.terms.title, updated.body.proposal.terms.title],
        [view.proposal.terms.title, "Another logo"]
      )
      const late = yield* commandProposal(recipient.token, proposalId, "respond", yield* answerOf(seen, "ACCEPT"))
      assert.deepStrictEqual(outcome(late), [409, "STATE_CONFLICT"])
    })
  )

  it.effect("A proposal creation is idempotent, and its request id with another body is refused.", () =>
    Effect.gen(function* () {
      const made = yield* createDraftProposal()
      const body = yield* proposalFor(made)
      const first = yield* createProposal(made.author.token, body)
      const again = yield* createProposal(made.author.token, body)
      assert.deepStrictEqual([again.status, again.body.replayed], [201, true])
      assert.strictEqual(again.body.proposal.id, first.body.proposal.id)
      const other = yield* createProposal(made.author.token, { ...body, recipientReference: "someone" })
      assert.deepStrictEqual(outcome(other), [409, "REQUEST_ID_CONFLICT"])
    })
  )

  it.effect("An acceptance needs the current confirmation digest.", () =>
    Effect.gen(function* () {
      const { recipient, proposalId, view } = yield* createPublishedProposal()
      const { input, ...envelope } = yield* answerOf(view, "ACCEPT")
      const { confirmationDigest, ...bare } = { confirmationDigest: yield* confirmAgreement, ...input }
      const send = (answer: object) =>
        commandProposal(recipient.token, proposalId, "respond", { ...envelope, input: answer })
      assert.deepStrictEqual(outcome(yield* send({ ...bare, requestId: uuid(), confirmationDigest: undefined })), [
        409,
        "REVIEW_CREATION_REQUIREMENTS"
      ])
      assert.deepStrictEqual(outcome(yield* send({ ...bare, confirmationDigest: "0".repeat(64) })), [
        409,
        "CONFIRMATION_DIGEST_STALE"
      ])
      assert.strictEqual((yield* send({ ...bare, confirmationDigest })).status, 200)
    })
  )
})
