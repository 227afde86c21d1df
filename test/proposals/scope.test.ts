/** An acceptance links the agreement to exactly the active grants of both sides that hold the proposal. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { projectDigest, proposalIdDigest } from "../../src/access/authority.ts"
import { revokeGrant } from "../../src/access/grants.ts"
import { AuthorityEvents, GrantProjects, GrantProposals, Grants, type GrantRow } from "../../src/access/store.ts"
import { authorities } from "../../src/people/membership.ts"
import { createMembership } from "../../src/people/memberships.ts"
import { exclusive, Storage } from "../../src/ports/storage.ts"
import { Projects } from "../../src/projects/store.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { openEvent } from "../support/stored-chains.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { makeParty, uuid } from "../support/parties.ts"
import { renewAs } from "../support/people.ts"
import { flawsInStore } from "../support/proposal-integrity.ts"
import {
  answerOf,
  authorActions,
  commandProposal,
  createProposal,
  createDraftProposal,
  addContactFor,
  makeHolder,
  withoutRevision,
  personProposal,
  proposalFor,
  createPublishedProposal,
  readProposal,
  recipientActions,
  updateOf,
  versionOf
} from "../support/proposals.ts"
import { everyRow } from "../support/rows.ts"
import { send } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { createdBody, outcome } from "../support/workspace.ts"

/** Writes a state of a grant that would need too many requests. */
const alterGrant = (grantId: string, changes: Partial<GrantRow>) =>
  Effect.gen(function* () {
    const storage = yield* Storage
    yield* storage.transaction({ locks: [exclusive("grant", grantId)] }, (transaction) =>
      transaction.update(Grants, [grantId], changes)
    )
  })

/** The scope of a grant according to its authority chain and salts. */
const reach = (grantId: string) =>
  Effect.gen(function* () {
    const storage = yield* Storage
    return yield* storage.view((reader) =>
      Effect.gen(function* () {
        const all = { prefix: [grantId], limit: 1_000 }
        const chain = (yield* reader.range(AuthorityEvents, "key", all)).map(
          ({ sequence, hash, jws }) => openEvent(sequence, hash, jws).payload
        )
        const projects = yield* reader.range(GrantProjects, "key", all)
        const proposals = yield* reader.range(GrantProposals, "key", all)
        const at = (sequence: number) => chain[sequence - 1]!
        return {
          projectIds: projects
            .filter(
              ({ projectId, salt, sequence }) => at(sequence).change.projectDigest === projectDigest(projectId, salt)
            )
            .map(({ projectId }) => projectId),
          proposalIds: proposals
            .filter((one) => at(one.sequence).change.proposalDigest === proposalIdDigest(one.proposalId, one.salt))
            .map(({ proposalId }) => proposalId)
        }
      })
    )
  })

const colleagueOf = Effect.fnUntraced(function* (
  { organizationId }: { readonly organizationId: string },
  name: string
) {
  const { personId } = yield* makeParty(name)
  const validUntil = addMilliseconds(yield* now, 86_400_000)
  const { membershipId } = yield* createMembership({ personId, organizationId, authorities, validUntil })
  return { name, personId, organizationId, membershipId }
})

const accept = Effect.fnUntraced(function* (token: string, proposalId: string) {
  const { body } = yield* readProposal(token, proposalId)
  return yield* commandProposal(token, proposalId, "respond", yield* answerOf(body, "ACCEPT"))
})

