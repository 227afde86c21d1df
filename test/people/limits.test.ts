/** The limits of what people make, and reads of rows in force, whose cost no ended row changes. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { createAccount } from "../../src/people/accounts.ts"
import { onBehalfOf, type ActingPerson } from "../../src/people/acting-person.ts"
import { addContact, removeContact } from "../../src/people/contacts.ts"
import { acceptMembership, inviteMember } from "../../src/people/invitations.ts"
import { createMembership, endMembership, listMembersInForce } from "../../src/people/memberships.ts"
import { createOrganization } from "../../src/people/operations.ts"
import { readMembershipsInForce } from "../../src/people/profile.ts"
import { openSession, signIn } from "../../src/people/sessions.ts"
import {
  Contacts,
  CurrentMemberships,
  Memberships,
  Organizations,
  type Membership,
  type Person
} from "../../src/people/store.ts"
import { inTransaction, inView } from "../../src/ports/storage/run.ts"
import { exclusive } from "../../src/ports/storage.ts"
import { nonIdempotentRequest } from "../../src/replay/idempotency.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import type { Refusal } from "../../src/vocabulary/refusals.ts"
import { bothStores } from "../support/both-stores.ts"
import { Counted, countingService, statementsOf } from "../support/counting-service.ts"
import { uuid } from "../support/parties.ts"
import { identityOf, signInNewPerson, type SignedInPerson } from "../support/sessions.ts"
import { at } from "../support/time.ts"

const refusalOf = <A, R>(operation: Effect.Effect<A, Refusal, R>) =>
  Effect.map(Effect.flip(operation), ({ code, facts }) => [code, facts.detail])

/** Copies of a person's membership with these changes; answers with their ids. */
const copyMembership = Effect.fnUntraced(function* (
  { membershipId }: Pick<SignedInPerson, "membershipId">,
  count: number,
  changes: Partial<Membership> = {}
) {
  const ids = Array.from({ length: count }, () => `membership_${uuid()}`)
  const row = (yield* inView((reader) => reader.get(Memberships, [membershipId])))!
  yield* inTransaction({ locks: ids.map((id) => exclusive("membership", id)) }, (transaction) =>
    Effect.forEach(ids, (id) => transaction.insert(Memberships, { ...row, ...changes, membershipId: id }))
  )
  return ids
})

const membershipOf = Effect.fnUntraced(function* (
  { personId }: Pick<Person, "personId">,
  { organizationId }: Pick<SignedInPerson, "organizationId">
) {
  const validUntil = addMilliseconds(yield* now, 86_400_000)
  return yield* createMembership({ personId, organizationId, authorities: [], validUntil })
})

/** The code of an invitation by a person, who becomes a member of the organization where they are none. */
const invitationOf = Effect.fnUntraced(function* (inviter: SignedInPerson, organizationId: string) {
  if (organizationId !== inviter.organizationId) {
    const validUntil = addMilliseconds(yield* now, 86_400_000)
    yield* createMembership({ personId: inviter.personId, organizationId, authorities: ["MEMBERS_MANAGE"], validUntil })
  }
  const by = onBehalfOf(inviter.personId)
  const invitation = yield* inviteMember(by, yield* nonIdempotentRequest(inviter.personId), {
    organizationId,
    authorities: []
  })
  return "code" in invitation ? invitation.code : assert.fail("the invitation was made before")
})

