import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { authorities } from "../../src/people/membership.ts"
import { createMembership, endMembership } from "../../src/people/memberships.ts"
import { listPublicationsToApprove } from "../../src/publications/operations.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { BeforeTransactionHook, withBeforeTransactionHook } from "../support/before-transaction-hook.ts"
import { agreementWithRecord, joinOrganization } from "../support/issued-records.ts"
import { makeAgent, uuid } from "../support/parties.ts"
import { commandAsPerson, personCommandBody, readProjectAsPerson } from "../support/person-commands.ts"
import {
  approve,
  contest,
  dismissConcern,
  issuedResult,
  proposalOf,
  propose,
  publicationsOf,
  withdraw
} from "../support/publications.ts"
import { everyRow } from "../support/rows.ts"
import { freshService, freshTestService, postgresStorage, send, siteUrl, testService } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { createdBody, outcome, read } from "../support/workspace.ts"

const forbidden = [403, "FORBIDDEN"]

layer(freshTestService, { excludeTestServices: true })("the authorization of publications", (it) => {
  it.effect("Each side makes its own move, with PUBLICATION_MANAGE, and the supplier by its representative.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, projectId } = yield* issuedResult
      const publisher = yield* joinOrganization(buyer, "Mia", ["PUBLICATION_MANAGE"])
      const others = authorities.filter((one) => one !== "PUBLICATION_MANAGE")
      const reviewer = yield* joinOrganization(buyer, "Max", others)
      const colleague = yield* joinOrganization(supplier, "Kim")
      const unrelated = yield* signInNewPerson("Oona")
      for (const person of [buyer, publisher, reviewer, colleague, unrelated]) {
        assert.deepStrictEqual(outcome(yield* propose(person, projectId)), forbidden)
      }
      const proposed = createdBody(yield* propose(supplier, projectId))
      for (const person of [supplier, reviewer, colleague, unrelated]) {
        assert.deepStrictEqual(outcome(yield* approve(person, proposed)), forbidden)
      }
      for (const person of [reviewer, colleague, unrelated]) {
        assert.deepStrictEqual(outcome(yield* withdraw(person, proposed)), forbidden)
      }
      // Every member of a side sees the publications, and what they may do with them.
      const actionsOf = (person: typeof buyer) =>
        Effect.map(publicationsOf(person, projectId), ({ publications }) => publications[0].availableActions)
      assert.deepStrictEqual(yield* actionsOf(reviewer), [])
      assert.deepStrictEqual(yield* actionsOf(colleague), [])
      assert.deepStrictEqual(yield* actionsOf(publisher), ["APPROVE", "WITHDRAW"])
      assert.deepStrictEqual(yield* actionsOf(supplier), ["WITHDRAW"])
      assert.deepStrictEqual(outcome(yield* read(unrelated, `/projects/${projectId}/publications`)), forbidden)
      assert.strictEqual((yield* approve(publisher, proposed)).status, 200)
    })
  )

  it.effect("A former representative can neither propose nor withdraw; the new one can.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, projectId } = yield* issuedResult
      const proposed = createdBody(yield* propose(supplier, projectId))
      const successor = yield* joinOrganization(supplier, "Mia")
      const renamed = { reason: "Mia continues.", supplierActorId: successor.personId }
      const body = personCommandBody(yield* readProjectAsPerson(supplier, projectId), renamed)
      createdBody(yield* commandAsPerson(supplier, projectId, "change-representative", body))
      assert.deepStrictEqual(outcome(yield* withdraw(supplier, proposed)), forbidden)
      assert.strictEqual((yield* withdraw(successor, proposed)).status, 200)
      assert.deepStrictEqual(outcome(yield* propose(supplier, projectId)), forbidden)
      assert.strictEqual((yield* propose(successor, projectId)).status, 201)
      assert.lengthOf((yield* publicationsOf(buyer, projectId)).publications, 2)
    })
  )

  it.effect("An agent's token and a missing session are no credential for publications.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, projectId } = yield* issuedResult
      const before = (yield* everyRow).publications
      const supplierAgent = yield* makeAgent(supplier, "SUPPLIER", ["SUBMIT_MATERIALS"], [projectId])
      const path = `/api/workspace/projects/${projectId}/publications`
      for (const token of [supplierAgent.token, undefined]) {
        const options = { ...(token === undefined ? {} : { token }), headers: { origin: siteUrl } }
        for (const answer of [
          yield* send("POST", path, { ...options, body: proposalOf() }),
          yield* send("GET", path, options),
          yield* send("POST", `${path}/pub_${uuid()}/approve`, { ...options, body: {} }),
          yield* send("POST", `${path}/pub_${uuid()}/withdraw`, { ...options, body: {} })
        ]) {
          assert.deepStrictEqual(outcome(answer), [401, "SIGN_IN_REQUIRED"])
        }
      }
      assert.deepStrictEqual((yield* everyRow).publications, before)
      assert.deepStrictEqual((yield* publicationsOf(buyer, projectId)).publications, [])
    })
  )

  it.effect("A person who approved for the buyer can never act for the supplier.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, projectId } = yield* issuedResult
      const proposed = createdBody(yield* propose(supplier, projectId))
      const mia = yield* joinOrganization(buyer, "Mia")
      createdBody(yield* approve(mia, proposed))
      yield* endMembership("OPERATOR", mia)
      const { organizationId } = supplier
      const validUntil = addMilliseconds(yield* now, 86_400_000)
      yield* createMembership({ personId: mia.personId, organizationId, authorities, validUntil })
      const renamed = { reason: "Mia continues.", supplierActorId: mia.personId }
      const body = personCommandBody(yield* readProjectAsPerson(supplier, projectId), renamed)
      const answer = yield* commandAsPerson(supplier, projectId, "change-representative", body)
      assert.deepStrictEqual(outcome(answer), [409, "SAME_PARTY"])
      assert.deepStrictEqual(outcome(yield* withdraw(mia, proposed)), forbidden)
    })
  )

  it.effect(
    "A proposed publication waits for each person who can approve it, while the buyer's acceptance holds.",
    () =>
      Effect.gen(function* () {
        const result = yield* issuedResult
        const { buyer, supplier, projectId } = result
        const publisher = yield* joinOrganization(buyer, "Mia", ["PUBLICATION_MANAGE"])
        const reviewer = yield* joinOrganization(buyer, "Max", ["DELIVERY_REVIEW"])
        const waiting = Effect.forEach([buyer, publisher, reviewer, supplier], (person) =>
          Effect.map(listPublicationsToApprove(person), (found) => found.map(({ publicationId }) => publicationId))
        )
        assert.deepStrictEqual(yield* waiting, [[], [], [], []])
        const { publicationId, projection, ...proposed } = createdBody(yield* propose(supplier, projectId))
        assert.deepStrictEqual(yield* waiting, [[publicationId], [publicationId], [], []])
        const [found] = yield* listPublicationsToApprove(buyer)
        assert.deepStrictEqual(found, {
          publicationId,
          projectId,
          title: "A logo",
          subject: projection.subject,
          proposedAt: proposed.proposedBy.at
        })
        yield* contest(result)
        assert.deepStrictEqual(yield* waiting, [[], [], [], []])
        yield* dismissConcern(result)
        assert.deepStrictEqual(yield* waiting, [[publicationId], [publicationId], [], []])
        createdBody(yield* approve(buyer, { ...proposed, publicationId }))
        assert.deepStrictEqual(yield* waiting, [[], [], [], []])
      })
  )

  it.effect(
    "A proposal of a supplier who is also a member of the buyer does not wait for its own representative.",
    () =>
      Effect.gen(function* () {
        const { buyer, supplier, projectId } = yield* issuedResult
        const validUntil = addMilliseconds(yield* now, 86_400_000)
        const { organizationId } = buyer
        yield* createMembership({ personId: supplier.personId, organizationId, authorities, validUntil })
        const proposed = createdBody(yield* propose(supplier, projectId))
        assert.deepStrictEqual(yield* listPublicationsToApprove(supplier), [])
        assert.deepStrictEqual(outcome(yield* approve(supplier, proposed)), forbidden)
        assert.lengthOf(yield* listPublicationsToApprove(buyer), 1)
      })
  )
})

