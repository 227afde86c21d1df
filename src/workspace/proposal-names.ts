/**
 * Whose name shows on the pages of proposals: who acted, to whom it was published, who stands for the supplier, members of
 * one's own organization, and the author's contacts. Anybody else stays an id: nobody learns a name by naming an id.
 */
import { Effect } from "effect"
import type { Role } from "../access/actions.ts"
import { listContacts } from "../people/contacts.ts"
import type { Human } from "../people/human.ts"
import { listMembers } from "../people/memberships.ts"
import { readNames } from "../people/operations.ts"

interface NamedPerson {
  readonly personId: string
  readonly name: string
}

/** The name of a person; of whom none of these is, the id. */
export type NameOf = (personId: string) => string

/** An organization with which a person stands on one side. */
interface OwnSide {
  readonly role: Role
  readonly organizationId: string
}

/** `known` are persons whose name shows to both sides. */
export const readNameOf = Effect.fnUntraced(function* (
  person: Human,
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

/** The same of people who are chosen from. */
export const nameOfAmong = (people: ReadonlyArray<NamedPerson>): NameOf => {
  const names = new Map(people.map(({ personId, name }) => [personId, name]))
  return (personId) => names.get(personId) ?? personId
}

/** A recipient’s own contacts know nobody on a proposal that others wrote. */
const readPeopleOf = Effect.fnUntraced(function* (person: Human, { role, organizationId }: OwnSide) {
  const contacts = role === "SUPPLIER" ? yield* listContacts(person, organizationId) : []
  const people: ReadonlyArray<NamedPerson> = [...contacts, ...(yield* listMembers(person, organizationId))]
  return people
})
