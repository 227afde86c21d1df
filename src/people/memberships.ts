/** Memberships: joining an organization, and ending a membership with all authority under it. */
import { Effect } from "effect"
import { rangeAll } from "../ports/storage/range-all.ts"
import { inTransaction, inView, readTogether } from "../ports/storage/run.ts"
import { exclusive, shared, type Reader, type Transaction } from "../ports/storage.ts"
import { idSeed } from "../vocabulary/ids.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { refuse } from "../vocabulary/refusals.ts"
import {
  sessionLocks,
  membershipIn,
  readMembership,
  requireAuthority,
  requireSession,
  requireMembershipIn,
  type ActingPerson
} from "./acting-person.ts"
import { hasEnded, isInForce, type Authority } from "./membership.ts"
import { CurrentMemberships, Memberships, Organizations, Persons } from "./store.ts"
import { traced } from "../vocabulary/traced.ts"

export interface NewMembership {
  readonly membershipId: string
  readonly personId: string
  readonly organizationId: string
  readonly tenantId: string
  readonly authorities: ReadonlyArray<Authority>
  readonly validUntil: Instant
}

/** Joins a person to an organization from now until `validUntil`; for an operator. */
export const createMembership = traced("people.createMembership")(function* (input: {
  readonly personId: string
  readonly organizationId: string
  readonly authorities: ReadonlyArray<Authority>
  readonly validUntil: Instant
}) {
  const ids = yield* idSeed
  const membershipId = ids("plan").next("membership")
  const { personId, organizationId } = input
  const seen = yield* inView((reader) => reader.get(CurrentMemberships, [personId, organizationId]))
  return yield* inTransaction(
    { locks: membershipLocks(membershipId, personId, seen?.membershipId) },
    function* (transaction) {
      const [person, organization] = yield* readTogether([
        transaction.get(Persons, [personId]),
        transaction.get(Organizations, [organizationId])
      ])
      const now = yield* transaction.now
      if (person === undefined || organization === undefined) return yield* refuse("UNKNOWN_PARTY")
      const { tenantId } = organization
      yield* insertMembership(transaction, { ...input, membershipId, tenantId }, seen?.membershipId, now)
      return { membershipId }
    }
  )
})

/** The locks of a new membership: its person, itself, and the person's current membership of the organization. */
export const membershipLocks = (membershipId: string, personId: string, earlier: string | undefined) => [
  exclusive("person", personId),
  exclusive("membership", membershipId),
  ...(earlier === undefined ? [] : [shared("membership", earlier)])
]

/** Inserts a membership, unless the current one has not ended. The caller holds `membershipLocks`. */
export const insertMembership = Effect.fnUntraced(function* (
  transaction: Transaction,
  membership: NewMembership,
  earlier: string | undefined,
  now: Instant
) {
  const { personId, organizationId, membershipId } = membership
  const place = yield* transaction.get(CurrentMemberships, [personId, organizationId])
  const inPlace = earlier === undefined ? undefined : yield* readMembership(transaction, earlier)
  // A concurrent insertion has changed the current membership: at most one may be in force.
  if (place?.membershipId !== earlier || (inPlace !== undefined && !hasEnded(inPlace, now))) {
    return yield* refuse("ALREADY_EXISTS", {
      detail: "The person is a member of this organization; end that membership first."
    })
  }
  if (membership.validUntil <= now) {
    return yield* refuse("INVALID_REQUEST", {
      detail: "The validUntil of a membership must be in the future; correct it."
    })
  }
  const authorities = [...new Set(membership.authorities)]
  yield* transaction.insert(Memberships, { ...membership, authorities, validFrom: now, endedAt: null })
  if (place === undefined) yield* transaction.insert(CurrentMemberships, { personId, organizationId, membershipId })
  else yield* transaction.update(CurrentMemberships, [personId, organizationId], { membershipId })
})

export const readCurrentMembership = (reader: Reader, personId: string, organizationId: string) =>
  reader.get(CurrentMemberships, [personId, organizationId])

/**
 * Ends a membership. Once acknowledged, no grant under it is effective. A person needs MEMBERS_MANAGE in the organization,
 * or ends their own; an operator needs neither.
 */
export const endMembership = traced("people.endMembership")(function* (
  by: ActingPerson | "OPERATOR",
  { membershipId }: { readonly membershipId: string }
) {
  const own = by === "OPERATOR" ? undefined : yield* ownMembership(by, membershipId)
  const locks = [
    ...(by === "OPERATOR" ? [] : sessionLocks(by)),
    ...(own === undefined ? [] : [shared("membership", own)]),
    exclusive("membership", membershipId)
  ]
  return yield* inTransaction({ locks, urgent: true }, function* (transaction) {
    const membership = yield* readMembership(transaction, membershipId)
    const now = yield* transaction.now
    if (by !== "OPERATOR") yield* requireSession(transaction, by, now)
    if (membership === undefined) return yield* refuse("UNKNOWN_PARTY")
    if (own !== undefined && own !== membershipId) {
      yield* requireAuthority(transaction, own, ["MEMBERS_MANAGE"], now)
    }
    if (membership.endedAt === null) yield* transaction.update(Memberships, [membershipId], { endedAt: now })
    return { membershipId, endedAt: membership.endedAt ?? now }
  })
})

/** Inside a transaction that holds the membership; an ended one keeps its end. */
export const closeMembership = Effect.fnUntraced(function* (
  transaction: Transaction,
  membershipId: string,
  endedAt: Instant
) {
  const membership = yield* readMembership(transaction, membershipId)
  if (membership?.endedAt === null) yield* transaction.update(Memberships, [membershipId], { endedAt })
})

/** The memberships of an organization that have not been ended. */
export const openMemberships = (reader: Reader, organizationId: string) =>
  Effect.map(rangeAll(reader, Memberships, "byOrganization", { prefix: [organizationId] }), (rows) =>
    rows.filter(({ endedAt }) => endedAt === null).map(({ membershipId }) => membershipId)
  )

/** The caller's membership in the organization of the membership to be ended. */
const ownMembership = Effect.fnUntraced(function* (by: ActingPerson, membershipId: string) {
  const now = yield* currentTime
  return yield* inView(function* (reader) {
    const target = yield* readMembership(reader, membershipId)
    if (target === undefined) return yield* refuse("UNKNOWN_PARTY")
    if (target.personId === by.personId) return membershipId
    // A membership of another organization is reported like one that does not exist.
    const own = yield* membershipIn(reader, by.personId, target.organizationId, now)
    return own === undefined ? yield* refuse("UNKNOWN_PARTY") : own.membershipId
  })
})

/** The members of an organization, including ended ones, for any of its members. */
export const listMembers = traced("people.listMembers")(function* (by: ActingPerson, organizationId: string) {
  const now = yield* currentTime
  return yield* inView(function* (reader) {
    yield* requireMembershipIn(reader, by.personId, organizationId, now)
    const rows = yield* rangeAll(reader, Memberships, "byOrganization", { prefix: [organizationId] })
    const persons = yield* readTogether(rows.map(({ personId }) => reader.get(Persons, [personId])))
    return rows.map((membership, index) => ({
      ...membership,
      name: persons[index]?.name ?? "",
      isInForce: isInForce(membership, now)
    }))
  })
})
