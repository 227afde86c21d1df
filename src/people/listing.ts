/** Organizations, persons and memberships as an operator lists them, in the order of their ids. */
import { Effect } from "effect"
import { readListing, type PageRequest } from "../ports/storage/page.ts"
import { inView, readTogether } from "../ports/storage/run.ts"
import type { Reader } from "../ports/storage.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { refuseUnknownId } from "../vocabulary/refusals.ts"
import { readMembership } from "./acting-person.ts"
import { hasEnded } from "./membership.ts"
import { Memberships, Organizations, PersonAddresses, Persons, type Membership } from "./store.ts"
import { traced } from "../vocabulary/traced.ts"

export const listOrganizations = traced("people.listOrganizations")(function* (page: PageRequest<string>) {
  return yield* inView((reader) => readListing(reader, Organizations, page))
})

export const showOrganization = traced("people.showOrganization")(function* (organizationId: string) {
  const found = yield* inView((reader) => reader.get(Organizations, [organizationId]))
  return found ?? (yield* refuseUnknownId("organization", organizationId))
})

export const listPersons = traced("people.listPersons")(function* (page: PageRequest<string>) {
  return yield* inView((reader) => readListing(reader, Persons, page))
})

/** The person with a subject at an issuer, as a list of one or none. */
export const findPersons = traced("people.findPersons")(function* (issuer: string, subject: string) {
  const found = yield* inView((reader) => reader.find(Persons, "bySubject", [issuer, subject]))
  return { items: found === undefined ? [] : [found], next: null }
})

export const showPerson = traced("people.showPerson")(function* (personId: string) {
  const [person, address] = yield* inView((reader) =>
    readTogether([reader.get(Persons, [personId]), reader.get(PersonAddresses, [personId])])
  )
  return person === undefined
    ? yield* refuseUnknownId("person", personId)
    : { ...person, email: address?.email ?? null }
})

export interface MembershipFilter {
  readonly organizationId?: string
  readonly personId?: string
}

/** Memberships of an organization, of a person, or all. */
export const listMemberships = traced("people.listMemberships")(function* (
  { organizationId, personId }: MembershipFilter,
  page: PageRequest<string>
) {
  const now = yield* currentTime
  return yield* inView(function* (reader) {
    const filter = { byOrganization: organizationId, byPerson: personId }
    const found = yield* readListing(reader, Memberships, page, filter)
    return { ...found, items: yield* readTogether(found.items.map((row) => withNames(reader, row, now))) }
  })
})

export const showMembership = traced("people.showMembership")(function* (membershipId: string) {
  const now = yield* currentTime
  return yield* inView(function* (reader) {
    const found = yield* readMembership(reader, membershipId)
    return found === undefined
      ? yield* refuseUnknownId("membership", membershipId)
      : yield* withNames(reader, found, now)
  })
})

const withNames = Effect.fnUntraced(function* (reader: Reader, row: Membership, now: Instant) {
  const [person, organization] = yield* readTogether([
    reader.get(Persons, [row.personId]),
    reader.get(Organizations, [row.organizationId])
  ])
  const state = !hasEnded(row, now) ? "IN_FORCE" : row.endedAt === null ? "EXPIRED" : "ENDED"
  return { ...row, state, personName: person?.name ?? null, organizationName: organization?.name ?? null } as const
})
