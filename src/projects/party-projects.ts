/** The projects of a person: as a member of a party's organization, or as the named supplier. */
import { Effect } from "effect"
import type { Role } from "../access/actions.ts"
import { parseCanonical } from "../canonical/jcs.ts"
import type { ActingPerson } from "../people/acting-person.ts"
import { inView, readTogether } from "../ports/storage/run.ts"
import type { Reader } from "../ports/storage.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { organizationsOf, readRecordedSide } from "./side-exclusivity.ts"
import type { Pause } from "./pause.ts"
import type { State } from "./project.ts"
import { Projects, ProjectSides, type ProjectRow } from "./store.ts"

/** A project in a person's list. */
export interface PartyProject {
  readonly projectId: string
  readonly role: Role
  /** The organization that the person represents there. */
  readonly organizationId: string | null
  readonly title: string
  readonly state: State
  /** The names in the agreement's terms. */
  readonly buyerName: string
  readonly supplierName: string
  readonly buyerOrganizationId: string
  /** The creator of the project, who represents its buyer. */
  readonly buyerActorId: string
  readonly supplierActorId: string | null
  readonly supplierOrganizationId: string | null
  readonly createdAt: Instant
  readonly automationRevision: number
  readonly pauses: ReadonlyArray<Pause>
}

/** Ordered by id; bounded for each organization and for the person. */
export const listPartyProjects = Effect.fn("projects.listForPerson")(function* (by: ActingPerson) {
  const now = yield* currentTime
  return yield* inView(function* (reader) {
    const organizations = yield* organizationsOf(reader, by.personId, now)
    const found = yield* Effect.forEach([...organizations, by.personId], (party) => projectsOf(reader, party))
    const rows = new Map(found.flat().map(({ row }) => [row.projectId, row]))
    const recordedSide = new Map((found.at(-1) ?? []).map(({ row, role }) => [row.projectId, role]))
    return [...rows.values()].flatMap(
      (row) => partyProjectFor(row, by, organizations, recordedSide.get(row.projectId)) ?? []
    )
  })
})

/** One project of the person. */
export const readPartyProject = Effect.fn("projects.readForPerson")(function* (by: ActingPerson, projectId: string) {
  const now = yield* currentTime
  return yield* inView(function* (reader) {
    const [row, organizations, recordedSide] = yield* readTogether([
      reader.get(Projects, [projectId]),
      organizationsOf(reader, by.personId, now),
      readRecordedSide(reader, projectId, by.personId)
    ])
    const found = row === undefined ? undefined : partyProjectFor(row, by, organizations, recordedSide)
    return found ?? (yield* refuse("FORBIDDEN", { detail: "This person is not a party to the project." }))
  })
})

/**
 * The project with the person's side: the supplier's for the representative, regardless of other memberships; otherwise
 * never another side than the recorded one.
 */
const partyProjectFor = (
  row: ProjectRow,
  { personId }: ActingPerson,
  organizations: ReadonlyArray<string>,
  recordedSide: Role | undefined
): PartyProject | undefined => {
  const { buyerOrganizationId, supplierOrganizationId, supplierActorId } = row
  if (supplierActorId === personId) return partyProjectOf(row, "SUPPLIER", supplierOrganizationId)
  if (recordedSide !== "SUPPLIER" && organizations.includes(buyerOrganizationId)) {
    return partyProjectOf(row, "BUYER", buyerOrganizationId)
  }
  return recordedSide !== "BUYER" && supplierOrganizationId !== null && organizations.includes(supplierOrganizationId)
    ? partyProjectOf(row, "SUPPLIER", supplierOrganizationId)
    : undefined
}

const projectsOf = Effect.fnUntraced(function* (reader: Reader, party: string) {
  const sides = yield* reader.range(ProjectSides, "key", { prefix: [party], limit: limits.projectsListed })
  const rows = yield* readTogether(sides.map(({ projectId }) => reader.get(Projects, [projectId])))
  return rows.flatMap((row, index) => (row === undefined ? [] : [{ row, role: sides[index]!.role }]))
})

const partyProjectOf = (row: ProjectRow, role: Role, organizationId: string | null): PartyProject => {
  const { terms } = parseCanonical(row.agreement)
  return {
    projectId: row.projectId,
    role,
    organizationId,
    title: terms.title,
    state: row.state,
    buyerName: terms.buyerName,
    supplierName: terms.supplierName,
    buyerOrganizationId: row.buyerOrganizationId,
    buyerActorId: row.buyerActorId,
    supplierActorId: row.supplierActorId,
    supplierOrganizationId: row.supplierOrganizationId,
    createdAt: row.createdAt,
    automationRevision: row.automationRevision,
    pauses: row.pauses
  }
}
