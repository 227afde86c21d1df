/** A person stays on their side of a proposal, across recipients and in the agreement. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { authorities, type Authority } from "../../src/people/membership.ts"
import { createMembership, endMembership } from "../../src/people/memberships.ts"
import { Memberships } from "../../src/people/store.ts"
import { ProjectSides } from "../../src/projects/store.ts"
import { exclusive, Storage } from "../../src/ports/storage.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { uuid } from "../support/parties.ts"
import { signatureBy } from "../support/person-commands.ts"
import { flawsInStore } from "../support/proposal-integrity.ts"
import {
  answerOf,
  addContactFor,
  withoutRevision,
  personProposal,
  proposalFor,
  updateOf,
  versionOf
} from "../support/proposals.ts"
import { signInNewPerson, type SignedInPerson } from "../support/sessions.ts"
import { createdBody, outcome, post, read } from "../support/workspace.ts"

const join = Effect.fnUntraced(function* (person: SignedInPerson, { organizationId }: SignedInPerson) {
  const validUntil = addMilliseconds(yield* now, 86_400_000)
  return yield* createMembership({ personId: person.personId, organizationId, authorities, validUntil })
})

const pair = Effect.gen(function* () {
  const supplier = yield* signInNewPerson("Sam")
  const buyer = yield* signInNewPerson("Dana")
  yield* addContactFor(supplier, buyer)
  return { supplier, buyer }
})

/** A proposal written and published by a person; `terms` replaces members. */
const shown = Effect.fnUntraced(function* (
  parties: { readonly supplier: SignedInPerson; readonly buyer: SignedInPerson },
  terms: object = {}
) {
  const { supplier } = parties
  const body = { organizationId: supplier.organizationId, ...(yield* proposalFor(parties, {}, { ...terms })) }
  const draft = createdBody(yield* post(supplier, "/proposals", body))
  return createdBody(yield* personProposal(supplier, draft, "publish", withoutRevision(versionOf(draft))))
})

const seenBy = (by: SignedInPerson, view: any) => read(by, `/proposals/${view.proposal.id}`)

const answer = Effect.fnUntraced(function* (by: SignedInPerson, view: any, action: string) {
  return yield* personProposal(by, view, "respond", withoutRevision(yield* answerOf(view, action)))
})

