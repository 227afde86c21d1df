import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { removeAccount } from "../../src/access/account.ts"
import { createAccount } from "../../src/people/accounts.ts"
import { membershipsOf, readMembership } from "../../src/people/acting-person.ts"
import { isInForce } from "../../src/people/membership.ts"
import { createMembership, endMembership } from "../../src/people/memberships.ts"
import { acceptMembership, inviteMember } from "../../src/people/invitations.ts"
import { createOrganization } from "../../src/people/operations.ts"
import { endSession, endSessionsOf, openSession, signIn } from "../../src/people/sessions.ts"
import { Organizations, SelfServiceAccounts, Sessions } from "../../src/people/store.ts"
import { rangeAll } from "../../src/ports/storage/range-all.ts"
import { inTransaction, inView } from "../../src/ports/storage/run.ts"
import { exclusive, Storage } from "../../src/ports/storage.ts"
import { nonIdempotentRequest } from "../../src/replay/idempotency.ts"
import { addMilliseconds, now, type Instant } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import type { Refusal } from "../../src/vocabulary/refusals.ts"
import { freshTestService } from "../support/service.ts"
import { identityOf, signInNewPerson } from "../support/sessions.ts"
import { at } from "../support/time.ts"

const noon = "2026-11-21T12:00:00.000Z" as Instant
const hour = 3_600_000
const later = (milliseconds: number) => addMilliseconds(noon, milliseconds)

const codeOf = <A, R>(operation: Effect.Effect<A, Refusal, R>) =>
  Effect.match(operation, { onFailure: ({ code }) => code as string, onSuccess: () => "DONE" })

const opened = (token: string, moment: Instant) => codeOf(openSession(token).pipe(at(moment)))

const membershipsInForce = (personId: string) =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const moment = yield* now
    const memberships = yield* storage.view((reader) => membershipsOf(reader, personId))
    return memberships.filter((membership) => isInForce(membership, moment))
  })

