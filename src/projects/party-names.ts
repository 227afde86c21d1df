/** The parties of projects by the registered names of people and organizations, not those of the agreement. */
import { Effect } from "effect"
import { readOrganization, readPerson } from "../people/operations.ts"
import { inView, readTogether } from "../ports/storage/run.ts"
import type { Reader } from "../ports/storage.ts"
import type { PartyProject } from "./party-projects.ts"
import { traced } from "../vocabulary/traced.ts"

/** Null while unknown: the supplier's first response sets its organization. */
export interface PartyNames {
  readonly personName: string | null
  readonly organizationId: string | null
  readonly organizationName: string | null
}

export interface NamedParties {
  readonly buyer: PartyNames
  readonly supplier: PartyNames
}
export type ProjectWithPartyNames = PartyProject & NamedParties

/** The creator of a project represents its buyer. */
export const addPartyNames = traced("projects.nameParties")(function* <P extends PartyProject>(
  projects: ReadonlyArray<P>
) {
  return yield* inView(function* (reader) {
    const [persons, organizations] = yield* readTogether([
      namesOf(
        reader,
        readPerson,
        projects.flatMap(({ buyerActorId, supplierActorId }) => [buyerActorId, supplierActorId])
      ),
      namesOf(
        reader,
        readOrganization,
        projects.flatMap(({ buyerOrganizationId, supplierOrganizationId }) => [
          buyerOrganizationId,
          supplierOrganizationId
        ])
      )
    ])
    const party = (personId: string | null, organizationId: string | null): PartyNames => ({
      personName: personId === null ? null : (persons.get(personId) ?? personId),
      organizationId,
      organizationName: organizationId === null ? null : (organizations.get(organizationId) ?? organizationId)
    })
    return projects.map((project): P & NamedParties => ({
      ...project,
      buyer: party(project.buyerActorId, project.buyerOrganizationId),
      supplier: party(project.supplierActorId, project.supplierOrganizationId)
    }))
  })
})

/** Of each project the other party by its registered name: its organization, or else its person; null while unknown. */
export const readCounterparties = Effect.fnUntraced(function* (reader: Reader, projects: ReadonlyArray<PartyProject>) {
  const parties = projects.map(({ role, buyerOrganizationId, supplierOrganizationId, supplierActorId }) =>
    role === "SUPPLIER" ? [buyerOrganizationId, null] : [supplierOrganizationId, supplierActorId]
  )
  const [organizations, persons] = yield* readTogether([
    namesOf(
      reader,
      readOrganization,
      parties.map(([organizationId]) => organizationId ?? null)
    ),
    namesOf(
      reader,
      readPerson,
      parties.map(([organizationId, personId]) => (organizationId === null ? (personId ?? null) : null))
    )
  ])
  return parties.map(([organizationId = null, personId = null]) => {
    if (organizationId !== null) return organizations.get(organizationId) ?? organizationId
    return personId === null ? null : (persons.get(personId) ?? personId)
  })
})

/** Reads each id once. */
const namesOf = Effect.fnUntraced(function* <E>(
  reader: Reader,
  read: (reader: Reader, id: string) => Effect.Effect<{ readonly name: string } | undefined, E>,
  ids: ReadonlyArray<string | null>
) {
  const uniqueIds = [...new Set(ids)].filter((id) => id !== null)
  const rows = yield* readTogether(uniqueIds.map((id) => read(reader, id)))
  return new Map(uniqueIds.flatMap((id, index) => (rows[index] === undefined ? [] : [[id, rows[index].name] as const])))
})
