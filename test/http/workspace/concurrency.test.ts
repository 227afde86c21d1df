/** An acknowledged revocation is effective also for a request that was authenticated before it and commits after it. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { removeAccount } from "../../../src/access/account.ts"
import { revokeGrant } from "../../../src/access/grants.ts"
import { createAccount } from "../../../src/people/accounts.ts"
import { acceptMembership, inviteMember } from "../../../src/people/invitations.ts"
import { authorities } from "../../../src/people/membership.ts"
import { createMembership, endMembership } from "../../../src/people/memberships.ts"
import { Memberships } from "../../../src/people/store.ts"
import { endSession } from "../../../src/people/sessions.ts"
import { rangeAll } from "../../../src/ports/storage/range-all.ts"
import { inView } from "../../../src/ports/storage/run.ts"
import { nonIdempotentRequest } from "../../../src/replay/idempotency.ts"
import type { HttpApp, Ports } from "../../../src/service.ts"
import { addMilliseconds, now } from "../../../src/vocabulary/instant.ts"
import { BeforeTransactionHook, withBeforeTransactionHook } from "../../support/before-transaction-hook.ts"
import { commandRequests } from "../../support/person-command-requests.ts"
import { personOperations, personRequests, inAnotherSession, sendAs } from "../../support/person-requests.ts"
import { confirmAgreement, creationInput, uuid } from "../../support/parties.ts"
import { everyRow } from "../../support/rows.ts"
import { freshService, postgresStorage, send, testService, type Answer } from "../../support/service.ts"
import { signInNewPerson } from "../../support/sessions.ts"
import { grantInput, createdBody, options, outcome, post } from "../../support/workspace.ts"

const service = Layer.unwrap(
  Effect.map(freshService, (connection) => {
    const storage = withBeforeTransactionHook(postgresStorage(connection))
    return Layer.merge(testService(storage), storage)
  })
)

/** Sends a request, and acts between its authentication and its commit. */
const sendAnd = <A, E, R, R2>(sending: Effect.Effect<Answer, never, R>, act: Effect.Effect<A, E, R2>) =>
  Effect.gen(function* () {
    const { before, hasPassed } = yield* BeforeTransactionHook
    const context = yield* Effect.context<R2>()
    yield* before(Effect.provideContext(Effect.orDie(act), context))
    const answer = yield* sending
    assert.isTrue(yield* hasPassed, "nothing was about to commit")
    return answer
  })

/** Operations without a write. */
const reading = ["readInvitation", "verifyOwnWebhook", "refreshCommerceOrder"]

/** Operations that end the session and do not recheck it. */
const ending = ["signOut"]

layer(service, { excludeTestServices: true })("session ended between authentication and commit", (it) => {
  it.effect("A session ended before the commit refuses every write", () =>
    Effect.gen(function* () {
      const requests = yield* personRequests
      const writes = requests.filter(({ method, operation }) => method === "POST" && !reading.includes(operation))
      for (const request of writes.filter(({ operation }) => !ending.includes(operation))) {
        const { personId, sessionId } = request.by
        const before = yield* everyRow
        const answer = yield* sendAnd(sendAs(request), endSession({ personId, sessionId }))
        assert.deepStrictEqual(outcome(answer), [401, "SIGN_IN_REQUIRED"], request.operation)
        const { sessions: ended, ...rows } = yield* everyRow
        const { sessions, ...earlier } = before
        assert.deepStrictEqual(rows, earlier, request.operation)
        assert.notDeepEqual(ended, sessions, request.operation)
      }
    })
  )

  it.effect("Removing an account refuses writes in the person's other session", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const elsewhere = yield* inAnotherSession(dana)
      const answer = yield* sendAnd(post(dana, "/grants", grantInput(dana)), removeAccount(elsewhere))
      assert.deepStrictEqual(outcome(answer), [401, "SIGN_IN_REQUIRED"])
    })
  )

  it.effect("Removing an account ends a membership that was accepted after its plan in the same transaction.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const kim = yield* signInNewPerson("Kim")
      const { organizationId } = dana
      const made = yield* inviteMember(dana, yield* nonIdempotentRequest(dana.personId), {
        organizationId,
        authorities
      })
      const accepting = acceptMembership(kim, "code" in made ? made.code : "")
      const answer = yield* sendAnd(post(dana, "/account/remove", { confirmed: true }), accepting)
      const { removedAt } = createdBody(answer)
      const joined = yield* inView((reader) => rangeAll(reader, Memberships, "byPerson", { prefix: [kim.personId] }))
      const ends = joined.filter((one) => one.organizationId === organizationId).map(({ endedAt }) => endedAt)
      assert.deepStrictEqual(ends, [removedAt])
    })
  )

  it.effect("An account that was replaced before the removal commits is not removed.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      yield* endMembership("OPERATOR", dana)
      const answer = yield* sendAnd(post(dana, "/account/remove", { confirmed: true }), createAccount(dana))
      assert.deepStrictEqual(outcome(answer), [409, "STATE_CONFLICT"])
    })
  )
})

