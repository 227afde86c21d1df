import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { decodeRecord } from "../../src/records/issued-record.ts"
import { documentedResponse, readDocument } from "../support/openapi.ts"
import { makeAgent, uuid } from "../support/parties.ts"
import {
  confirmationCommandBody,
  runToAccepted,
  commandAsPerson,
  answerOf,
  concernOf,
  personCommandBody,
  readProjectAsPerson,
  termsOf,
  type Pair
} from "../support/person-commands.ts"
import { agreementWithRecord, joinOrganization } from "../support/issued-records.ts"
import { everyRow } from "../support/rows.ts"
import { freshTestService, send, type Answer } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { createdBody, outcome, post } from "../support/workspace.ts"

const makePair = Effect.gen(function* () {
  return { buyer: yield* signInNewPerson("Dana"), supplier: yield* signInNewPerson("Sam") } satisfies Pair
})

const reader = (person: Pair["buyer"], role: "BUYER" | "SUPPLIER", projectId: string) =>
  Effect.map(makeAgent(person, role, [], [projectId]), ({ token }) => token)

const record = (token: string, projectId: string) =>
  send("GET", `/api/agents/v1/projects/${projectId}/record`, { token })

const standard = (token: string, projectId: string, more: { readonly body?: unknown; readonly raw?: string } = {}) =>
  send("POST", `/api/agents/v1/projects/${projectId}/exports/standard-record`, { token, ...more })

/** Asserts that a response of either operation matches the OpenAPI document. */
const isDocumented = Effect.gen(function* () {
  const assertDocumented = documentedResponse(yield* readDocument("/api/agents/v1"))
  const path = "/api/agents/v1/projects/{id}"
  return {
    record: (answer: Answer) => assertDocumented(`${path}/record`, "get", answer),
    standard: (answer: Answer) => assertDocumented(`${path}/exports/standard-record`, "post", answer)
  }
})

const resultPackage = Effect.fnUntraced(function* (token: string, projectId: string) {
  const path = `/api/agents/v1/projects/${projectId}`
  const { project } = createdBody(yield* send("GET", path, { token }))
  const expected = { expectedAgreementDigest: project.agreement.digest, expectedEventHash: project.headEventHash }
  const body = { ...expected, nonce: uuid() }
  const { record } = createdBody(yield* send("POST", `${path}/exports/result-package`, { token, body }))
  return decodeRecord(record) as unknown as { readonly record: string }
})