layer(memoryTestService, { excludeTestServices: true })("the sides of a proposal", (it) => {
  it.effect("A publication to another recipient moves the buyer's side to them and ends the former one's pause.", () =>
    Effect.gen(function* () {
      const parties = yield* pair
      const { supplier, buyer } = parties
      const eve = yield* signInNewPerson("Eve")
      yield* addContactFor(supplier, eve, "eve")
      const view = yield* shown(parties)
      const { id } = view.proposal
      createdBody(yield* post(buyer, `/proposals/${id}/pause`, { requestId: uuid(), reason: "Wait." }))
      const named = { recipientActorId: eve.personId, recipientReference: "eve" }
      const rewritten = withoutRevision(yield* updateOf(view, parties, named))
      const updated = createdBody(yield* personProposal(supplier, view, "update", rewritten))
      // The former recipient has it until the publication to the next one.
      assert.strictEqual((yield* seenBy(buyer, view)).body.proposal.version, 1)
      assert.strictEqual((yield* seenBy(eve, view)).status, 403)
      const toEve = createdBody(
        yield* personProposal(supplier, updated, "publish", withoutRevision(versionOf(updated)))
      )
      assert.deepStrictEqual(toEve.automation, { revision: 2, paused: false, pausedBy: [] })
      assert.deepStrictEqual(outcome(yield* seenBy(buyer, view)), [403, "FORBIDDEN"])
      assert.deepStrictEqual(outcome(yield* answer(buyer, toEve, "DECLINE")), [403, "FORBIDDEN"])
      assert.deepStrictEqual(createdBody(yield* read(buyer, "/proposals")), { proposals: [] })
      assert.strictEqual((yield* answer(eve, toEve, "ACCEPT")).status, 200)
      assert.deepStrictEqual(yield* flawsInStore, [])
    })
  )

  it.effect("The supplier's pause survives a publication to another recipient.", () =>
    Effect.gen(function* () {
      const parties = yield* pair
      const { supplier } = parties
      const eve = yield* signInNewPerson("Eve")
      yield* addContactFor(supplier, eve, "eve")
      const view = yield* shown(parties)
      createdBody(yield* post(supplier, `/proposals/${view.proposal.id}/pause`, { requestId: uuid(), reason: "Wait." }))
      const named = { recipientActorId: eve.personId, recipientReference: "eve" }
      const rewritten = withoutRevision(yield* updateOf(view, parties, named))
      const updated = createdBody(yield* personProposal(supplier, view, "update", rewritten))
      const toEve = createdBody(
        yield* personProposal(supplier, updated, "publish", withoutRevision(versionOf(updated)))
      )
      assert.deepStrictEqual([toEve.automation.revision, toEve.automation.paused], [1, true])
    })
  )

  it.effect("A person who wrote a proposal for the supplier cannot act for the buyer in its agreement.", () =>
    Effect.gen(function* () {
      const parties = yield* pair
      const { supplier, buyer } = parties
      const mia = yield* signInNewPerson("Mia")
      const { membershipId } = yield* join(mia, supplier)
      const view = yield* shown(parties)
      const updated = createdBody(
        yield* personProposal(mia, view, "update", withoutRevision(yield* updateOf(view, parties)))
      )
      yield* endMembership("OPERATOR", { membershipId })
      yield* join(mia, buyer)
      const published = createdBody(
        yield* personProposal(supplier, updated, "publish", withoutRevision(versionOf(updated)))
      )
      const { projectId } = createdBody(yield* answer(buyer, published, "ACCEPT")).proposal
      const storage = yield* Storage
      const side = yield* storage.view((reader) => reader.get(ProjectSides, [mia.personId, projectId]))
      assert.strictEqual(side?.role, "SUPPLIER")
      assert.strictEqual((yield* read(buyer, `/projects/${projectId}`)).status, 200)
      assert.deepStrictEqual(outcome(yield* read(mia, `/projects/${projectId}`)), [403, "FORBIDDEN"])
    })
  )

  it.effect("An acceptance is refused if the buyer's signer has written the proposal.", () =>
    Effect.gen(function* () {
      const parties = yield* pair
      const { supplier, buyer } = parties
      const mia = yield* signInNewPerson("Mia")
      yield* join(mia, supplier)
      yield* join(mia, buyer)
      const signing = signatureBy(mia, supplier, "NATIVE", yield* now)
      const view = yield* shown(parties, { signing })
      const rewritten = yield* updateOf(view, parties)
      const again = { ...rewritten, input: { ...rewritten.input, terms: view.proposal.terms } }
      const updated = createdBody(yield* personProposal(mia, view, "update", withoutRevision(again)))
      const published = createdBody(
        yield* personProposal(supplier, updated, "publish", withoutRevision(versionOf(updated)))
      )
      assert.deepStrictEqual(outcome(yield* answer(buyer, published, "ACCEPT")), [409, "SAME_PARTY"])
    })
  )

  it.effect("An acceptance is refused if the signer is unknown to the buyer's organization.", () =>
    Effect.gen(function* () {
      const parties = yield* pair
      const { supplier, buyer } = parties
      const outsider = yield* signInNewPerson("Eve")
      const signing = signatureBy(outsider, supplier, "EXTERNAL", yield* now)
      const view = yield* shown(parties, { signing })
      assert.deepStrictEqual(outcome(yield* answer(buyer, view, "ACCEPT")), [409, "UNKNOWN_SIGNER"])
      const known = yield* shown(parties, { signing: signatureBy(buyer, supplier, "EXTERNAL", yield* now) })
      assert.strictEqual((yield* answer(buyer, known, "ACCEPT")).status, 200)
      assert.deepStrictEqual(yield* flawsInStore, [])
    })
  )

  it.effect("A recipient with several organizations must name the one for which they accept.", () =>
    Effect.gen(function* () {
      const parties = yield* pair
      const { buyer } = parties
      const other = yield* signInNewPerson("Olga")
      yield* join(buyer, other)
      const view = yield* shown(parties)
      const unnamed = yield* answer(buyer, view, "ACCEPT")
      assert.deepStrictEqual(outcome(unnamed), [400, "INVALID_REQUEST"])
      const body = withoutRevision(yield* answerOf(view, "ACCEPT"))
      const elsewhere = (yield* signInNewPerson("Eve")).organizationId
      const foreign = yield* personProposal(buyer, view, "respond", { ...body, organizationId: elsewhere })
      assert.deepStrictEqual(outcome(foreign), [403, "FORBIDDEN"])
      const named = { ...body, organizationId: other.organizationId }
      const accepted = createdBody(yield* personProposal(buyer, view, "respond", named))
      assert.deepStrictEqual([accepted.role, accepted.organizationId], ["BUYER", other.organizationId])
    })
  )

  it.effect("Proposal commands of people need PROPOSAL_MANAGE, and pause and resume need DELEGATE.", () =>
    Effect.gen(function* () {
      const parties = yield* pair
      const { supplier, buyer } = parties
      const without = (person: SignedInPerson, missing: string) =>
        setAuthorities(
          person,
          authorities.filter((one) => one !== missing)
        )
      const view = yield* shown(parties)
      const change = (by: SignedInPerson, operation: string) =>
        post(by, `/proposals/${view.proposal.id}/${operation}`, { requestId: uuid(), reason: "Wait." })
      for (const by of [supplier, buyer]) {
        yield* without(by, "DELEGATE")
        assert.deepStrictEqual(outcome(yield* change(by, "pause")), [403, "FORBIDDEN"])
        yield* setAuthorities(by, authorities)
        assert.strictEqual((yield* change(by, "pause")).status, 200)
        assert.deepStrictEqual(outcome(yield* change(by, "pause")), [409, "STATE_CONFLICT"])
        yield* without(by, "DELEGATE")
        assert.deepStrictEqual(outcome(yield* change(by, "resume")), [403, "FORBIDDEN"])
        yield* without(by, "PROPOSAL_MANAGE")
        assert.strictEqual((yield* change(by, "resume")).status, 200)
        assert.strictEqual((yield* seenBy(by, view)).status, 200)
      }
      const { organizationId } = supplier
      const body = { organizationId, ...(yield* proposalFor(parties)) }
      assert.deepStrictEqual(outcome(yield* post(supplier, "/proposals", body)), [403, "FORBIDDEN"])
      const withdrawal = withoutRevision(versionOf(view))
      assert.deepStrictEqual(outcome(yield* personProposal(supplier, view, "withdraw", withdrawal)), [403, "FORBIDDEN"])
      for (const action of ["ACCEPT", "REQUEST_CHANGES", "DECLINE"]) {
        assert.deepStrictEqual(outcome(yield* answer(buyer, view, action)), [403, "FORBIDDEN"])
      }
      yield* setAuthorities(buyer, ["PROPOSAL_MANAGE"])
      assert.strictEqual((yield* answer(buyer, view, "ACCEPT")).status, 200)
    })
  )

  it.effect("A recipient does not learn the number of an unpublished version.", () =>
    Effect.gen(function* () {
      const parties = yield* pair
      const { supplier, buyer } = parties
      const view = yield* shown(parties)
      createdBody(yield* personProposal(supplier, view, "update", withoutRevision(yield* updateOf(view, parties))))
      const late = yield* answer(buyer, view, "DECLINE")
      assert.deepStrictEqual([late.body.error, late.body.current.version], ["STALE_PROPOSAL_HEAD", 1])
      const own = yield* personProposal(supplier, view, "withdraw", withoutRevision(versionOf(view)))
      assert.deepStrictEqual([own.body.error, own.body.current.version], ["STALE_PROPOSAL_HEAD", 2])
    })
  )
})

/** Replaces the authorities of a person's membership. */
const setAuthorities = ({ membershipId }: SignedInPerson, replacement: ReadonlyArray<Authority>) =>
  Effect.gen(function* () {
    const storage = yield* Storage
    yield* storage.transaction({ locks: [exclusive("membership", membershipId)] }, (transaction) =>
      transaction.update(Memberships, [membershipId], { authorities: replacement })
    )
  })