layer(memoryTestService, { excludeTestServices: true })("the scope of an acceptance", (it) => {
  it.effect(
    "An acceptance links the agreement to every active grant of both sides that holds the proposal, and to no other.",
    () =>
      Effect.gen(function* () {
        const { supplier, buyer, author, recipient, proposalId } = yield* createPublishedProposal()
        const holding = { proposalIds: [proposalId] }
        const mia = yield* colleagueOf(supplier, "Mia")
        const secondRecipient = yield* makeHolder(buyer, "BUYER", [], holding)
        const ofColleague = yield* makeHolder(mia, "SUPPLIER", ["SUBMIT_MATERIALS"], holding)
        const renewed = yield* makeHolder(supplier, "SUPPLIER", [], holding)
        yield* renewAs({ personId: supplier.personId, grantId: renewed.grantId, expectedGeneration: 1 })
        const ended = yield* makeHolder(supplier, "SUPPLIER", authorActions, holding)
        yield* revokeGrant("OPERATOR", { grantId: ended.grantId })
        const expired = yield* makeHolder(buyer, "BUYER", [], holding)
        yield* alterGrant(expired.grantId, { expiresAt: yield* now })
        const full = yield* makeHolder(supplier, "SUPPLIER", authorActions, holding)
        yield* alterGrant(full.grantId, { projectCount: 50 })
        const others = [
          yield* makeHolder(supplier, "SUPPLIER", authorActions),
          yield* makeHolder(buyer, "BUYER", recipientActions)
        ]
        const { status, body } = yield* accept(recipient.token, proposalId)
        assert.strictEqual(status, 200)
        const { projectId } = body.proposal
        for (const { grantId } of [author, recipient, secondRecipient, ofColleague, renewed]) {
          assert.deepStrictEqual(yield* reach(grantId), { projectIds: [projectId], proposalIds: [proposalId] })
        }
        for (const { grantId } of [ended, expired, full, ...others]) {
          assert.deepStrictEqual((yield* reach(grantId)).projectIds, [])
        }
        yield* alterGrant(full.grantId, { projectCount: 0 })
        assert.deepStrictEqual(yield* flawsInStore, [])
        const me = yield* send("GET", "/api/agents/v1/me", { token: author.token })
        assert.deepStrictEqual([me.body.projectIds, me.body.proposalIds], [[projectId], [proposalId]])
      })
  )

  it.effect("An acceptance gives the recipient of an earlier version and their agent no access.", () =>
    Effect.gen(function* () {
      const first = yield* createPublishedProposal()
      const { supplier, author, proposalId, view } = first
      const eve = yield* makeParty("Eve")
      yield* addContactFor(supplier, eve, "eve")
      const changes = { recipientActorId: eve.personId, recipientReference: "eve" }
      const updated = createdBody(
        yield* commandProposal(author.token, proposalId, "update", yield* updateOf(view, first, changes))
      )
      createdBody(yield* commandProposal(author.token, proposalId, "publish", versionOf(updated)))
      const agent = yield* makeHolder(eve, "BUYER", recipientActions, { proposalIds: [proposalId] })
      for (const answer of [
        yield* readProposal(first.recipient.token, proposalId),
        yield* commandProposal(first.recipient.token, proposalId, "respond", yield* answerOf(updated, "DECLINE"))
      ]) {
        assert.deepStrictEqual(outcome(answer), [403, "FORBIDDEN_AGENT_ACTION"])
      }
      const listed = yield* send("GET", "/api/agents/v1/proposals", { token: first.recipient.token })
      assert.deepStrictEqual(listed.body, { proposals: [], next: null })
      const { projectId } = createdBody(yield* accept(agent.token, proposalId)).proposal
      assert.deepStrictEqual((yield* reach(agent.grantId)).projectIds, [projectId])
      assert.deepStrictEqual((yield* reach(first.recipient.grantId)).projectIds, [])
    })
  )

  it.effect("An acceptance of a recipient with two organizations links only grants of the accepting one.", () =>
    Effect.gen(function* () {
      const { buyer, recipient, proposalId } = yield* createPublishedProposal()
      const { organizationId } = yield* makeParty("Second")
      const validUntil = addMilliseconds(yield* now, 86_400_000)
      yield* createMembership({ personId: buyer.personId, organizationId, authorities, validUntil })
      const second = yield* makeHolder({ ...buyer, organizationId }, "BUYER", recipientActions, {
        proposalIds: [proposalId]
      })
      const { projectId } = createdBody(yield* accept(second.token, proposalId)).proposal
      assert.deepStrictEqual((yield* reach(second.grantId)).projectIds, [projectId])
      assert.deepStrictEqual((yield* reach(recipient.grantId)).projectIds, [])
      assert.strictEqual((yield* readProposal(second.token, proposalId)).status, 200)
      const elsewhere = yield* readProposal(recipient.token, proposalId)
      assert.deepStrictEqual(outcome(elsewhere), [403, "FORBIDDEN_AGENT_ACTION"])
    })
  )

  it.effect("An acceptance under a grant at its project limit is refused and writes nothing.", () =>
    Effect.gen(function* () {
      const { recipient, author, proposalId } = yield* createPublishedProposal()
      yield* alterGrant(recipient.grantId, { projectCount: 50 })
      yield* readProposal(recipient.token, proposalId)
      const before = yield* everyRow
      assert.deepStrictEqual(outcome(yield* accept(recipient.token, proposalId)), [409, "CREATED_PROJECT_LIMIT"])
      assert.deepStrictEqual(yield* everyRow, before)
      yield* alterGrant(recipient.grantId, { projectCount: 0 })
      createdBody(yield* accept(recipient.token, proposalId))
      assert.strictEqual((yield* reach(author.grantId)).projectIds.length, 1)
    })
  )

  it.effect("An acceptance by a person makes them the buyer and links the grants of both sides.", () =>
    Effect.gen(function* () {
      const supplier = yield* signInNewPerson("Sam")
      const buyer = yield* signInNewPerson("Dana")
      yield* addContactFor(supplier, buyer)
      const author = yield* makeHolder(supplier, "SUPPLIER", authorActions)
      const created = createdBody(yield* createProposal(author.token, yield* proposalFor({ supplier, buyer })))
      const proposalId = created.proposal.id
      const shown = createdBody(yield* commandProposal(author.token, proposalId, "publish", versionOf(created)))
      const agent = yield* makeHolder(buyer, "BUYER", [], { proposalIds: [proposalId] })
      const body = withoutRevision(yield* answerOf(shown, "ACCEPT"))
      const accepted = createdBody(yield* personProposal(buyer, shown, "respond", body))
      const { projectId } = accepted.proposal
      for (const { grantId } of [author, agent]) assert.deepStrictEqual((yield* reach(grantId)).projectIds, [projectId])
      const storage = yield* Storage
      const row = yield* storage.view((reader) => reader.get(Projects, [projectId]))
      assert.deepInclude(row, {
        state: "AWAITING_SUPPLIER",
        buyerOrganizationId: buyer.organizationId,
        buyerActorId: buyer.personId,
        supplierActorId: supplier.personId,
        supplierOrganizationId: supplier.organizationId
      })
      assert.deepStrictEqual(yield* flawsInStore, [])
    })
  )
})