layer(service, { excludeTestServices: true })("authority ended between authentication and commit", (it) => {
  it.effect.each(["REVOCATION", "MEMBERSHIP", "RENEWAL", "ACCOUNT"] as const)(
    "%s before the commit refuses the command",
    (end) =>
      Effect.gen(function* () {
        const dana = yield* signInNewPerson("Dana")
        const sam = yield* signInNewPerson("Sam")
        const { token, grantId } = createdBody(yield* post(dana, "/grants", grantInput(dana)))
        assert.strictEqual((yield* send("GET", "/api/agents/v1/me", { token })).status, 200)
        const ends: { readonly [End in typeof end]: Effect.Effect<unknown, unknown, HttpApp | Ports> } = {
          REVOCATION: revokeGrant(dana, { grantId }),
          MEMBERSHIP: endMembership(dana, dana),
          ACCOUNT: removeAccount(dana),
          RENEWAL: post(dana, `/grants/${grantId}/renew`, { requestId: uuid(), expectedGeneration: 1 })
        }
        const body = creationInput(sam, yield* confirmAgreement, yield* now)
        const answer = yield* sendAnd(send("POST", "/api/agents/v1/projects", { token, body }), ends[end])
        assert.deepStrictEqual(outcome(answer), [401, "AUTH_INVALID"])
      })
  )

  it.effect("A membership ended before the commit refuses a new grant under it", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const making = post(dana, "/grants", grantInput(dana))
      const answer = yield* sendAnd(making, endMembership("OPERATOR", dana))
      assert.deepStrictEqual(outcome(answer), [403, "FORBIDDEN"])
    })
  )
})

layer(service, { excludeTestServices: true })("membership ended between authentication and commit", (it) => {
  it.effect("A membership ended before the commit refuses every command of its person on an agreement", () =>
    Effect.gen(function* () {
      const people = { buyer: yield* signInNewPerson("Dana"), supplier: yield* signInNewPerson("Sam") }
      const requests = yield* commandRequests(people.buyer, people.supplier)
      const current = new Map(Object.values(people).map((one) => [one.personId, one.membershipId]))
      for (const [operation, by, { body, ...more }] of requests) {
        const path = personOperations.find((one) => one.operation === operation)!.path
        const id = "ids" in more ? more.ids.id : ""
        const before = yield* everyRow
        const membership = { membershipId: current.get(by.personId)! }
        const answer = yield* sendAnd(
          send("POST", path.replace(":id", id), options(by, { body })),
          endMembership("OPERATOR", membership)
        )
        assert.deepStrictEqual(outcome(answer), [403, "FORBIDDEN"], operation)
        const { memberships: _, ...rows } = yield* everyRow
        const { memberships: __, ...earlier } = before
        assert.deepStrictEqual(rows, earlier, operation)
        const { personId, organizationId } = by
        const validUntil = addMilliseconds(yield* now, 86_400_000)
        const renewed = yield* createMembership({ personId, organizationId, authorities, validUntil })
        current.set(personId, renewed.membershipId)
      }
    })
  )
})
