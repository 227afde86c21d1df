/** Memberships: joining an organization, and ending a membership with all authority under it. */
import { Effect } from "effect"
import { readNewestPage, type NewestPageRequest } from "../ports/storage/newest-page.ts"
import { readListing } from "../ports/storage/page.ts"
import { rangeAll } from "../ports/storage/range-all.ts"
import { inTransaction, inView, readTogether } from "../ports/storage/run.ts"
import { exclusive, shared, type Reader, type Transaction } from "../ports/storage.ts"
import { idSeed } from "../vocabulary/ids.ts"
import { addMilliseconds, earlier as earlierOf, now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
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
import { CurrentMemberships, Memberships, Organizations, Persons, type Membership } from "./store.ts"
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
  const [place, members] = yield* readTogether([
    transaction.get(CurrentMemberships, [personId, organizationId]),
    // Not under their locks: as many more can join at the same time as there are requests in flight.
    membersInForce(transaction.hints, organizationId, now)
  ])
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
  if (members.length >= limits.membersPerOrganization) {
    return yield* refuse("STATE_CONFLICT", {
      detail: `Limit reached: ${limits.membersPerOrganization} members of one organization; one membership must end first.`,
      nextAction: "END_MEMBERSHIP"
    })
  }
  const authorities = [...new Set(membership.authorities)]
  const { validUntil } = membership
  const row = { ...membership, authorities, validFrom: now, endedAt: null, effectiveUntil: validUntil }
  yield* transaction.insert(Memberships, row)
  if (place === undefined) yield* transaction.insert(CurrentMemberships, { personId, organizationId, membershipId })
  else yield* transaction.update(CurrentMemberships, [personId, organizationId], { membershipId })
})

/** For a person who joins an organization for the first time; the caller holds the person. An operator is not limited. */
export const requireRoomForOrganization = Effect.fnUntraced(function* (transaction: Transaction, personId: string) {
  const limit = limits.organizationsPerPerson
  const places = yield* transaction.range(CurrentMemberships, "key", { prefix: [personId], limit })
  if (places.length >= limit) {
    return yield* refuse("STATE_CONFLICT", {
      detail: `Limit reached: ${limit} organizations of one person, including those left; ask the operator.`,
      nextAction: "ASK_OPERATOR"
    })
  }
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
    if (membership.endedAt === null) yield* transaction.update(Memberships, [membershipId], endOf(membership, now))
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
  if (membership?.endedAt === null) {
    yield* transaction.update(Memberships, [membershipId], endOf(membership, endedAt))
  }
})

const endOf = ({ validUntil }: Membership, endedAt: Instant) => ({
  endedAt,
  effectiveUntil: earlierOf(validUntil, endedAt)
})

/**
 * The memberships of an organization that have neither been ended nor expired, by any process's clock: the clocks of two
 * processes differ by twice what one may differ from the database.
 */
export const openMemberships = (reader: Reader, organizationId: string, now: Instant) =>
  Effect.map(membershipsAfter(reader, organizationId, addMilliseconds(now, -2 * limits.clockOffset)), (rows) =>
    rows.filter(({ endedAt }) => endedAt === null).map(({ membershipId }) => membershipId)
  )

const membersInForce = (reader: Reader, organizationId: string, now: Instant) =>
  Effect.map(membershipsAfter(reader, organizationId, now), (rows) => rows.filter((one) => isInForce(one, now)))

/** The memberships that end later than this. */
const membershipsAfter = (reader: Reader, organizationId: string, time: Instant) =>
  // After every id: a membership that ends at this moment has ended.
  rangeAll(reader, Memberships, "byEnd", { prefix: [organizationId], after: [time, "~"] })

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

/** A page of the memberships of an organization, including ended ones, in the order of their ids, for any of its members. */
export const listMembers = traced("people.listMembers")(function* (
  by: ActingPerson,
  organizationId: string,
  after?: string
) {
  const now = yield* currentTime
  return yield* inView(function* (reader) {
    yield* requireMembershipIn(reader, by.personId, organizationId, now)
    const request = { after, limit: limits.entriesListed }
    const page = yield* readListing(reader, Memberships, request, { byOrganization: organizationId })
    return { ...page, items: yield* withNames(reader, page.items, now) }
  })
})

/** A page of the same, those that end last first: before all others those in force. */
export const listMemberPage = traced("people.listMemberPage")(function* (
  by: ActingPerson,
  organizationId: string,
  request: NewestPageRequest
) {
  const now = yield* currentTime
  return yield* inView(function* (reader) {
    yield* requireMembershipIn(reader, by.personId, organizationId, now)
    const source = {
      table: Memberships,
      ranges: [{ index: "byEnd", prefix: [organizationId] }],
      positionOf: ({ effectiveUntil, membershipId }: Membership) => ({ at: effectiveUntil, id: membershipId })
    } as const
    const page = yield* readNewestPage(reader, source, request)
    return { ...page, items: yield* withNames(reader, page.items, now) }
  })
})

/** The members of an organization whose membership is in force, at most `limits.membersPerOrganization`. */
export const listMembersInForce = traced("people.listMembersInForce")(function* (
  by: ActingPerson,
  organizationId: string
) {
  const now = yield* currentTime
  return yield* inView(function* (reader) {
    yield* requireMembershipIn(reader, by.personId, organizationId, now)
    return yield* withNames(reader, yield* membersInForce(reader, organizationId, now), now)
  })
})

/** One membership of an organization, ended or not; one of another organization is reported as unknown. */
export const readMember = traced("people.readMember")(function* (
  by: ActingPerson,
  organizationId: string,
  membershipId: string
) {
  const now = yield* currentTime
  return yield* inView(function* (reader) {
    yield* requireMembershipIn(reader, by.personId, organizationId, now)
    const membership = yield* readMembership(reader, membershipId)
    if (membership?.organizationId !== organizationId) return yield* refuse("NOT_FOUND")
    return (yield* withNames(reader, [membership], now))[0]!
  })
})

const withNames = Effect.fnUntraced(function* (reader: Reader, memberships: ReadonlyArray<Membership>, now: Instant) {
  const persons = yield* readTogether(memberships.map(({ personId }) => reader.get(Persons, [personId])))
  return memberships.map((membership, index) => ({
    ...membership,
    name: persons[index]?.name ?? "",
    isInForce: isInForce(membership, now)
  }))
})
