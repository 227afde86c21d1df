/** Refusals of proposal commands, with the whole response. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { endMembership } from "../../src/people/memberships.ts"
import { onBehalfOf } from "../../src/people/acting-person.ts"
import { pauseProposal } from "../../src/proposals/automation.ts"
import { nonIdempotentRequest } from "../../src/replay/idempotency.ts"
import { assertRefusal } from "../support/errors.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { makeParty, uuid } from "../support/parties.ts"
import {
  alterProposal,
  answerOf,
  authorActions,
  colleagueOf,
  commandProposal,
  createProposal,
  createDraftProposal,
  addContactFor,
  makeHolder,
  makePair,
  withoutRevision,
  personProposal,
  proposalFor,
  proposalRow,
  createPublishedProposal,
  readProposal,
  recipientActions,
  updateOf,
  versionOf,
  type TermChanges
} from "../support/proposals.ts"
import { siteUrl, type Answer } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { createdBody, outcome, post, read } from "../support/workspace.ts"

const noDigest = "0".repeat(64)

const pageOf = (proposalId: string) => `${siteUrl}/workspace/proposals/${proposalId}`

/** The whole body of a refusal, in its documented format. */
const refused = (answer: Answer) => {
  assertRefusal(answer)
  return answer.body
}

layer(memoryTestService, { excludeTestServices: true })("an outdated proposal command", (it) => {
  it.effect("The refusal of an outdated command has the current preconditions and REREAD_PROPOSAL.", () =>
    Effect.gen(function* () {
      const made = yield* createPublishedProposal()
      const { author, recipient, proposalId, view } = made
      const { headEventHash } = yield* proposalRow(proposalId)
      const current = { proposalHead: headEventHash, version: 1, automationRevision: 0 }
      const common = { retryable: false, nextAction: "REREAD_PROPOSAL", current }
      const withdraw = versionOf(view)
      const send = (changes: object) =>
        commandProposal(author.token, proposalId, "withdraw", { ...withdraw, ...changes })
      assert.deepStrictEqual(refused(yield* send({ expectedProposalHead: noDigest })), {
        error: "STALE_PROPOSAL_HEAD",
        detail: "The proposal has changed since this request was prepared; read it again.",
        ...common
      })
      assert.deepStrictEqual(refused(yield* send({ automationRevision: 3 })), {
        error: "AGENT_CHANGED_REFRESH_REQUIRED",
        detail: "The automation revision has changed since this request was prepared; read the current state again.",
        ...common
      })
      assert.deepStrictEqual(refused(yield* send({ input: { ...withdraw.input, expectedVersion: 2 } })), {
        error: "PROPOSAL_VERSION_STALE",
        detail: "The version of the request is not the current one; read the proposal again.",
        ...common
      })
      const answer = yield* answerOf(view, "DECLINE", { proposalDigest: noDigest })
      assert.deepStrictEqual(refused(yield* commandProposal(recipient.token, proposalId, "respond", answer)), {
        error: "PROPOSAL_DIGEST_MISMATCH",
        detail: "The digest of the request is not that of the published proposal; read the proposal again.",
        ...common
      })
      const again = yield* commandProposal(author.token, proposalId, "publish", versionOf(view))
      assert.deepStrictEqual(refused(again), {
        error: "STATE_CONFLICT",
        detail: "A proposal in PUBLISHED does not allow this.",
        retryable: false,
        nextAction: "REREAD_PROPOSAL"
      })
    })
  )

  it.effect("Only a refusal that waits for a person has the address of the proposal's page.", () =>
    Effect.gen(function* () {
      const { supplier, author, recipient, proposalId, view } = yield* createPublishedProposal()
      const request = yield* nonIdempotentRequest(supplier.personId)
      yield* pauseProposal(onBehalfOf(supplier.personId), request, { proposalId, reason: "Stop." })
      const paused = refused(yield* commandProposal(author.token, proposalId, "withdraw", versionOf(view)))
      const { error, nextAction, requiredHumanAction, humanUrl } = paused
      assert.deepStrictEqual(
        [error, nextAction, requiredHumanAction, humanUrl],
        ["AGENT_PAUSED", "WAIT_FOR_HUMAN", "RESUME_AGENTS", pageOf(proposalId)]
      )
      const foreign = yield* createDraftProposal()
      const outside = yield* commandProposal(foreign.author.token, proposalId, "withdraw", versionOf(view))
      assert.deepStrictEqual(refused(outside), {
        error: "FORBIDDEN_AGENT_PROJECT_SCOPE",
        detail: outside.body.detail,
        retryable: false,
        nextAction: "ASK_OWNER_TO_REAUTHORIZE"
      })
      const unknown = yield* commandProposal(author.token, `proposal_${uuid()}`, "withdraw", versionOf(view))
      assert.deepStrictEqual(unknown.body, outside.body)
      assert.deepStrictEqual((yield* readProposal(author.token, `proposal_${uuid()}`)).body, outside.body)
      yield* alterProposal(proposalId, { pauses: [], eventCount: 98 })
      const full = refused(
        yield* commandProposal(recipient.token, proposalId, "respond", {
          ...(yield* answerOf(view, "REQUEST_CHANGES")),
          automationRevision: 1
        })
      )
      assert.deepStrictEqual(
        [full.error, full.requiredHumanAction, full.humanUrl],
        ["DELIVERY_HISTORY_LIMIT_REACHED", "REVIEW_CONTINUATION", pageOf(proposalId)]
      )
    })
  )

  it.effect(
    "Every answer to a proposal reserved for people is refused to the buyer's agents with HUMAN_DECISION_REQUIRED.",
    () =>
      Effect.gen(function* () {
        const kept = { id: "people", statement: "Dana answers herself.", humanDecisions: ["RESPOND"] as const }
        const { recipient, proposalId, view } = yield* createPublishedProposal({}, { subjectRequirements: [kept] })
        const seen = (yield* readProposal(recipient.token, proposalId)).body
        assert.deepStrictEqual(seen.availableActions, [])
        assert.deepStrictEqual(seen.blockedActions, [
          {
            action: "RESPOND_PROPOSAL",
            code: "HUMAN_DECISION_REQUIRED",
            reason: "This decision is reserved for a person of the buyer's side.",
            nextAction: "WAIT_FOR_HUMAN",
            requiredHumanAction: "Dana answers herself.",
            humanUrl: pageOf(proposalId)
          }
        ])
        assert.deepStrictEqual(seen.decisionReadiness, { ready: false, missing: ["HUMAN_DECISION_REQUIRED"] })
        for (const action of ["ACCEPT", "REQUEST_CHANGES", "DECLINE"]) {
          const answer = yield* commandProposal(recipient.token, proposalId, "respond", yield* answerOf(view, action))
          const { error, requiredHumanAction, humanUrl } = refused(answer)
          assert.deepStrictEqual(
            [error, requiredHumanAction, humanUrl],
            ["HUMAN_DECISION_REQUIRED", "Dana answers herself.", pageOf(proposalId)]
          )
        }
      })
  )
})

