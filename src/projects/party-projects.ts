/** The projects of a person: as a member of a party's organization, or as the named supplier. */
import { Effect } from "effect"
import type { Role } from "../access/actions.ts"
import { parseCanonical } from "../canonical/jcs.ts"
import type { ActingPerson } from "../people/acting-person.ts"
import type { PageRequest } from "../ports/storage/page.ts"
import { inReplicaView, inView, readTogether } from "../ports/storage/run.ts"
import { compareText } from "../ports/storage/stored-values.ts"
import type { Reader } from "../ports/storage.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { organizationsOf, readRecordedSide } from "./side-exclusivity.ts"
import type { Pause } from "./pause.ts"
import type { State } from "./project.ts"
import { Projects, ProjectSides, type ProjectRow, type SideRow } from "./store.ts"
import { traced } from "../vocabulary/traced.ts"

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

/** A page of the person's projects, ordered by id. */
export const listPartyProjects = traced("projects.listForPerson")(function* (
  by: ActingPerson,
  { after, limit }: PageRequest<string>
) {
  const now = yield* currentTime
  const { projects, last } = yield* inReplicaView((reader) => readPartyPage(reader, by, { after, limit }, now))
  return { projects, next: last?.projectId ?? null }
})

/** Those of these projects that are shown to the person, in two statements. */
export const readPartyProjects = traced("projects.readSeveralForPerson")(function* (
  by: ActingPerson,
  projectIds: ReadonlyArray<string>
) {
  const now = yield* currentTime
  return yield* inReplicaView(function* (reader) {
    const [organizations, found] = yield* readTogether([
      organizationsOf(reader, by.personId, now),
      readTogether(
        projectIds.map((projectId) =>
          readTogether([reader.get(Projects, [projectId]), readRecordedSide(reader, projectId, by.personId)])
        )
      )
    ])
    return found.flatMap(([row, recordedSide]) =>
      row === undefined ? [] : (partyProjectFor(row, by, organizations, recordedSide) ?? [])
    )
  })
})

/** One project of the person. */
export const readPartyProject = traced("projects.readForPerson")(function* (by: ActingPerson, projectId: string) {
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

/**
 * The projects of all parties of the person after one id. A page may have fewer projects than its limit, since some are
 * not shown to the person; `last` is the place of the next page, and undefined at the end.
 */
const readPartyPage = Effect.fnUntraced(function* (
  reader: Reader,
  by: ActingPerson,
  { after, limit }: PageRequest<string>,
  now: Instant
) {
  const organizations = yield* organizationsOf(reader, by.personId, now)
  const range = { limit: limit + 1, ...(after === undefined ? {} : { after: [after] }) }
  const found = yield* readTogether(
    partiesOf(by, organizations).map((party) => reader.range(ProjectSides, "key", { ...range, prefix: [party] }))
  )
  const sides = new Map(found.flat().map((side) => [side.projectId, side]))
  const inOrder = [...sides.values()].toSorted((one, other) => compareText(one.projectId, other.projectId))
  const items = inOrder.slice(0, limit)
  const projects = yield* readProjectsOfSides(reader, by, organizations, items)
  return { projects: projects.map(({ project }) => project), last: inOrder.length > limit ? items.at(-1) : undefined }
})

/** The parties whose sides a person lists: their own are last, so that the recorded side of the person prevails. */
export const partiesOf = ({ personId }: ActingPerson, organizations: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...organizations,
  personId
]

/** The projects of these sides that are shown to the person, in one statement. */
export const readProjectsOfSides = Effect.fnUntraced(function* (
  reader: Reader,
  by: ActingPerson,
  organizations: ReadonlyArray<string>,
  sides: ReadonlyArray<SideRow>
) {
  const rows = yield* readTogether(sides.map(({ projectId }) => reader.get(Projects, [projectId])))
  return rows.flatMap((row, at) => {
    const { party, role } = sides[at]!
    const recordedSide = party === by.personId ? role : undefined
    const project = row === undefined ? undefined : partyProjectFor(row, by, organizations, recordedSide)
    return row === undefined || project === undefined ? [] : [{ row, project }]
  })
})

/** The project in the list of a party of this role. */
export const partyProjectOf = (row: ProjectRow, role: Role, organizationId: string | null): PartyProject => {
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
