import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { authorities } from "../../src/people/membership.ts"
import { createMembership, endMembership } from "../../src/people/memberships.ts"
import { exclusive, Storage } from "../../src/ports/storage.ts"
import { decodeRecord } from "../../src/records/issued-record.ts"
import { RecordShares } from "../../src/records/store.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import {
  agreementWithRecord,
  joinOrganization,
  termsWithRecipients,
  recipient,
  createShare,
  shareWith
} from "../support/issued-records.ts"
import { makeAgent, uuid } from "../support/parties.ts"
import {
  confirmationCommandBody,
  runToAccepted,
  commandAsPerson,
  answerOf,
  concernOf,
  personCommandBody,
  readProjectAsPerson,
  termsOf
} from "../support/person-commands.ts"
import { everyRow } from "../support/rows.ts"
import { freshTestService, send, siteUrl } from "../support/service.ts"
import { signInNewPerson, type SignedInPerson } from "../support/sessions.ts"
import { createdBody, outcome, post, read } from "../support/workspace.ts"

const makeParties = Effect.gen(function* () {
  const pair = { buyer: yield* signInNewPerson("Dana"), supplier: yield* signInNewPerson("Sam") }
  return { ...pair, eve: yield* signInNewPerson("Eve"), projectId: yield* agreementWithRecord(pair) }
})

const share = (by: SignedInPerson, projectId: string, body: object) =>
  post(by, `/projects/${projectId}/record-shares`, body)
const revoke = (by: SignedInPerson, projectId: string, shareId: string, body: object = { requestId: uuid() }) =>
  post(by, `/projects/${projectId}/record-shares/${shareId}/revoke`, body)
const open = (by: SignedInPerson, shareId: string) => post(by, `/shared-records/${shareId}/open`)
const sharesOf = (by: SignedInPerson, projectId: string) =>
  Effect.map(read(by, `/projects/${projectId}/record-shares`), (answer) => createdBody(answer).shares)
const sharedWith = (by: SignedInPerson) =>
  Effect.map(read(by, "/shared-records"), (answer) => createdBody(answer).records)

