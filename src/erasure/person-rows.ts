/** The rows that hold a person's name, address or identity, and those that give the person authority. */
import { Effect } from "effect"
import { Grants, type GrantRow } from "../access/store.ts"
import { confers, hasEnded } from "../people/membership.ts"
import {
  type Contact,
  Contacts,
  type Membership,
  Memberships,
  Organizations,
  Persons,
  SelfServiceAccounts
} from "../people/store.ts"
import { rangeAll } from "../ports/storage/range-all.ts"
import { readTogether } from "../ports/storage/run.ts"
import type { Reader } from "../ports/storage.ts"
import { Projects, ProjectSides, type ProjectRow } from "../projects/store.ts"
import type { Instant } from "../vocabulary/instant.ts"
import { refuse, refuseUnknownId } from "../vocabulary/refusals.ts"

export const erasedName = "erased person"
/** No sign-in proves an identity of this issuer; the subject is the person's id. */
export const erasedIssuer = "erased"

export const readPersonRows = Effect.fnUntraced(function* (reader: Reader, personId: string) {
  const person = yield* reader.get(Persons, [personId])
  if (person === undefined) return yield* refuseUnknownId("person", personId)
  const [memberships, grants, accounts, contacts] = yield* readTogether([
    rangeAll(reader, Memberships, "byPerson", { prefix: [personId] }),
    rangeAll(reader, Grants, "byPerson", { prefix: [personId] }),
    rangeAll(reader, SelfServiceAccounts, "byPerson", { prefix: [personId] }),
    contactsOf(reader, personId)
  ])
  const workspaces = yield* readTogether(
    accounts.map(({ organizationId }) => reader.get(Organizations, [organizationId]))
  )
  return {
    person,
    memberships,
    grants,
    contacts,
    /** Workspaces that are called like the person. */
    organizationIds: workspaces.flatMap((row) => (row?.name === person.name ? [row.organizationId] : []))
  }
})

export interface PersonRows {
  readonly person: { readonly personId: string; readonly name: string; readonly issuer: string }
  readonly memberships: ReadonlyArray<Membership>
  readonly grants: ReadonlyArray<GrantRow>
  readonly contacts: ReadonlyArray<Contact>
  readonly organizationIds: ReadonlyArray<string>
}

/** Contacts have no index by person: all of them are read, a page at a time. */
const contactsOf = Effect.fnUntraced(function* (reader: Reader, personId: string) {
  const found: Array<Contact> = []
  let after: string | undefined
  for (;;) {
    const range = { prefix: [], limit: contactsOnPage, ...(after === undefined ? {} : { after: [after] }) }
    const page: ReadonlyArray<Contact> = yield* reader.range(Contacts, "key", range)
    found.push(...page.filter((contact) => contact.personId === personId))
    after = page.at(-1)?.place
    if (page.length < contactsOnPage) return found
  }
})

const contactsOnPage = 500

/** A project must not lose the only person who can act for its supplier, nor an organization its administrator. */
export const requireReplaceable = Effect.fnUntraced(function* (
  reader: Reader,
  { person: { personId }, memberships }: PersonRows,
  now: Instant
) {
  const open = (yield* projectsOf(reader, personId)).find(
    ({ supplierActorId, state }) => supplierActorId === personId && !ended.has(state)
  )
  if (open !== undefined) {
    return yield* refuse("STATE_CONFLICT", {
      detail: `${personId} represents the supplier of ${open.projectId}, which is ${open.state}: hand the project over or end it first.`,
      nextAction: "HAND_PROJECT_OVER"
    })
  }
  const isAdministrator = (one: Membership): boolean =>
    !hasEnded(one, now) && confers(one.authorities, "MEMBERS_MANAGE")
  for (const membership of memberships.filter(isAdministrator)) {
    const { organizationId } = membership
    const all = yield* rangeAll(reader, Memberships, "byOrganization", { prefix: [organizationId] })
    const others = all.filter((one) => one.personId !== personId && !hasEnded(one, now))
    if (others.length > 0 && !others.some(isAdministrator)) {
      return yield* refuse("STATE_CONFLICT", {
        detail: `${personId} is the only member of ${organizationId} with MEMBERS_MANAGE: give it to another member first.`,
        nextAction: "APPOINT_ADMINISTRATOR"
      })
    }
  }
})

/** The states in which a project needs nothing of its supplier any more. */
const ended: ReadonlySet<ProjectRow["state"]> = new Set<ProjectRow["state"]>([
  "SUPPLIER_DECLINED",
  "BUYER_REJECTED",
  "BUYER_CONFIRMED",
  "CONFIRMATION_WITHDRAWN",
  "SUPERSEDED"
])

/** The projects that list this party. */
export const projectsOf = Effect.fnUntraced(function* (reader: Reader, party: string) {
  const sides = yield* rangeAll(reader, ProjectSides, "key", { prefix: [party] })
  const rows = yield* readTogether(sides.map(({ projectId }) => reader.get(Projects, [projectId])))
  return rows.flatMap((row) => row ?? [])
})