describe.each(bothStores)("the limits of people %s", (_, service) => {
  layer(service, { excludeTestServices: true })((it) => {
    it.effect("An organization with 1000 members is refused another one until a membership has ended.", () =>
      Effect.gen(function* () {
        const dana = yield* signInNewPerson("Dana")
        const kim = yield* signInNewPerson("Kim")
        const [first] = yield* copyMembership(dana, limits.membersPerOrganization - 1)
        assert.deepStrictEqual(yield* refusalOf(membershipOf(kim, dana)), [
          "STATE_CONFLICT",
          "Limit reached: 1000 members of one organization; one membership must end first."
        ])
        yield* endMembership("OPERATOR", { membershipId: first! })
        assert.isString((yield* membershipOf(kim, dana)).membershipId)
      })
    )

    it.effect(
      "A person who has joined 2000 organizations joins no other by invitation, each of these again, and another by an operator.",
      () =>
        Effect.gen(function* () {
          const dana = yield* signInNewPerson("Dana")
          const { personId, membershipId } = dana
          const createdAt = yield* now
          const ids = Array.from({ length: limits.organizationsPerPerson - 1 }, () => `organization_${uuid()}`)
          yield* inTransaction({ locks: [exclusive("person", personId)] }, (transaction) =>
            Effect.forEach(ids, (organizationId) =>
              Effect.andThen(
                transaction.insert(Organizations, {
                  organizationId,
                  tenantId: `tenant_${uuid()}`,
                  name: "Harbor",
                  createdAt
                }),
                transaction.insert(CurrentMemberships, { personId, organizationId, membershipId })
              )
            )
          )
          const by = onBehalfOf(personId)
          const kim = yield* signInNewPerson("Kim")
          const code = yield* invitationOf(kim, kim.organizationId)
          const [refused, detail] = yield* refusalOf(acceptMembership(by, code))
          assert.strictEqual(refused, "STATE_CONFLICT")
          assert.match(String(detail), /^Limit reached: 2000 organizations of one person/)
          yield* endMembership("OPERATOR", { membershipId })
          assert.isString((yield* acceptMembership(by, yield* invitationOf(kim, ids[0]!))).membershipId)
          assert.isString((yield* membershipOf(dana, yield* createOrganization({ name: "Lumen" }))).membershipId)
          assert.isString((yield* createAccount(by)).organizationId)
        })
    )

    it.effect("An organization with 1000 contacts is refused another one until one is removed.", () =>
      Effect.gen(function* () {
        const { personId, organizationId } = yield* signInNewPerson("Dana")
        const dana = onBehalfOf(personId)
        const add = (reference: string) => addContact(dana, { organizationId, reference, name: "Kim", personId })
        const contact = yield* add("0")
        const references = Array.from({ length: limits.contactsPerOrganization - 1 }, (_, index) => `${index + 1}`)
        const placeOf = (reference: string) => `${organizationId}:${reference}`
        yield* inTransaction(
          { locks: references.map((reference) => exclusive("contact", placeOf(reference))) },
          (transaction) =>
            Effect.forEach(references, (reference) =>
              transaction.insert(Contacts, {
                ...contact,
                place: placeOf(reference),
                reference,
                contactId: `contact_${uuid()}`
              })
            )
        )
        assert.deepStrictEqual(yield* refusalOf(add("another")), [
          "STATE_CONFLICT",
          "Limit reached: 1000 contacts of one organization; remove one first."
        ])
        assert.deepStrictEqual(yield* add("0"), contact)
        yield* removeContact(dana, { organizationId, reference: "0" })
        assert.strictEqual((yield* add("another")).reference, "another")
      })
    )

    it.effect("A sign-in of a person with 100 sessions ends the one that was used the longest time ago.", () =>
      Effect.gen(function* () {
        const start = yield* now
        const identity = yield* identityOf("Dana")
        const signInAt = (minutes: number) =>
          signIn(identity, { isInvited: false }).pipe(at(addMilliseconds(start, minutes * 1_000)))
        const tokens = yield* Effect.forEach(
          Array.from({ length: limits.sessionsPerPerson }, (_, index) => index),
          (index) => Effect.map(signInAt(index), ({ token }) => token)
        )
        const open = (token: string | undefined) => Effect.option(openSession(token)).pipe(at(later))
        const later = addMilliseconds(start, limits.lastUseResolution + limits.sessionsPerPerson * 1_000)
        assert.strictEqual((yield* open(tokens[0]))._tag, "Some")
        yield* signIn(identity, { isInvited: false }).pipe(at(later))
        const kept = yield* Effect.forEach([0, 1, 2, tokens.length - 1], (index) => open(tokens[index]))
        assert.deepStrictEqual(
          kept.map(({ _tag }) => _tag),
          ["Some", "None", "Some", "Some"]
        )
      })
    )
  })
})

layer(countingService, { excludeTestServices: true })("reads of rows in force", (it) => {
  it.effect(
    "1,200 ended and expired memberships add no statement to reads of those in force, and are not among them.",
    () =>
      Effect.gen(function* () {
        const { observed } = yield* Counted
        const dana = yield* signInNewPerson("Dana")
        const by: ActingPerson = onBehalfOf(dana.personId)
        const readBoth = Effect.gen(function* () {
          observed.length = 0
          const members = yield* listMembersInForce(by, dana.organizationId)
          const memberships = yield* readMembershipsInForce(by)
          const ids = [...members, ...memberships].map(({ membershipId }) => membershipId)
          return { ids, statements: statementsOf(observed) }
        })
        const before = yield* readBoth
        assert.deepStrictEqual(before.ids, [dana.membershipId, dana.membershipId])
        const time = yield* now
        yield* copyMembership(dana, 600, { endedAt: time, effectiveUntil: time })
        yield* copyMembership(dana, 600, {
          validFrom: addMilliseconds(time, -2),
          validUntil: time,
          effectiveUntil: time
        })
        assert.deepStrictEqual(yield* readBoth, before)
      })
  )

  it.effect("A membership that the previous version ended is not among those in force.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      yield* copyMembership(dana, 1, { endedAt: yield* now })
      const members = yield* listMembersInForce(onBehalfOf(dana.personId), dana.organizationId)
      assert.deepStrictEqual(
        members.map(({ membershipId }) => membershipId),
        [dana.membershipId]
      )
    })
  )
})