const interleaved = Layer.unwrap(
  Effect.map(freshService, (connection) => {
    const storage = withBeforeTransactionHook(postgresStorage(connection))
    return Layer.merge(testService(storage), storage)
  })
)

layer(interleaved, { excludeTestServices: true })("changes before the commit of a command on a publication", (it) => {
  it.effect("A membership that ended before the commit can neither propose nor approve nor withdraw.", () =>
    Effect.gen(function* () {
      const { before, hasPassed } = yield* BeforeTransactionHook
      const { buyer, supplier, projectId } = yield* issuedResult
      const proposed = createdBody(yield* propose(supplier, projectId))
      for (const command of [approve, withdraw]) {
        const mia = yield* joinOrganization(buyer, "Mia")
        const context = yield* Effect.context<Effect.Services<ReturnType<typeof endMembership>>>()
        yield* before(Effect.provideContext(Effect.orDie(endMembership("OPERATOR", mia)), context))
        assert.deepStrictEqual(outcome(yield* command(mia, proposed)), forbidden)
        assert.isTrue(yield* hasPassed)
      }
      const other = yield* agreementWithRecord({ buyer, supplier })
      const context = yield* Effect.context<Effect.Services<ReturnType<typeof endMembership>>>()
      yield* before(Effect.provideContext(Effect.orDie(endMembership("OPERATOR", supplier)), context))
      assert.deepStrictEqual(outcome(yield* propose(supplier, other)), forbidden)
    })
  )
})