layer(memoryTestService, { excludeTestServices: true })("the recipient of a proposal", (it) => {
  it.effect("A wrong reference, an unknown person and a contact of another workspace get the same refusal.", () =>
    Effect.gen(function* () {
      const made = yield* createDraftProposal()
      const { supplier, buyer, author } = made
      const eve = yield* makeParty("Eve")
      const other = yield* makeParty("Olga")
      yield* addContactFor(other, eve, "eve")
      yield* addContactFor(other, buyer, "theirs")
      yield* addContactFor(supplier, buyer, "Dana")
      const bodies: Array<unknown> = []
      for (const changes of [
        { recipientReference: "someone" },
        { recipientReference: "dana " },
        { recipientReference: "DANA" },
        { recipientReference: "theirs" },
        { recipientActorId: `person_${uuid()}` },
        { recipientActorId: eve.personId },
        { recipientActorId: eve.personId, recipientReference: "eve" }
      ]) {
        const created = yield* createProposal(author.token, yield* proposalFor(made, changes))
        assert.strictEqual(created.status, 201, created.text)
        const { id } = created.body.proposal
        bodies.push(refused(yield* commandProposal(author.token, id, "publish", versionOf(created.body))))
      }
      assert.deepStrictEqual(
        bodies,
        bodies.map(() => ({
          error: "RECIPIENT_MISMATCH",
          detail:
            "The author's organization has no contact with this reference for this person; correct the recipient.",
          retryable: false,
          nextAction: "CORRECT_REQUEST"
        }))
      )
    })
  )

  it.effect(
    "The recipient of a proposal cannot be its author, its supplier, or a person who has written it before.",
    () =>
      Effect.gen(function* () {
        const pair = yield* makePair()
        const { supplier, buyer } = pair
        const author = yield* makeHolder(supplier, "SUPPLIER", authorActions)
        const create = Effect.fnUntraced(function* (changes: object, terms: TermChanges = {}) {
          return yield* createProposal(author.token, yield* proposalFor(pair, changes, terms))
        })
        assert.deepStrictEqual(outcome(yield* create({ recipientActorId: supplier.personId })), [409, "SAME_PARTY"])
        const mia = yield* colleagueOf(supplier)
        const toSupplier = yield* create({ recipientActorId: mia.personId }, { supplierActorId: mia.personId })
        assert.deepStrictEqual(outcome(toSupplier), [409, "SAME_PARTY"])
        assert.deepStrictEqual(outcome(yield* create({}, { supplierActorId: buyer.personId })), [409, "SAME_PARTY"])
        // Mia writes it, leaves the organization, and is then named as recipient.
        const written = createdBody(yield* create({}))
        yield* addContactFor(supplier, mia, "mia")
        const rewritten = yield* updateOf(written, pair)
        createdBody(yield* personProposal(mia, written, "update", withoutRevision(rewritten)))
        yield* endMembership("OPERATOR", { membershipId: mia.membershipId })
        const again = (yield* readProposal(author.token, written.proposal.id)).body
        const named = { recipientActorId: mia.personId, recipientReference: "mia" }
        const renamed = createdBody(
          yield* commandProposal(author.token, written.proposal.id, "update", yield* updateOf(again, pair, named))
        )
        const shown = yield* commandProposal(author.token, written.proposal.id, "publish", versionOf(renamed))
        assert.deepInclude(refused(shown), {
          error: "SAME_PARTY",
          detail: "The recipient has acted on the author's side of this proposal."
        })
      })
  )

  it.effect("A recipient cannot answer for the author's organization.", () =>
    Effect.gen(function* () {
      const pair = yield* makePair()
      const { supplier } = pair
      const author = yield* makeHolder(supplier, "SUPPLIER", authorActions)
      const mia = yield* colleagueOf(supplier)
      yield* addContactFor(supplier, mia, "mia")
      const named = { recipientActorId: mia.personId, recipientReference: "mia" }
      const created = createdBody(yield* createProposal(author.token, yield* proposalFor(pair, named)))
      const { id } = created.proposal
      const shown = createdBody(yield* commandProposal(author.token, id, "publish", versionOf(created)))
      const inside = makeHolder(mia, "BUYER", recipientActions, { proposalIds: [id] })
      assert.strictEqual((yield* Effect.flip(inside)).code, "FORBIDDEN")
      const answer = withoutRevision(yield* answerOf(shown, "ACCEPT"))
      const forOwn = { ...answer, organizationId: supplier.organizationId }
      assert.deepStrictEqual(outcome(yield* personProposal(mia, shown, "respond", forOwn)), [403, "FORBIDDEN"])
      const forElsewhere = { ...answer, organizationId: mia.elsewhere }
      assert.strictEqual((yield* personProposal(mia, shown, "respond", forElsewhere)).status, 200)
    })
  )

  it.effect("Before the publication, the named recipient gets the same refusal as for an unknown proposal.", () =>
    Effect.gen(function* () {
      const supplier = yield* signInNewPerson("Sam")
      const buyer = yield* signInNewPerson("Dana")
      const { organizationId } = supplier
      const created = createdBody(
        yield* post(supplier, "/proposals", { organizationId, ...(yield* proposalFor({ supplier, buyer })) })
      )
      const unknown = yield* read(buyer, `/proposals/proposal_${uuid()}`)
      const draft = yield* read(buyer, `/proposals/${created.proposal.id}`)
      assert.deepStrictEqual([draft.status, draft.body], [unknown.status, unknown.body])
      assert.deepStrictEqual(createdBody(yield* read(buyer, "/proposals")), { proposals: [] })
    })
  )
})
