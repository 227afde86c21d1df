/** Organizations, persons and memberships as an operator lists them, in the order of their ids. */
import { Effect } from "effect"
import { afterId, listingOf, readPage, type PageRequest } from "../ports/storage/page.ts"
import { inView, readTogether } from "../ports/storage/run.ts"
import type { Reader } from "../ports/storage.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { readMembership } from "./acting-person.ts"
import { isInForce } from "./membership.ts"
import { Memberships, Organizations, PersonAddresses, Persons, type Membership } from "./store.ts"

export const listOrganizations = Effect.fn("people.listOrganizations")(function* (page: PageRequest<string>) {
  const found = yield* inView((reader) => readPage(reader, Organizations, "key", { prefix: [] }, afterId(page)))
  return listingOf(found, found.rows, ({ organizationId }) => organizationId)
})

export const showOrganization = Effect.fn("people.showOrganization")(function* (organizationId: string) {
  const found = yield* inView((reader) => reader.get(Organizations, [organizationId]))
  return found ?? (yield* refuseUnknown("organization", organizationId))
})

export const listPersons = Effect.fn("people.listPersons")(function* (page: PageRequest<string>) {
  const found = yield* inView((reader) => readPage(reader, Persons, "key", { prefix: [] }, afterId(page)))
  return listingOf(found, found.rows, ({ personId }) => personId)
})

/** The person with a subject at an issuer, as a list of one or none. */
export const findPersons = Effect.fn("people.findPersons")(function* (issuer: string, subject: string) {
  const found = yield* inView((reader) => reader.find(Persons, "bySubject", [issuer, subject]))
  return { items: found === undefined ? [] : [found], next: null }
})

export const showPerson = Effect.fn("people.showPerson")(function* (personId: string) {
  const [person, address] = yield* inView((reader) =>
    readTogether([reader.get(Persons, [personId]), reader.get(PersonAddresses, [personId])])
  )
  return person === undefined ? yield* refuseUnknown("person", personId) : { ...person, email: address?.email ?? null }
})

export interface MembershipFilter {
  readonly organizationId?: string
  readonly personId?: string
}

/** Memberships of an organization, of a person, or all. */
export const listMemberships = Effect.fn("people.listMemberships")(function* (
  { organizationId, personId }: MembershipFilter,
  page: PageRequest<string>
) {
  const now = yield* currentTime
  return yield* inView(function* (reader) {
    const found = yield* organizationId !== undefined
      ? readPage(reader, Memberships, "byOrganization", { prefix: [organizationId] }, afterId(page))
      : personId !== undefined
        ? readPage(reader, Memberships, "byPerson", { prefix: [personId] }, afterId(page))
        : readPage(reader, Memberships, "key", { prefix: [] }, afterId(page))
    const items = yield* readTogether(found.rows.map((row) => withNames(reader, row, now)))
    return listingOf(found, items, ({ membershipId }) => membershipId)
  })
})

export const showMembership = Effect.fn("people.showMembership")(function* (membershipId: string) {
  const now = yield* currentTime
  return yield* inView(function* (reader) {
    const found = yield* readMembership(reader, membershipId)
    return found === undefined ? yield* refuseUnknown("membership", membershipId) : yield* withNames(reader, found, now)
  })
})

const withNames = Effect.fnUntraced(function* (reader: Reader, row: Membership, now: Instant) {
  const [person, organization] = yield* readTogether([
    reader.get(Persons, [row.personId]),
    reader.get(Organizations, [row.organizationId])
  ])
  const state = isInForce(row, now) ? "IN_FORCE" : row.endedAt === null ? "EXPIRED" : "ENDED"
  return { ...row, state, personName: person?.name ?? null, organizationName: organization?.name ?? null } as const
})

const refuseUnknown = (kind: string, id: string) => refuse("UNKNOWN_PARTY", { detail: `No ${kind} has the id ${id}.` })
