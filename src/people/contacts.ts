/** The contacts of an organization: persons under a reference of its own. */
import { Effect } from "effect"
import { rangeAll } from "../ports/storage/range-all.ts"
import { inTransaction, inView, readTogether } from "../ports/storage/run.ts"
import { exclusive, type Reader } from "../ports/storage.ts"
import { idSeed } from "../vocabulary/ids.ts"
import { now as currentTime } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse, requireText } from "../vocabulary/refusals.ts"
import {
  memberLocks,
  requireAuthority,
  requireSession,
  requireMembershipIn,
  type ActingPerson
} from "./acting-person.ts"
import type { Authority } from "./membership.ts"
import { Contacts, Persons } from "./store.ts"
import { traced } from "../vocabulary/traced.ts"

/** Members who prepare or offer agreements manage the contacts. */
const mayManage: ReadonlyArray<Authority> = ["AGREEMENT_CREATE", "PROPOSAL_MANAGE", "MEMBERS_MANAGE"]

const contactKey = (organizationId: string, reference: string): string => `${organizationId}:${reference}`

export interface ContactInput {
  readonly organizationId: string
  readonly reference: string
  readonly name: string
  readonly personId: string
}

/** Adds a person under a reference. Idempotent; another person or name under the reference is refused. */
export const addContact = traced("people.addContact")(function* (by: ActingPerson, input: ContactInput) {
  const { organizationId, reference, name, personId } = input
  yield* requireText("The reference", reference, limits.contactReferenceCharacters)
  yield* requireText("The name", name, limits.titleCharacters)
  const ids = yield* idSeed
  const place = contactKey(organizationId, reference)
  const { membershipId } = yield* memberOf(by, organizationId)
  const locks = [...memberLocks(by, membershipId), exclusive("contact", place)]
  return yield* inTransaction({ locks }, function* (transaction) {
    const [known, person, contacts] = yield* readTogether([
      transaction.get(Contacts, [place]),
      transaction.get(Persons, [personId]),
      // Not under their locks: as many more can be added at the same time as there are requests in flight.
      transaction.hints.range(Contacts, "byOrganization", {
        prefix: [organizationId],
        limit: limits.contactsPerOrganization
      })
    ])
    const now = yield* transaction.now
    yield* requireSession(transaction, by, now)
    yield* requireAuthority(transaction, membershipId, mayManage, now)
    if (person === undefined)
      return yield* refuse("UNKNOWN_PARTY", { detail: "No person has this personId; correct it." })
    if (known?.personId === personId && known.name === name) return known
    if (known !== undefined) {
      return yield* refuse("ALREADY_EXISTS", { detail: "Another contact has this reference; use another reference." })
    }
    if (contacts.length >= limits.contactsPerOrganization) {
      return yield* refuse("STATE_CONFLICT", {
        detail: `Limit reached: ${limits.contactsPerOrganization} contacts of one organization; remove one first.`,
        nextAction: "REMOVE_CONTACT"
      })
    }
    const contactId = ids("attempt").next("contact")
    const contact = { place, contactId, organizationId, reference, name, personId, createdAt: now }
    yield* transaction.insert(Contacts, contact)
    return contact
  })
})

/** Removes a contact; idempotent. */
export const removeContact = traced("people.removeContact")(function* (
  by: ActingPerson,
  { organizationId, reference }: Pick<ContactInput, "organizationId" | "reference">
) {
  const place = contactKey(organizationId, reference)
  const { membershipId } = yield* memberOf(by, organizationId)
  const locks = [...memberLocks(by, membershipId), exclusive("contact", place)]
  return yield* inTransaction({ locks }, function* (transaction) {
    const known = yield* transaction.get(Contacts, [place])
    const now = yield* transaction.now
    yield* requireSession(transaction, by, now)
    yield* requireAuthority(transaction, membershipId, mayManage, now)
    if (known !== undefined) yield* transaction.remove(Contacts, [place])
    return { organizationId, reference }
  })
})

/** The contacts of an organization, for any of its members. */
export const listContacts = traced("people.listContacts")(function* (by: ActingPerson, organizationId: string) {
  const now = yield* currentTime
  return yield* inView(function* (reader) {
    yield* requireMembershipIn(reader, by.personId, organizationId, now)
    return yield* rangeAll(reader, Contacts, "byOrganization", { prefix: [organizationId] })
  })
})

const memberOf = Effect.fnUntraced(function* ({ personId }: ActingPerson, organizationId: string) {
  const now = yield* currentTime
  return yield* inView((reader) => requireMembershipIn(reader, personId, organizationId, now))
})

/** The lock on one reference among the contacts of an organization. */
export const contactLock = (organizationId: string, reference: string) =>
  exclusive("contact", contactKey(organizationId, reference))

/** The person under exactly this reference of an organization; undefined where there is none. */
export const contactPerson = (reader: Reader, organizationId: string, reference: string) =>
  Effect.map(reader.get(Contacts, [contactKey(organizationId, reference)]), (contact) => contact?.personId)
