import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { readMembership } from "../../../src/people/acting-person.ts"
import { signIn } from "../../../src/people/sessions.ts"
import { Storage } from "../../../src/ports/storage.ts"
import { createMembership, endMembership } from "../../../src/people/memberships.ts"
import { authorities, type Authority } from "../../../src/people/membership.ts"
import { addMilliseconds, now } from "../../../src/vocabulary/instant.ts"
import { assertRefusal } from "../../support/errors.ts"
import { inAnotherSession } from "../../support/person-requests.ts"
import { makeAgent, uuid } from "../../support/parties.ts"
import { freshTestService, send } from "../../support/service.ts"
import { identityOf, signInNewPerson, type SignedInPerson } from "../../support/sessions.ts"
import { grantInput, createdBody, outcome, post, read } from "../../support/workspace.ts"

const me = (token: string) => send("GET", "/api/agents/v1/me", { token })

const join = Effect.fnUntraced(function* (
  { organizationId }: SignedInPerson,
  { personId }: SignedInPerson,
  held: ReadonlyArray<Authority>
) {
  const validUntil = addMilliseconds(yield* now, 86_400_000)
  return yield* createMembership({ personId, organizationId, authorities: held, validUntil })
})

layer(freshTestService, { excludeTestServices: true })("members of an organization", (it) => {
  it.effect("Members see each other, including ended memberships", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const sam = yield* signInNewPerson("Sam")
      const path = `/organizations/${dana.organizationId}/members`
      assert.deepStrictEqual(outcome(yield* read(sam, path)), [403, "FORBIDDEN"])
      const { membershipId } = yield* join(dana, sam, [])
      const { members } = (yield* read(sam, path)).body
      assert.lengthOf(members, 2)
      const own = members.find((one: any) => one.personId === sam.personId)
      assert.deepInclude(own, { membershipId, name: "Sam", authorities: [], isInForce: true, endedAt: null })
      createdBody(yield* post(dana, `/memberships/${membershipId}/end`))
      const after = (yield* read(dana, path)).body.members.find((one: any) => one.personId === sam.personId)
      assert.isFalse(after.isInForce)
      assert.isNotNull(after.endedAt)
      assert.deepStrictEqual(outcome(yield* read(sam, path)), [403, "FORBIDDEN"])
    })
  )

  it.effect("A membership is ended by its person or by a manager of members, with everything granted under it", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const sam = yield* signInNewPerson("Sam")
      const mia = yield* signInNewPerson("Mia")
      const samMembership = yield* join(dana, sam, ["DELEGATE", "AGREEMENT_CREATE"])
      const miaMembership = yield* join(dana, mia, ["DELEGATE", "AGREEMENT_CREATE"])
      const { token, grantId } = createdBody(yield* post(mia, "/grants", grantInput(dana)))
      assert.strictEqual((yield* me(token)).status, 200)
      const path = `/memberships/${miaMembership.membershipId}/end`
      assert.deepStrictEqual(outcome(yield* post(sam, path)), [403, "FORBIDDEN"])
      const outsider = yield* signInNewPerson("Otto")
      assert.deepStrictEqual(outcome(yield* post(outsider, path)), [404, "UNKNOWN_PARTY"])
      const unknown = yield* post(dana, `/memberships/membership_${uuid()}/end`)
      assert.deepStrictEqual(outcome(unknown), [404, "UNKNOWN_PARTY"])
      const ended = createdBody(yield* post(dana, path))
      assert.strictEqual((yield* me(token)).status, 401)
      assert.isFalse((yield* read(mia, `/grants/${grantId}`)).body.isParentLive)
      assert.deepStrictEqual((yield* post(dana, path)).body, ended)
      assert.deepStrictEqual(outcome(yield* post(mia, "/grants", grantInput(dana))), [404, "UNKNOWN_PARTY"])
      const renewed = yield* post(mia, `/grants/${grantId}/renew`, { requestId: uuid(), expectedGeneration: 1 })
      assert.deepStrictEqual(outcome(renewed), [403, "FORBIDDEN"])
      assert.strictEqual((yield* post(sam, `/memberships/${samMembership.membershipId}/end`)).status, 200)
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("contacts of an organization", (it) => {
  it.effect("Contacts are kept under one reference each", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const sam = yield* signInNewPerson("Sam")
      const path = `/organizations/${dana.organizationId}/contacts`
      const body = { reference: "studio", name: "Sam", personId: sam.personId }
      const first = yield* post(dana, path, body)
      assert.strictEqual(first.status, 201)
      assert.hasAllKeys(first.body, ["contactId", "reference", "name", "personId", "createdAt"])
      const again = yield* post(dana, path, body)
      assert.deepStrictEqual([again.status, again.body], [201, first.body])
      const other = yield* post(dana, path, { ...body, personId: dana.personId })
      assert.deepStrictEqual(outcome(other), [409, "ALREADY_EXISTS"])
      const unknown = yield* post(dana, path, { ...body, reference: "x", personId: `person_${uuid()}` })
      assert.deepStrictEqual(outcome(unknown), [404, "UNKNOWN_PARTY"])
      assert.deepStrictEqual((yield* read(dana, path)).body, { contacts: [first.body] })
      createdBody(yield* post(dana, `${path}/remove`, { reference: "studio" }))
      createdBody(yield* post(dana, `${path}/remove`, { reference: "studio" }))
      assert.deepStrictEqual((yield* read(dana, path)).body, { contacts: [] })
    })
  )

  it.effect("Contacts are managed by members with the authority for it, and seen by members only", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const sam = yield* signInNewPerson("Sam")
      const path = `/organizations/${dana.organizationId}/contacts`
      const body = { reference: "studio", name: "Sam", personId: sam.personId }
      const tries = Effect.gen(function* () {
        return [
          outcome(yield* read(sam, path)),
          outcome(yield* post(sam, path, body)),
          outcome(yield* post(sam, `${path}/remove`, { reference: "studio" }))
        ]
      })
      const no = [403, "FORBIDDEN"]
      assert.deepStrictEqual(yield* tries, [no, no, no])
      yield* join(dana, sam, ["DELEGATE"])
      assert.deepStrictEqual(yield* tries, [[200], no, no])
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("self-service account", (it) => {
  it.effect("A workspace is created at the first sign-in, or later where that had an invitation, once", () =>
    Effect.gen(function* () {
      const max = yield* signIn(yield* identityOf("Max"), { isInvited: true })
      assert.deepInclude((yield* read(max, "/session")).body, { account: null, memberships: [] })
      const answers = yield* Effect.all(
        [1, 2, 3].map(() => post(max, "/account")),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [201, 201, 201]
      )
      const session = (yield* read(max, "/session")).body
      assert.deepStrictEqual(answers[0]!.body, session.account)
      assert.lengthOf(session.memberships, 1)
      assert.deepStrictEqual(session.memberships[0].authorities, authorities)
      const dana = yield* signInNewPerson("Dana")
      assert.deepStrictEqual((yield* post(dana, "/account")).body, { organizationId: dana.organizationId })
    })
  )

  it.effect("Removing an account ends its sessions and grants, and it can be created again", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const elsewhere = yield* inAnotherSession(dana)
      const agents = [yield* makeAgent(dana, "BUYER", []), yield* makeAgent(dana, "SUPPLIER", [])]
      for (const body of [{}, { confirmed: false }, { confirmed: "true" }]) {
        assert.deepStrictEqual(outcome(yield* post(dana, "/account/remove", body)), [400, "INVALID_REQUEST"])
      }
      const removed = yield* post(dana, "/account/remove", { confirmed: true })
      assert.strictEqual(removed.status, 200)
      assert.hasAllKeys(removed.body, ["organizationId", "removedAt"])
      assert.match(removed.cookies[0] ?? "", /^__Host-countersign=; Max-Age=0;/)
      for (const session of [dana, elsewhere]) {
        const answer = yield* read(session, "/session")
        assert.deepStrictEqual(outcome(answer), [401, "SIGN_IN_REQUIRED"])
        assertRefusal(answer)
      }
      for (const { token } of agents) assert.strictEqual((yield* me(token)).status, 401)
      const back = yield* inAnotherSession(dana)
      const session = (yield* read(back, "/session")).body
      assert.isNull(session.account)
      assert.isFalse(session.memberships[0].isInForce)
      const grants = (yield* read(back, "/grants")).body.grants
      assert.deepStrictEqual(
        grants.map(({ state }: any) => state),
        ["REVOKED", "REVOKED"]
      )
      const none = yield* post(back, "/account/remove", { confirmed: true })
      assert.deepStrictEqual(outcome(none), [404, "UNKNOWN_PARTY"])
      const anew = yield* post(back, "/account")
      assert.strictEqual(anew.status, 201)
      assert.notStrictEqual(anew.body.organizationId, dana.organizationId)
    })
  )

  it.effect("An account can be removed after its membership was ended", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const { endedAt } = yield* endMembership("OPERATOR", dana)
      assert.strictEqual((yield* post(dana, "/account/remove", { confirmed: true })).status, 200)
      const storage = yield* Storage
      const membership = yield* storage.view((reader) => readMembership(reader, dana.membershipId))
      assert.strictEqual(membership?.endedAt, endedAt)
    })
  )
})
