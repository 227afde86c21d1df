import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { digestOf } from "../../src/canonical/digest.ts"
import { decodeSummary } from "../../src/publications/summary.ts"
import { Publications } from "../../src/publications/store.ts"
import { Storage } from "../../src/ports/storage.ts"
import { decodeRecord } from "../../src/records/issued-record.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { agreementWithRecord, termsWithRecipients } from "../support/issued-records.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { makeAgent, uuid } from "../support/parties.ts"
import { runToAccepted } from "../support/person-commands.ts"
import {
  approve,
  contest,
  dismissConcern,
  issuedResult,
  proposalOf,
  propose,
  publicationsOf,
  publish,
  publishedResult,
  withdraw
} from "../support/publications.ts"
import { everyRow } from "../support/rows.ts"
import { freshTestService, send } from "../support/service.ts"
import { createdBody, outcome, post } from "../support/workspace.ts"

const stores = [
  ["in memory", memoryTestService],
  ["on Postgres", freshTestService]
] as const

describe.each(stores)("the publications of a result %s", (_, service) => {
  layer(service, { excludeTestServices: true })((it) => {
    it.effect("A proposed summary has the facts of the issued record and no other.", () =>
      Effect.gen(function* () {
        const { buyer, supplier, projectId } = yield* issuedResult
        const answer = yield* propose(supplier, projectId)
        assert.strictEqual(answer.status, 201, answer.text)
        const { publicationId, publicationDigest, projection, proposedBy, ...view } = answer.body
        assert.match(publicationId, /^pub_[0-9a-f-]{36}$/)
        assert.match(projection.subject.id, /^provider_[0-9a-f-]{36}$/)
        assert.deepStrictEqual(view, {
          projectId,
          state: "PROPOSED",
          disclosed: false,
          approvedBy: null,
          withdrawn: null,
          availableActions: ["WITHDRAW"]
        })
        const { token } = yield* makeAgent(buyer, "BUYER", [], [projectId])
        const { record } = createdBody(yield* send("GET", `/api/agents/v1/projects/${projectId}/record`, { token }))
        const { recordId, acceptedAt } = decodeRecord(record)
        assert.deepStrictEqual(projection, {
          schema: "service.result-summary/v1",
          issuedAt: proposedBy.at,
          issuer: "countersign-test",
          environment: "test",
          publicationId,
          subject: { id: projection.subject.id, name: projection.subject.name },
          resultId: recordId,
          resultDigest: digestOf(decodeRecord(record)),
          title: "A logo",
          summary: "One logo as vector files.",
          buyerName: "Dana Ltd",
          criteriaMet: 1,
          specification: null,
          completionTime: acceptedAt
        })
        assert.deepStrictEqual(proposedBy, { personId: supplier.personId, name: "Sam", at: projection.issuedAt })
        assert.strictEqual(publicationDigest, digestOf(projection))
        const storage = yield* Storage
        const stored = yield* storage.view((reader) => reader.get(Publications, [publicationId]))
        assert.deepStrictEqual(decodeSummary(stored!.summary), projection)
      })
    )

    it.effect("A publication is disclosed once the buyer approves it, and never after a withdrawal.", () =>
      Effect.gen(function* () {
        const { buyer, supplier, projectId } = yield* issuedResult
        const proposed = createdBody(yield* propose(supplier, projectId, { namesBuyer: false }))
        assert.isNull(proposed.projection.buyerName)
        const [listed] = (yield* publicationsOf(buyer, projectId)).publications
        assert.deepStrictEqual(listed, { ...proposed, availableActions: ["APPROVE", "WITHDRAW"] })
        const approved = createdBody(yield* approve(buyer, proposed))
        const { at } = approved.approvedBy
        assert.deepStrictEqual(approved, {
          ...proposed,
          state: "PUBLISHED",
          disclosed: true,
          approvedBy: { personId: buyer.personId, name: "Dana", at }
        })
        const withdrawn = createdBody(yield* withdraw(supplier, proposed))
        assert.deepStrictEqual(withdrawn, {
          ...approved,
          state: "WITHDRAWN",
          disclosed: false,
          withdrawn: {
            personId: supplier.personId,
            name: "Sam",
            at: withdrawn.withdrawn.at,
            side: "SUPPLIER",
            reason: "No longer wanted."
          },
          availableActions: []
        })
        for (const refused of [yield* withdraw(buyer, proposed), yield* approve(buyer, proposed)]) {
          assert.deepStrictEqual(outcome(refused), [409, "STATE_CONFLICT"])
        }
      })
    )

    it.effect(
      "A concern hides a publication, and its dismissal brings it back; a withdrawal is possible throughout.",
      () =>
        Effect.gen(function* () {
          const result = yield* publishedResult
          const { buyer, supplier, projectId, publication } = result
          const isDisclosed = Effect.map(
            publicationsOf(buyer, projectId),
            ({ publications }) => publications[0].disclosed
          )
          yield* contest(result)
          assert.isFalse(yield* isDisclosed)
          yield* dismissConcern(result)
          assert.isTrue(yield* isDisclosed)
          yield* contest(result)
          assert.strictEqual((yield* withdraw(buyer, publication)).status, 200)
          assert.deepStrictEqual(outcome(yield* propose(supplier, projectId)), [409, "STATE_CONFLICT"])
          yield* dismissConcern(result)
          assert.isFalse(yield* isDisclosed)
        })
    )

    it.effect("A contested result is neither proposed nor approved.", () =>
      Effect.gen(function* () {
        const result = yield* issuedResult
        const { buyer, supplier, projectId } = result
        const proposed = createdBody(yield* propose(supplier, projectId))
        yield* contest(result)
        assert.deepStrictEqual(outcome(yield* approve(buyer, proposed)), [409, "STATE_CONFLICT"])
        const [listed] = (yield* publicationsOf(buyer, projectId)).publications
        assert.deepStrictEqual(listed.availableActions, ["WITHDRAW"])
        assert.strictEqual((yield* withdraw(supplier, proposed)).status, 200)
        assert.deepStrictEqual(outcome(yield* propose(supplier, projectId)), [409, "STATE_CONFLICT"])
      })
    )

    it.effect("A result without an issued record cannot be proposed.", () =>
      Effect.gen(function* () {
        const { buyer, supplier } = yield* issuedResult
        const without = yield* runToAccepted({ buyer, supplier }, termsWithRecipients)
        assert.deepStrictEqual(outcome(yield* propose(supplier, without)), [409, "RESULT_NOT_ISSUED"])
        assert.deepStrictEqual(yield* publicationsOf(supplier, without), { publications: [], availableActions: [] })
      })
    )

    it.effect("A result has one live publication, and 20 in all.", () =>
      Effect.gen(function* () {
        const { supplier, buyer, projectId } = yield* issuedResult
        const before = yield* publicationsOf(supplier, projectId)
        assert.deepStrictEqual(before.availableActions, ["PROPOSE"])
        assert.deepStrictEqual((yield* publicationsOf(buyer, projectId)).availableActions, [])
        for (let count = 0; count < limits.publicationsPerResult; count++) {
          const proposed = createdBody(yield* propose(supplier, projectId))
          if (count < 2) {
            assert.deepStrictEqual(outcome(yield* propose(supplier, projectId)), [409, "ALREADY_EXISTS"])
          }
          createdBody(yield* withdraw(supplier, proposed))
        }
        assert.deepStrictEqual(outcome(yield* propose(supplier, projectId)), [409, "PUBLICATION_LIMIT"])
        const { publications, availableActions } = yield* publicationsOf(supplier, projectId)
        assert.lengthOf(publications, limits.publicationsPerResult)
        assert.deepStrictEqual(availableActions, [])
      })
    )

    it.effect("A published result is live too: another publication of it is refused.", () =>
      Effect.gen(function* () {
        const { supplier, projectId } = yield* publishedResult
        assert.deepStrictEqual(outcome(yield* propose(supplier, projectId)), [409, "ALREADY_EXISTS"])
      })
    )

    it.effect("The publications of one supplier have one subject, whichever project they belong to.", () =>
      Effect.gen(function* () {
        const { buyer, supplier, publication } = yield* publishedResult
        const another = yield* agreementWithRecord({ buyer, supplier })
        const { projection } = yield* publish({ buyer, supplier, projectId: another })
        assert.deepStrictEqual(projection.subject, publication.projection.subject)
        const { projection: others } = (yield* publishedResult).publication
        assert.notStrictEqual(others.subject.id, projection.subject.id)
      })
    )

    it.effect("First proposals of one supplier at once are all accepted, under one subject.", () =>
      Effect.gen(function* () {
        const { buyer, supplier, projectId } = yield* issuedResult
        const others = yield* Effect.forEach(Array(5), () => agreementWithRecord({ buyer, supplier }))
        const projectIds = [projectId, ...others]
        const answers = yield* Effect.all(
          projectIds.map((id) => propose(supplier, id)),
          { concurrency: "unbounded" }
        )
        const subjects = answers.map((answer) => createdBody(answer).projection.subject.id)
        assert.strictEqual(new Set(subjects).size, 1)
        assert.lengthOf(
          (yield* everyRow).provider_subjects!.filter(({ subjectId }) => subjects.includes(subjectId)),
          1
        )
      })
    )

    it.effect(
      "Of an approval and a withdrawal at once, the withdrawal takes effect, before or after the approval.",
      () =>
        Effect.gen(function* () {
          const { buyer, supplier, projectId } = yield* issuedResult
          const proposed = createdBody(yield* propose(supplier, projectId))
          const [approval, withdrawal] = yield* Effect.all([approve(buyer, proposed), withdraw(supplier, proposed)], {
            concurrency: "unbounded"
          })
          assert.strictEqual(withdrawal.status, 200)
          assert.include([200, 409], approval.status)
          const [{ state, disclosed }] = (yield* publicationsOf(buyer, projectId)).publications
          assert.deepStrictEqual([state, disclosed], ["WITHDRAWN", false])
        })
    )

    it.effect("An approval names the digest of the summary, and a publication of another project is unknown.", () =>
      Effect.gen(function* () {
        const { buyer, supplier, projectId } = yield* issuedResult
        const other = yield* issuedResult
        const proposed = createdBody(yield* propose(supplier, projectId))
        const foreign = createdBody(yield* propose(other.supplier, other.projectId))
        const changed = { publicationDigest: foreign.publicationDigest }
        assert.deepStrictEqual(outcome(yield* approve(buyer, proposed, changed)), [409, "PUBLICATION_DIGEST_MISMATCH"])
        for (const publicationId of [foreign.publicationId, `pub_${uuid()}`, "pub_1"]) {
          const named = { ...proposed, publicationId }
          assert.deepStrictEqual(outcome(yield* approve(buyer, named)), [404, "NOT_FOUND"])
          assert.deepStrictEqual(outcome(yield* withdraw(buyer, named)), [404, "NOT_FOUND"])
        }
        assert.strictEqual((yield* approve(buyer, proposed)).status, 200)
      })
    )

    it.effect("Commands on publications are idempotent, and a request id with another body is refused.", () =>
      Effect.gen(function* () {
        const { buyer, supplier, projectId } = yield* issuedResult
        const body = proposalOf()
        const path = `/projects/${projectId}/publications`
        const first = yield* post(supplier, path, body)
        const second = yield* post(supplier, path, body)
        assert.deepStrictEqual([second.status, second.body], [201, { ...first.body, replayed: true }])
        const other = { ...body, title: "Another logo" }
        assert.deepStrictEqual(outcome(yield* post(supplier, path, other)), [409, "REQUEST_ID_CONFLICT"])
        const requestId = uuid()
        const approved = createdBody(yield* approve(buyer, first.body, { requestId }))
        const again = createdBody(yield* approve(buyer, first.body, { requestId }))
        assert.deepStrictEqual(again, { ...approved, replayed: true })
        const withdrawn = createdBody(yield* withdraw(buyer, first.body, { requestId: body.requestId }))
        const withdrawnAgain = yield* withdraw(buyer, first.body, { requestId: body.requestId })
        assert.deepStrictEqual(createdBody(withdrawnAgain), { ...withdrawn, replayed: true })
        // A replay shows the publication as it is now.
        assert.strictEqual(createdBody(yield* approve(buyer, first.body, { requestId })).state, "WITHDRAWN")
        assert.deepStrictEqual(outcome(yield* withdraw(supplier, first.body, { requestId: body.requestId })), [
          409,
          "REQUEST_ID_CONFLICT"
        ])
        assert.lengthOf((yield* publicationsOf(buyer, projectId)).publications, 1)
      })
    )

    it.effect("A proposal needs a title and a summary with visible characters, within their limits.", () =>
      Effect.gen(function* () {
        const { supplier, projectId } = yield* issuedResult
        const before = yield* everyRow
        const bodies = [
          { title: "" },
          { title: "\u200b \u200b" },
          { title: "a".repeat(limits.titleCharacters + 1) },
          { summary: " \n" },
          { summary: "a".repeat(limits.textCharacters + 1) },
          { namesBuyer: undefined },
          { buyerName: "Dana" }
        ]
        for (const body of bodies) {
          const answer = yield* propose(supplier, projectId, body)
          assert.deepStrictEqual(outcome(answer), [400, "INVALID_REQUEST"], JSON.stringify(body))
          assert.strictEqual(answer.body.issues[0].path, Object.keys(body)[0])
        }
        assert.deepStrictEqual((yield* everyRow).publications, before.publications)
        const longest = { title: "ä".repeat(limits.titleCharacters), summary: "€".repeat(limits.textCharacters) }
        assert.strictEqual((yield* propose(supplier, projectId, longest)).status, 201)
      })
    )
  })
})
