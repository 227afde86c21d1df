/** What an administrator does about people: organizations, persons, memberships; and how other parts read them. */
import { Effect } from "effect"
import { exclusive, Storage, type Reader } from "../ports/storage.ts"
import { idSeed } from "../vocabulary/ids.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse, requireText } from "../vocabulary/refusals.ts"
import { isInForce, type Authority } from "./membership.ts"
import { Memberships, Organizations, Persons } from "./store.ts"

/** Makes an organization in a workspace of its own. */
export const createOrganization = Effect.fn("people.createOrganization")(function* (input: { readonly name: string }) {
  yield* requireText("The name", input.name, limits.titleCharacters)
  const storage = yield* Storage
  const ids = yield* idSeed
  return yield* storage.transaction({ roots: [] }, (transaction) =>
    Effect.gen(function* () {
      const createdAt = yield* transaction.now
      const fresh = ids("attempt")
      const organizationId = fresh.next("organization")
      const tenantId = fresh.next("tenant")
      yield* transaction.insert(Organizations, { organizationId, tenantId, name: input.name, createdAt })
      return { organizationId, tenantId }
    })
  )
})

/** A person is `(issuer, subject)`; the same pair again is refused. */
export const createPerson = Effect.fn("people.createPerson")(function* (input: {
  readonly name: string
  readonly issuer: string
  readonly subject: string
}) {
  yield* requireText("The name", input.name, limits.titleCharacters)
  yield* requireText("The issuer", input.issuer, limits.titleCharacters)
  yield* requireText("The subject", input.subject, limits.titleCharacters)
  const storage = yield* Storage
  const ids = yield* idSeed
  return yield* storage.transaction({ roots: [] }, (transaction) =>
    Effect.gen(function* () {
      const known = yield* transaction.find(Persons, "bySubject", [input.issuer, input.subject])
      const createdAt = yield* transaction.now
      if (known !== undefined) return yield* refuse("ALREADY_EXISTS", { detail: "This person is already known." })
      const personId = ids("attempt").next("person")
      yield* transaction.insert(Persons, { personId, ...input, createdAt })
      return { personId }
    })
  )
})

/** Joins a person to an organization from now until `validUntil`. */
export const createMembership = Effect.fn("people.createMembership")(function* (input: {
  readonly personId: string
  readonly organizationId: string
  readonly authorities: ReadonlyArray<Authority>
  readonly validUntil: Instant
}) {
  const storage = yield* Storage
  const ids = yield* idSeed
  const membershipId = ids("plan").next("membership")
  const start = yield* currentTime
  const current = yield* storage.view((reader) => membershipsOf(reader, input.personId))
  if (current.some((one) => one.organizationId === input.organizationId && isInForce(one, start))) {
    return yield* refuse("ALREADY_EXISTS", { detail: "The person is a member of this organization already." })
  }
  return yield* storage.transaction({ roots: [exclusive("membership", membershipId)] }, (transaction) =>
    Effect.gen(function* () {
      const [person, organization] = yield* Effect.all(
        [transaction.get(Persons, [input.personId]), transaction.get(Organizations, [input.organizationId])],
        { concurrency: "unbounded" }
      )
      const now = yield* transaction.now
      if (person === undefined || organization === undefined) return yield* refuse("UNKNOWN_PARTY")
      if (input.validUntil <= now) {
        return yield* refuse("INVALID_REQUEST", { detail: "A membership must end in the future." })
      }
      yield* transaction.insert(Memberships, {
        membershipId,
        tenantId: organization.tenantId,
        organizationId: input.organizationId,
        personId: input.personId,
        authorities: [...new Set(input.authorities)],
        validFrom: now,
        validUntil: input.validUntil,
        endedAt: null
      })
      return { membershipId }
    })
  )
})

/** Ends a membership. When this has answered, no grant under it does anything any more. */
export const endMembership = Effect.fn("people.endMembership")(function* (input: { readonly membershipId: string }) {
  const storage = yield* Storage
  return yield* storage.transaction(
    { roots: [exclusive("membership", input.membershipId)], urgent: true },
    (transaction) =>
      Effect.gen(function* () {
        const membership = yield* transaction.get(Memberships, [input.membershipId])
        const now = yield* transaction.now
        if (membership === undefined) return yield* refuse("UNKNOWN_PARTY")
        if (membership.endedAt === null) {
          yield* transaction.update(Memberships, [input.membershipId], { endedAt: now })
        }
        return { membershipId: input.membershipId, endedAt: membership.endedAt ?? now }
      })
  )
})

/** A person holds few memberships; this many are read at most. */
const membershipsRead = 100

export const membershipsOf = (reader: Reader, personId: string) =>
  reader.range(Memberships, "byPerson", { prefix: [personId], limit: membershipsRead })

export const readMembership = (reader: Reader, membershipId: string) => reader.get(Memberships, [membershipId])

export const readOrganization = (reader: Reader, organizationId: string) => reader.get(Organizations, [organizationId])

export const readPerson = (reader: Reader, personId: string) => reader.get(Persons, [personId])
