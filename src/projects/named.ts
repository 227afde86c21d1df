/** Who stands on the sides of projects, by the names that people and organizations have here, not in the agreement. */
import { Effect } from "effect"
import { readOrganization, readPerson } from "../people/operations.ts"
import { Storage, type Reader } from "../ports/storage.ts"
import type { SidedProject } from "./sides.ts"

/** Null is what is not known yet: a supplier names its organization with its answer. */
export interface NamedParty {
  readonly personName: string | null
  readonly organizationId: string | null
  readonly organizationName: string | null
}

export type NamedProject = SidedProject & { readonly buyer: NamedParty; readonly supplier: NamedParty }

/** Whoever made a project stands for its buyer. */
export const nameParties = Effect.fn("projects.nameParties")(function* (projects: ReadonlyArray<SidedProject>) {
  const storage = yield* Storage
  return yield* storage.view((reader) =>
    Effect.gen(function* () {
      const [persons, organizations] = yield* Effect.all(
        [
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
        ],
        { concurrency: "unbounded" }
      )
      const party = (personId: string | null, organizationId: string | null): NamedParty => ({
        personName: personId === null ? null : (persons.get(personId) ?? personId),
        organizationId,
        organizationName: organizationId === null ? null : (organizations.get(organizationId) ?? organizationId)
      })
      return projects.map((project): NamedProject => ({
        ...project,
        buyer: party(project.buyerActorId, project.buyerOrganizationId),
        supplier: party(project.supplierActorId, project.supplierOrganizationId)
      }))
    })
  )
})

/** Each is read once, however many projects name it. */
const namesOf = Effect.fnUntraced(function* <E>(
  reader: Reader,
  read: (reader: Reader, id: string) => Effect.Effect<{ readonly name: string } | undefined, E>,
  ids: ReadonlyArray<string | null>
) {
  const known = [...new Set(ids)].filter((id) => id !== null)
  const rows = yield* Effect.forEach(known, (id) => read(reader, id), { concurrency: "unbounded" })
  return new Map(known.flatMap((id, index) => (rows[index] === undefined ? [] : [[id, rows[index].name] as const])))
})