layer(freshTestService, { excludeTestServices: true })("the shares of an issued record", (it) => {
  it.effect("A shared record opens for its recipient, and each opening is recorded.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, eve, projectId } = yield* makeParties
      const answer = yield* share(buyer, projectId, shareWith(eve))
      assert.strictEqual(answer.status, 201)
      const { shareId, sharedAt, ...view } = answer.body
      assert.match(shareId, /^share_[0-9a-f-]{36}$/)
      assert.deepStrictEqual(view, {
        projectId,
        side: "BUYER",
        recipient,
        recipientActor: { personId: eve.personId, name: "Eve" },
        sharedBy: { personId: buyer.personId, name: "Dana" },
        url: `${siteUrl}/workspace/shared-records/${shareId}`,
        openingCount: 0,
        revokedAt: null,
        revokedBy: null
      })
      const sharedBy = { personId: buyer.personId, name: "Dana" }
      const listed = { shareId, recipient, sharedBy, sharedAt, url: view.url }
      assert.deepStrictEqual(yield* sharedWith(eve), [listed])
      const opened = createdBody(yield* open(eve, shareId))
      const { token } = yield* makeAgent(buyer, "BUYER", [], [projectId])
      const { record } = createdBody(yield* send("GET", `/api/agents/v1/projects/${projectId}/record`, { token }))
      assert.strictEqual(opened.record, record)
      const { schema: _, projectId: __, head: ___, ...facts } = decodeRecord(record)
      assert.deepStrictEqual(opened.facts, facts)
      assert.deepInclude(opened, { shareId, recipient, sharedBy, sharedAt })
      assert.deepInclude(opened.current, { state: "BUYER_CONFIRMED", reliance: "CURRENT" })
      const again = createdBody(yield* open(eve, shareId))
      for (const party of [buyer, supplier]) {
        const [{ openingCount, openings }] = yield* sharesOf(party, projectId)
        assert.strictEqual(openingCount, 2)
        assert.deepStrictEqual(openings, [
          { sequence: 2, state: "BUYER_CONFIRMED", at: again.current.at },
          { sequence: 1, state: "BUYER_CONFIRMED", at: opened.current.at }
        ])
      }
    })
  )

  it.effect("A share of another person, a revoked and an unknown one get the same refusal and record no opening.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, eve, projectId } = yield* makeParties
      const shareId = yield* createShare(buyer, projectId, shareWith(eve))
      const revoked = yield* createShare(buyer, projectId, shareWith(eve, { recipient: "The tax office" }))
      createdBody(yield* revoke(buyer, projectId, revoked))
      const before = yield* everyRow
      const unrelated = yield* signInNewPerson("Max")
      const answers = [
        yield* open(unrelated, shareId),
        yield* open(buyer, shareId),
        yield* open(supplier, shareId),
        yield* open(eve, revoked),
        yield* open(eve, `share_${uuid()}`),
        yield* open(eve, "share_1")
      ]
      for (const answer of answers) assert.deepStrictEqual(answer.body, answers[0]!.body)
      assert.deepStrictEqual(outcome(answers[0]!), [404, "NOT_FOUND"])
      const path = `/api/workspace/shared-records/${shareId}/open`
      assert.deepStrictEqual(outcome(yield* send("POST", path, { headers: { origin: siteUrl } })), [
        401,
        "SIGN_IN_REQUIRED"
      ])
      assert.deepStrictEqual(yield* sharedWith(unrelated), [])
      const { record_share_openings, record_shares } = yield* everyRow
      assert.deepStrictEqual(
        [record_share_openings, record_shares],
        [before.record_share_openings, before.record_shares]
      )
    })
  )

  it.effect("A revoked share no longer opens, and its openings stay listed.", () =>
    Effect.gen(function* () {
      const { buyer, eve, projectId } = yield* makeParties
      const shareId = yield* createShare(buyer, projectId, shareWith(eve))
      createdBody(yield* open(eve, shareId))
      const ended = createdBody(yield* revoke(buyer, projectId, shareId))
      assert.strictEqual(ended.revokedBy, buyer.personId)
      assert.deepStrictEqual(outcome(yield* open(eve, shareId)), [404, "NOT_FOUND"])
      assert.deepStrictEqual(yield* sharedWith(eve), [])
      const [listed] = yield* sharesOf(buyer, projectId)
      assert.deepInclude(listed, { revokedAt: ended.revokedAt, openingCount: 1 })
      assert.lengthOf(listed.openings, 1)
      const later = createdBody(yield* revoke(yield* joinOrganization(buyer, "Mia"), projectId, shareId))
      assert.deepInclude(later, { revokedAt: ended.revokedAt, revokedBy: buyer.personId })
      assert.strictEqual((yield* share(buyer, projectId, shareWith(eve))).status, 201)
    })
  )

  it.effect("An opened record shows the current state and reliance of the confirmation.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, eve, projectId } = yield* makeParties
      const shareId = yield* createShare(supplier, projectId, shareWith(eve))
      const original = createdBody(yield* open(eve, shareId)).record
      const assertState = Effect.fnUntraced(function* (state: string, reliance: string) {
        const { record, current } = createdBody(yield* open(eve, shareId))
        assert.strictEqual(record, original)
        assert.deepInclude(current, { state, reliance })
        assert.strictEqual((yield* sharesOf(buyer, projectId))[0].openings[0].state, state)
      })
      createdBody(
        yield* commandAsPerson(buyer, projectId, "concern", concernOf(yield* readProjectAsPerson(buyer, projectId)))
      )
      yield* assertState("CONFIRMATION_CONTESTED", "PAUSED")
      assert.deepStrictEqual(outcome(yield* share(buyer, projectId, shareWith(eve))), [409, "STATE_CONFLICT"])
      const dismissed = confirmationCommandBody(yield* readProjectAsPerson(buyer, projectId), {
        resolution: "DISMISSED"
      })
      createdBody(yield* commandAsPerson(buyer, projectId, "resolve-concern", dismissed))
      yield* assertState("BUYER_CONFIRMED", "CURRENT")
      createdBody(
        yield* commandAsPerson(
          buyer,
          projectId,
          "withdraw-confirmation",
          confirmationCommandBody(yield* readProjectAsPerson(buyer, projectId), {})
        )
      )
      yield* assertState("CONFIRMATION_WITHDRAWN", "STOPPED")
      createdBody(yield* revoke(supplier, projectId, shareId))
      assert.deepStrictEqual(outcome(yield* open(eve, shareId)), [404, "NOT_FOUND"])
    })
  )

  it.effect("An opened record shows that its agreement was superseded.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, eve, projectId } = yield* makeParties
      const shareId = yield* createShare(buyer, projectId, shareWith(eve))
      const offer = personCommandBody(yield* readProjectAsPerson(buyer, projectId), {
        reason: "More.",
        terms: yield* termsOf(supplier)
      })
      const revision = createdBody(yield* commandAsPerson(buyer, projectId, "revise", offer)).project.taskId
      createdBody(
        yield* commandAsPerson(
          supplier,
          revision,
          "respond",
          answerOf(yield* readProjectAsPerson(supplier, revision), supplier)
        )
      )
      assert.deepInclude(createdBody(yield* open(eve, shareId)).current, { state: "SUPERSEDED", reliance: "STOPPED" })
    })
  )

  it.effect("Sharing needs an issued record, a named recipient and a known person.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, eve, projectId } = yield* makeParties
      const without = yield* runToAccepted({ buyer, supplier }, termsWithRecipients)
      assert.deepStrictEqual(outcome(yield* share(buyer, without, shareWith(eve))), [409, "RESULT_NOT_ISSUED"])
      const unknown = shareWith({ personId: `person_${uuid()}` })
      assert.deepStrictEqual(outcome(yield* share(buyer, projectId, unknown)), [404, "UNKNOWN_PARTY"])
      const unnamed = shareWith(eve, { recipient: "The press" })
      assert.deepStrictEqual(outcome(yield* share(buyer, projectId, unnamed)), [409, "RECIPIENT_NOT_NAMED"])
      assert.deepStrictEqual(yield* sharesOf(buyer, projectId), [])
    })
  )

  it.effect("Sharing and revoking are idempotent, and a request id with another body is refused.", () =>
    Effect.gen(function* () {
      const { buyer, eve, projectId } = yield* makeParties
      const body = shareWith(eve)
      const first = yield* share(buyer, projectId, body)
      const second = yield* share(buyer, projectId, body)
      assert.deepStrictEqual([second.status, second.body], [201, { ...first.body, replayed: true }])
      const other = { ...body, recipient: "The tax office" }
      assert.deepStrictEqual(outcome(yield* share(buyer, projectId, other)), [409, "REQUEST_ID_CONFLICT"])
      const { shareId } = first.body
      const ending = { requestId: uuid() }
      const ended = createdBody(yield* revoke(buyer, projectId, shareId, ending))
      assert.deepStrictEqual(createdBody(yield* revoke(buyer, projectId, shareId, ending)), {
        ...ended,
        replayed: true
      })
      const replayed = createdBody(yield* share(buyer, projectId, body))
      assert.deepStrictEqual(replayed, { ...ended, replayed: true })
      assert.lengthOf(yield* sharesOf(buyer, projectId), 1)
      const used = { requestId: body.requestId }
      assert.deepStrictEqual(outcome(yield* revoke(buyer, projectId, shareId, used)), [409, "REQUEST_ID_CONFLICT"])
    })
  )

  it.effect("A share opens at most as often as its limit, and each opening is recorded.", () =>
    Effect.gen(function* () {
      const { buyer, eve, projectId } = yield* makeParties
      const shareId = yield* createShare(buyer, projectId, shareWith(eve))
      const storage = yield* Storage
      const openingCount = limits.openingsPerShare - 1
      yield* storage.transaction({ locks: [exclusive("project", projectId)] }, (transaction) =>
        transaction.update(RecordShares, [shareId], { openingCount })
      )
      assert.strictEqual((yield* open(eve, shareId)).status, 200)
      assert.deepStrictEqual(outcome(yield* open(eve, shareId)), [409, "SHARE_LIMIT"])
      assert.strictEqual((yield* sharesOf(buyer, projectId))[0].openingCount, limits.openingsPerShare)
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("the authorization of sharing", (it) => {
  it.effect("Members of the buyer with PUBLICATION_MANAGE and the supplier's representative can share.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, eve, projectId } = yield* makeParties
      const publisher = yield* joinOrganization(buyer, "Mia", ["PUBLICATION_MANAGE"])
      const reviewer = yield* joinOrganization(buyer, "Max", [
        "DELEGATE",
        "MEMBERS_MANAGE",
        "RECORD_ISSUE",
        "COMPLETION_CONFIRM"
      ])
      const colleague = yield* joinOrganization(supplier, "Kim")
      const unrelated = yield* signInNewPerson("Oona")
      const shareId = yield* createShare(publisher, projectId, shareWith(eve))
      const ofSupplier = yield* createShare(supplier, projectId, shareWith(eve))
      for (const person of [reviewer, colleague, unrelated]) {
        assert.deepStrictEqual(outcome(yield* share(person, projectId, shareWith(unrelated))), [403, "FORBIDDEN"])
        assert.deepStrictEqual(outcome(yield* revoke(person, projectId, shareId)), [403, "FORBIDDEN"])
        assert.deepStrictEqual(outcome(yield* revoke(person, projectId, ofSupplier)), [403, "FORBIDDEN"])
      }
      assert.lengthOf(yield* sharesOf(reviewer, projectId), 2)
      assert.lengthOf(yield* sharesOf(colleague, projectId), 2)
      const list = read(unrelated, `/projects/${projectId}/record-shares`)
      assert.deepStrictEqual(outcome(yield* list), [403, "FORBIDDEN"])
      yield* endMembership("OPERATOR", publisher)
      assert.deepStrictEqual(outcome(yield* revoke(publisher, projectId, shareId)), [403, "FORBIDDEN"])
      // A share survives the membership of the person who made it, until its side revokes it.
      assert.strictEqual((yield* open(eve, shareId)).status, 200)
      assert.strictEqual((yield* revoke(buyer, projectId, shareId)).status, 200)
    })
  )

  it.effect("A person revokes only shares of their own side.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, eve, projectId } = yield* makeParties
      const other = yield* agreementWithRecord({ buyer, supplier })
      const shareId = yield* createShare(buyer, projectId, shareWith(eve))
      assert.deepStrictEqual(outcome(yield* revoke(supplier, projectId, shareId)), [404, "NOT_FOUND"])
      assert.deepStrictEqual(outcome(yield* revoke(buyer, other, shareId)), [404, "NOT_FOUND"])
      assert.deepStrictEqual(outcome(yield* revoke(buyer, projectId, `share_${uuid()}`)), [404, "NOT_FOUND"])
      assert.strictEqual((yield* open(eve, shareId)).status, 200)
      const successor = yield* joinOrganization(supplier, "Mia")
      const ofSupplier = yield* createShare(supplier, projectId, shareWith(eve))
      const renamed = { reason: "Mia goes on.", supplierActorId: successor.personId }
      createdBody(
        yield* commandAsPerson(
          supplier,
          projectId,
          "change-representative",
          personCommandBody(yield* readProjectAsPerson(supplier, projectId), renamed)
        )
      )
      assert.deepStrictEqual(outcome(yield* revoke(supplier, projectId, ofSupplier)), [403, "FORBIDDEN"])
      assert.strictEqual((yield* revoke(successor, projectId, ofSupplier)).status, 200)
    })
  )

  it.effect("A person who shared for one side cannot act for the other.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, eve, projectId } = yield* makeParties
      const mia = yield* joinOrganization(buyer, "Mia")
      yield* createShare(mia, projectId, shareWith(eve))
      yield* endMembership("OPERATOR", mia)
      const { organizationId } = supplier
      const validUntil = addMilliseconds(yield* now, 86_400_000)
      yield* createMembership({ personId: mia.personId, organizationId, authorities, validUntil })
      const renamed = { reason: "Mia goes on.", supplierActorId: mia.personId }
      const body = personCommandBody(yield* readProjectAsPerson(supplier, projectId), renamed)
      assert.deepStrictEqual(outcome(yield* commandAsPerson(supplier, projectId, "change-representative", body)), [
        409,
        "SAME_PARTY"
      ])
    })
  )
})