layer(memoryTestService, { excludeTestServices: true })("the proposal limits of grants", (it) => {
  it.effect("A grant has at most 50 proposals, including those linked at its creation.", () =>
    Effect.gen(function* () {
      const { supplier, buyer, proposalId } = yield* createDraftProposal()
      const { token, grantId } = yield* makeHolder(supplier, "SUPPLIER", authorActions, { proposalIds: [proposalId] })
      const write = Effect.gen(function* () {
        return yield* createProposal(token, yield* proposalFor({ supplier, buyer }))
      })
      for (let count = 1; count < 50; count++) assert.strictEqual((yield* write).status, 201)
      const before = yield* everyRow
      const refused = yield* write
      assert.deepStrictEqual(outcome(refused), [409, "CREATED_PROPOSAL_LIMIT"])
      assert.strictEqual(refused.body.nextAction, "ASK_OWNER_TO_REAUTHORIZE")
      assert.deepStrictEqual(yield* everyRow, before)
      assert.strictEqual((yield* reach(grantId)).proposalIds.length, 50)
    })
  )

  it.effect("A grant can be linked only to proposals of which its person is a party.", () =>
    Effect.gen(function* () {
      const { supplier, buyer, proposalId } = yield* createDraftProposal()
      const eve = yield* makeParty("Eve")
      const refusedFor = (party: typeof buyer, role: "BUYER" | "SUPPLIER") =>
        Effect.map(Effect.flip(makeHolder(party, role, [], { proposalIds: [proposalId] })), ({ code }) => code)
      // An unpublished draft has no buyer.
      assert.strictEqual(yield* refusedFor(buyer, "BUYER"), "FORBIDDEN")
      assert.strictEqual(yield* refusedFor(eve, "SUPPLIER"), "FORBIDDEN")
      assert.strictEqual(yield* refusedFor(supplier, "BUYER"), "FORBIDDEN")
      const unknown = makeHolder(supplier, "SUPPLIER", [], { proposalIds: [`proposal_${uuid()}`] })
      assert.strictEqual((yield* Effect.flip(unknown)).code, "FORBIDDEN")
    })
  )

  it.effect("A proposal is held by at most 100 grants of one side.", () =>
    Effect.gen(function* () {
      const { supplier, proposalId } = yield* createDraftProposal()
      const hold = makeHolder(supplier, "SUPPLIER", [], { proposalIds: [proposalId] })
      for (let count = 1; count < 100; count++) yield* hold
      const refused = yield* Effect.flip(hold)
      assert.deepStrictEqual(
        [refused.code, refused.facts.detail],
        ["STATE_CONFLICT", "Limit reached: 100 grants of one side for a proposal."]
      )
    })
  )
})
