/**
 * Which names the pages of proposals show: actors, recipients of publications, the supplier's representative, members
 * of the viewer's organization, and the author's contacts. Any other person is shown by id, so that entering an id
 * never reveals a name.
 */
import { Effect } from "effect"
import type { Role } from "../../access/actions.ts"
import { listContacts } from "../../people/contacts.ts"
import type { ActingPerson } from "../../people/acting-person.ts"
import { listMembersInForce } from "../../people/memberships.ts"
import { readNames } from "../../people/operations.ts"

interface NamedPerson {
  readonly personId: string
  readonly name: string
}

/** The name of a person, or the id where the viewer may not see the name. */
export type NameOf = (personId: string) => string

/** The organization by which a person belongs to a party. */
interface OwnSide {
  readonly role: Role
  readonly organizationId: string
}

/** `known` are persons whose names are visible to both parties. */
export const readNameOf = Effect.fnUntraced(function* (
  person: ActingPerson,
  known: ReadonlyArray<string>,
  own: ReadonlyArray<OwnSide>
) {
  const personIds = [...new Set(known)]
  const [names, ...others] = yield* Effect.all([readNames(personIds), ...own.map((side) => readPeopleOf(person, side))])
  return nameOfAmong([
    ...others.flat(),
    ...personIds.map((personId, index) => ({ personId, name: names[index] ?? personId }))
  ])
})

/** The same for a list of selectable people. */
export const nameOfAmong = (people: ReadonlyArray<NamedPerson>): NameOf => {
  const names = new Map(people.map(({ personId, name }) => [personId, name]))
  return (personId) => names.get(personId) ?? personId
}

/** A recipient's contacts are irrelevant for proposals of another organization. */
const readPeopleOf = Effect.fnUntraced(function* (person: ActingPerson, { role, organizationId }: OwnSide) {
  const contacts = role === "SUPPLIER" ? yield* listContacts(person, organizationId) : []
  const people: ReadonlyArray<NamedPerson> = [...contacts, ...(yield* listMembersInForce(person, organizationId))]
  return people
})