layer(freshTestService, { excludeTestServices: true })("the record exports of agents", (it) => {
  it.effect("A record cannot be read or exported before it is issued.", () =>
    Effect.gen(function* () {
      const pair = yield* makePair
      const projectId = yield* runToAccepted(pair)
      const token = yield* reader(pair.buyer, "BUYER", projectId)
      assert.deepStrictEqual(outcome(yield* record(token, projectId)), [409, "RESULT_NOT_ISSUED"])
      assert.deepStrictEqual(outcome(yield* standard(token, projectId)), [409, "RESULT_NOT_ISSUED"])
    })
  )

  it.effect("The record has the bytes of the package, unsigned metadata, and the buyer's declaration.", () =>
    Effect.gen(function* () {
      const pair = yield* makePair
      const projectId = yield* agreementWithRecord(pair)
      const token = yield* reader(pair.supplier, "SUPPLIER", projectId)
      const { body } = yield* record(token, projectId)
      assert.strictEqual(body.record, (yield* resultPackage(token, projectId)).record)
      const facts = decodeRecord(body.record)
      assert.deepStrictEqual(body.metadata, {
        label: "UNSIGNED_AGENT_METADATA_NOT_VERIFIED",
        projectId,
        agreementDigest: facts.agreement.digest,
        agreementVersion: 1,
        confirmationId: facts.confirmation.id,
        recordId: facts.recordId,
        recordDigest: (yield* readProjectAsPerson(pair.buyer, projectId)).project.events.at(-1).payload.recordDigest,
        issuedAt: facts.issuedAt,
        state: "BUYER_CONFIRMED",
        reliance: "CURRENT"
      })
      assert.deepStrictEqual(body.externalAssertions, [
        { kind: "BASELINE", statement: "None yet.", declaredBy: pair.buyer.personId, status: "DECLARED" }
      ])
      const { schema, ...exported } = (yield* standard(token, projectId)).body
      assert.strictEqual(schema, "service.standard-record/v1")
      assert.deepStrictEqual(exported, { record: body.record, metadata: body.metadata })
    })
  )

  it.effect("The standard export accepts no body or an empty object only.", () =>
    Effect.gen(function* () {
      const pair = yield* makePair
      const projectId = yield* agreementWithRecord(pair)
      const token = yield* reader(pair.buyer, "BUYER", projectId)
      for (const more of [{}, { body: {} }]) assert.strictEqual((yield* standard(token, projectId, more)).status, 200)
      for (const raw of ['{"nonce":1}', "[]", "null", "{}{}", "nothing", '{"a":1,"a":1}']) {
        assert.deepStrictEqual(outcome(yield* standard(token, projectId, { raw })), [400, "INVALID_REQUEST"], raw)
      }
      const large = standard(token, projectId, { raw: `{${" ".repeat(4_096)}}` })
      assert.deepStrictEqual(outcome(yield* large), [413, "REQUEST_TOO_LARGE"])
    })
  )

  it.effect("The responses of the record exports match the OpenAPI document.", () =>
    Effect.gen(function* () {
      const pair = yield* makePair
      const [before, after] = [yield* runToAccepted(pair), yield* agreementWithRecord(pair)]
      const matchesDocument = yield* isDocumented
      for (const projectId of [before, after]) {
        const token = yield* reader(pair.buyer, "BUYER", projectId)
        for (const sent of [token, "none"]) matchesDocument.record(yield* record(sent, projectId))
        for (const more of [{}, { body: { more: 1 } }, { raw: " ".repeat(5_000) }]) {
          matchesDocument.standard(yield* standard(token, projectId, more))
        }
      }
    })
  )

  it.effect("Only agents of the buyer and of the supplier's representative can read the record.", () =>
    Effect.gen(function* () {
      const pair = yield* makePair
      const projectId = yield* agreementWithRecord(pair)
      const mia = yield* joinOrganization(pair.supplier, "Mia")
      const token = yield* reader(pair.supplier, "SUPPLIER", projectId)
      const elsewhere = yield* reader(pair.buyer, "BUYER", yield* runToAccepted(pair))
      assert.strictEqual((yield* record(token, projectId)).status, 200)
      const body = personCommandBody(yield* readProjectAsPerson(mia, projectId), {
        reason: "Mia goes on.",
        supplierActorId: mia.personId
      })
      createdBody(yield* commandAsPerson(mia, projectId, "change-representative", body))
      for (const operation of [record, standard]) {
        assert.deepStrictEqual(outcome(yield* operation(token, projectId)), [403, "FORBIDDEN_AGENT_ACTION"])
        assert.deepStrictEqual(outcome(yield* operation(elsewhere, projectId)), [403, "FORBIDDEN_AGENT_PROJECT_SCOPE"])
        assert.deepStrictEqual(outcome(yield* operation("none", projectId)), [401, "AUTH_INVALID"])
      }
      const successor = yield* reader(mia, "SUPPLIER", projectId)
      assert.strictEqual((yield* record(successor, projectId)).status, 200)
    })
  )

  it.effect(
    "The record is available during a pause and in every later state, and its metadata follows the state.",
    () =>
      Effect.gen(function* () {
        const pair = yield* makePair
        const { buyer, supplier } = pair
        const projectId = yield* agreementWithRecord(pair)
        const token = yield* reader(buyer, "BUYER", projectId)
        const original = (yield* record(token, projectId)).body.record
        const assertState = Effect.fnUntraced(function* (state: string, reliance: string) {
          for (const operation of [record, standard]) {
            const { status, body } = yield* operation(token, projectId)
            assert.strictEqual(status, 200)
            assert.strictEqual(body.record, original)
            assert.deepInclude(body.metadata, { state, reliance })
          }
        })
        createdBody(yield* post(buyer, `/projects/${projectId}/pause`, { requestId: uuid(), reason: "To look at it." }))
        yield* assertState("BUYER_CONFIRMED", "CURRENT")
        createdBody(
          yield* commandAsPerson(
            supplier,
            projectId,
            "concern",
            concernOf(yield* readProjectAsPerson(supplier, projectId))
          )
        )
        yield* assertState("CONFIRMATION_CONTESTED", "PAUSED")
        const upheld = confirmationCommandBody(yield* readProjectAsPerson(buyer, projectId), { resolution: "UPHELD" })
        createdBody(yield* commandAsPerson(buyer, projectId, "resolve-concern", upheld))
        yield* assertState("CONFIRMATION_WITHDRAWN", "STOPPED")
      })
  )

  it.effect("The record of a superseded agreement stays available.", () =>
    Effect.gen(function* () {
      const pair = yield* makePair
      const { buyer, supplier } = pair
      const projectId = yield* agreementWithRecord(pair)
      const token = yield* reader(buyer, "BUYER", projectId)
      const terms = yield* termsOf(supplier)
      const offer = personCommandBody(yield* readProjectAsPerson(buyer, projectId), { reason: "Other dates.", terms })
      const revision = createdBody(yield* commandAsPerson(buyer, projectId, "revise", offer)).project.taskId
      createdBody(
        yield* commandAsPerson(
          supplier,
          revision,
          "respond",
          answerOf(yield* readProjectAsPerson(supplier, revision), supplier)
        )
      )
      assert.deepInclude((yield* record(token, projectId)).body.metadata, { state: "SUPERSEDED", reliance: "STOPPED" })
    })
  )

  it.effect("Reading and exporting a record writes nothing.", () =>
    Effect.gen(function* () {
      const pair = yield* makePair
      const projectId = yield* agreementWithRecord(pair)
      const token = yield* reader(pair.buyer, "BUYER", projectId)
      yield* record(token, projectId)
      const before = yield* everyRow
      for (const operation of [record, standard, record, standard])
        assert.strictEqual((yield* operation(token, projectId)).status, 200)
      assert.deepStrictEqual(yield* everyRow, before)
    })
  )
})