layer(freshTestService, { excludeTestServices: true })("sessions", (it) => {
  it.effect("A session identifies its person until it is signed out", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const { personId, sessionId, name } = yield* openSession(dana.token)
      assert.deepStrictEqual([personId, sessionId, name], [dana.personId, dana.sessionId, "Dana"])
      const ended = yield* endSession(dana)
      assert.deepStrictEqual(yield* endSession(dana), ended)
      assert.strictEqual(yield* codeOf(openSession(dana.token)), "SIGN_IN_REQUIRED")
    })
  )

  it.effect("A session ends after an hour without use, to the millisecond", () =>
    Effect.gen(function* () {
      const { token } = yield* signInNewPerson("Dana").pipe(at(noon))
      assert.strictEqual(yield* opened(token, later(hour - 1)), "DONE")
      // The idle time restarts at that use.
      assert.strictEqual(yield* opened(token, later(2 * hour - 2)), "DONE")
      assert.strictEqual(yield* opened(token, later(3 * hour - 2)), "SIGN_IN_REQUIRED")
    })
  )

  it.effect("A session ends after twelve hours, even in use", () =>
    Effect.gen(function* () {
      const { token } = yield* signInNewPerson("Dana").pipe(at(noon))
      for (let used = hour / 2; used < limits.sessionLifetime; used += hour / 2) {
        assert.strictEqual(yield* opened(token, later(used)), "DONE")
      }
      assert.strictEqual(yield* opened(token, later(limits.sessionLifetime - 1)), "DONE")
      assert.strictEqual(yield* opened(token, later(limits.sessionLifetime)), "SIGN_IN_REQUIRED")
    })
  )

  it.effect("Ended sessions are deleted at the next sign-in, so that a person has few", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana").pipe(at(noon))
      const again = (moment: Instant) => signIn(dana.identity, { isInvited: false }).pipe(at(moment))
      const ended = yield* again(noon)
      yield* endSession(ended).pipe(at(noon))
      yield* again(later(2 * hour))
      const storage = yield* Storage
      const kept = yield* storage.view((reader) => rangeAll(reader, Sessions, "byPerson", { prefix: [dana.personId] }))
      assert.strictEqual(kept.length, 1)
    })
  )

  it.effect("An operator ends all sessions of a person", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const elsewhere = yield* signIn(dana.identity, { isInvited: false })
      yield* endSessionsOf(dana.personId)
      for (const { token } of [dana, elsewhere]) {
        assert.strictEqual(yield* codeOf(openSession(token)), "SIGN_IN_REQUIRED")
      }
      assert.strictEqual(yield* codeOf(endSessionsOf("person_unknown")), "UNKNOWN_PARTY")
    })
  )

  it.effect("A sign-in within a session changes its token, and another person gets another session", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const again = yield* signIn(dana.identity, { current: dana.token, isInvited: false })
      assert.strictEqual(again.sessionId, dana.sessionId)
      assert.strictEqual(yield* codeOf(openSession(dana.token)), "SIGN_IN_REQUIRED")
      const sam = yield* identityOf("Sam")
      const other = yield* signIn(sam, { current: again.token, isInvited: false })
      assert.notStrictEqual(other.personId, dana.personId)
      assert.strictEqual(yield* codeOf(openSession(again.token)), "SIGN_IN_REQUIRED")
      assert.strictEqual(yield* codeOf(openSession(other.token)), "DONE")
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("first sign-in", (it) => {
  it.effect("A first sign-in creates one person and one workspace, also with ten concurrent ones", () =>
    Effect.gen(function* () {
      const identity = yield* identityOf("Dana")
      const signIns = Array.from({ length: 10 }, () => signIn(identity, { isInvited: false }))
      const sessions = yield* Effect.all(signIns, { concurrency: "unbounded" })
      const people = new Set(sessions.map(({ personId }) => personId))
      assert.strictEqual(people.size, 1)
      assert.strictEqual(new Set(sessions.map(({ sessionId }) => sessionId)).size, 10)
      assert.strictEqual((yield* membershipsInForce([...people][0]!)).length, 1)
    })
  )

  it.effect(
    "A first sign-in with a pending invitation creates no workspace; the person can create one later, once",
    () =>
      Effect.gen(function* () {
        const guest = yield* signIn(yield* identityOf("Guest"), { isInvited: true })
        assert.deepStrictEqual(yield* membershipsInForce(guest.personId), [])
        const attempts = Array.from({ length: 5 }, () => createAccount(guest))
        const made = yield* Effect.all(attempts, { concurrency: "unbounded" })
        assert.strictEqual(new Set(made.map(({ organizationId }) => organizationId)).size, 1)
        assert.strictEqual((yield* membershipsInForce(guest.personId)).length, 1)
      })
  )
})

layer(freshTestService, { excludeTestServices: true })("self-service account", (it) => {
  it.effect("Removing an account ends its workspace and every session, and another account can be created", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const elsewhere = yield* signIn(dana.identity, { isInvited: false })
      yield* removeAccount(dana)
      for (const { token } of [dana, elsewhere]) {
        assert.strictEqual(yield* codeOf(openSession(token)), "SIGN_IN_REQUIRED")
      }
      assert.deepStrictEqual(yield* membershipsInForce(dana.personId), [])
      const back = yield* signIn(dana.identity, { isInvited: false })
      const { organizationId } = yield* createAccount(back)
      assert.notStrictEqual(organizationId, dana.organizationId)
    })
  )

  it.effect("Removing an account ends the memberships of all who joined its workspace", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const { organizationId } = dana
      const invite = Effect.gen(function* () {
        const input = { organizationId, authorities: ["DELEGATE" as const, "MEMBERS_MANAGE" as const] }
        const made = yield* inviteMember(dana, yield* nonIdempotentRequest(dana.personId), input)
        return "code" in made ? made.code : ""
      })
      const guests = yield* Effect.forEach(["Sam", "Lee", "Kim"], (name) => signInNewPerson(name))
      const codes = yield* Effect.forEach(guests, () => invite)
      yield* acceptMembership(guests[0]!, codes[0]!)
      // The others accept concurrently with the removal: either ended by it, or refused after it.
      const late = guests.slice(1).map((guest, index) => codeOf(acceptMembership(guest, codes[index + 1]!)))
      yield* Effect.all([...late, codeOf(removeAccount(dana))], { concurrency: "unbounded" })
      for (const { personId } of guests) {
        const left = yield* membershipsInForce(personId)
        assert.isFalse(left.some((membership) => membership.organizationId === organizationId))
      }
    })
  )

  it.effect(
    "Removing an account ends a membership that has expired here, and not yet by a clock two seconds behind",
    () =>
      Effect.gen(function* () {
        const dana = yield* signInNewPerson("Dana").pipe(at(noon))
        const kim = yield* signInNewPerson("Kim").pipe(at(noon))
        const input = { organizationId: dana.organizationId, authorities: [], validUntil: later(60_000) }
        const request = yield* nonIdempotentRequest(dana.personId)
        const made = yield* inviteMember(dana, request, input).pipe(at(noon))
        const { membershipId } = yield* acceptMembership(kim, "code" in made ? made.code : "").pipe(at(noon))
        yield* removeAccount(dana).pipe(at(later(61_900)))
        const membership = yield* inView((reader) => readMembership(reader, membershipId))
        assert.strictEqual(membership?.endedAt, later(61_900))
      })
  )

  it.effect("A workspace remains with its other members where they have ended the owner's membership", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const mia = yield* signInNewPerson("Mia")
      const { organizationId, membershipId } = dana
      const input = { organizationId, authorities: ["DELEGATE" as const, "MEMBERS_MANAGE" as const] }
      const made = yield* inviteMember(dana, yield* nonIdempotentRequest(dana.personId), input)
      yield* acceptMembership(mia, "code" in made ? made.code : "")
      yield* endMembership(mia, { membershipId })
      yield* removeAccount(dana)
      const left = yield* membershipsInForce(mia.personId)
      assert.isTrue(left.some((membership) => membership.organizationId === organizationId))
    })
  )

  it.effect("An account can be created again where an operator ended its membership", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      yield* endMembership("OPERATOR", dana)
      const { organizationId } = yield* createAccount(dana)
      assert.notStrictEqual(organizationId, dana.organizationId)
      assert.deepStrictEqual(yield* createAccount(dana), { organizationId })
    })
  )

  it.effect("A person with 1000 accounts is refused another one, and the open one is found among them", () =>
    Effect.gen(function* () {
      const { personId, sessionId, organizationId, membershipId } = yield* signInNewPerson("Dana")
      const createdAt = yield* now
      yield* inTransaction({ locks: [exclusive("person", personId)] }, (transaction) =>
        Effect.gen(function* () {
          for (let count = 1; count < limits.accountsPerPerson; count++) {
            // Before every id of the service, so that the open account is the last one.
            const row = { organizationId: `organization_ ${count}`, createdAt }
            yield* transaction.insert(Organizations, { ...row, tenantId: `tenant_${count}`, name: "Dana" })
            yield* transaction.insert(SelfServiceAccounts, { ...row, personId, membershipId, removedAt: createdAt })
          }
        })
      )
      const dana = { personId, sessionId }
      assert.deepStrictEqual(yield* createAccount(dana), { organizationId })
      yield* endMembership("OPERATOR", { membershipId })
      const refused = yield* Effect.flip(createAccount(dana))
      assert.strictEqual(refused.code, "STATE_CONFLICT")
      assert.match(String(refused.facts.detail), /^Limit reached: 1000 accounts/)
    })
  )

  it.effect("An account is kept by a process whose clock is behind the start of its membership", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana").pipe(at(noon))
      const { organizationId } = dana
      assert.deepStrictEqual(yield* createAccount(dana).pipe(at(later(-1_000))), { organizationId })
    })
  )

  it.effect("Removing an account ends its membership also where the clock is behind the membership's start", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana").pipe(at(noon))
      yield* removeAccount(dana).pipe(at(later(-1_000)))
      const [membership] = yield* inView((reader) => membershipsOf(reader, dana.personId))
      assert.strictEqual(membership?.endedAt, later(-1_000))
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("memberships of one person", (it) => {
  it.effect("Ten concurrent creations leave one membership of a person in an organization in force", () =>
    Effect.gen(function* () {
      const { personId } = yield* signInNewPerson("Dana")
      const { organizationId } = yield* createOrganization({ name: "Harbor" })
      const validUntil = addMilliseconds(yield* now, hour)
      const attempts = Array.from({ length: 10 }, () =>
        codeOf(createMembership({ personId, organizationId, authorities: ["DELEGATE"], validUntil }))
      )
      const codes = yield* Effect.all(attempts, { concurrency: "unbounded" })
      assert.deepStrictEqual(codes.toSorted(), [...Array(9).fill("ALREADY_EXISTS"), "DONE"])
    })
  )

  it.effect("A process whose clock is behind the start of a membership creates no second one", () =>
    Effect.gen(function* () {
      const { personId } = yield* signInNewPerson("Dana")
      const { organizationId } = yield* createOrganization({ name: "Harbor" })
      const input = { personId, organizationId, authorities: ["DELEGATE" as const], validUntil: later(hour) }
      yield* createMembership(input).pipe(at(noon))
      assert.strictEqual(yield* codeOf(createMembership(input)).pipe(at(later(-1_000))), "ALREADY_EXISTS")
    })
  )

  it.effect("A membership can be created again once it has ended", () =>
    Effect.gen(function* () {
      const { personId } = yield* signInNewPerson("Dana").pipe(at(noon))
      const { organizationId } = yield* createOrganization({ name: "Harbor" })
      const input = { personId, organizationId, authorities: ["DELEGATE" as const], validUntil: later(hour) }
      const first = yield* createMembership(input).pipe(at(noon))
      assert.strictEqual(yield* codeOf(createMembership(input).pipe(at(later(hour - 1)))), "ALREADY_EXISTS")
      const next = { ...input, validUntil: later(2 * hour) }
      const second = yield* createMembership(next).pipe(at(later(hour)))
      assert.notStrictEqual(first.membershipId, second.membershipId)
    })
  )
})
