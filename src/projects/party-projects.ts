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
import { limits } from "../vocabulary/limits.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { organizationsOf, readRecordedSide } from "./side-exclusivity.ts"
import type { Pause } from "./pause.ts"
import type { State } from "./project.ts"
import { readNextActionsOf } from "./stored-next-action.ts"
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
  const page = { after: after === undefined ? undefined : [after], limit }
  const { items, last } = yield* inReplicaView((reader) => readPartyPage(reader, by, byId, page, now))
  return { projects: items.map(({ project }) => project), next: last?.projectId ?? null }
})

/** The place of a project in the order of creation, its cursor there. */
export interface CreationCursor {
  readonly createdAt: Instant
  readonly projectId: string
}

/** The newest projects of the person, from which a page names or offers some; of one organization where it is given. */
export const listNewestProjects = traced("projects.listNewestForPerson")(function* (
  by: ActingPerson,
  organizationId?: string
) {
  const now = yield* currentTime
  const page = { after: undefined, limit: limits.projectsListed, organizationId }
  const { items } = yield* inReplicaView((reader) => readPartyPage(reader, by, newestFirst, page, now))
  return items.map(({ project }) => project)
})

/** A project with the next action of the person's side. */
export type ProjectWithNextAction = Effect.Success<ReturnType<typeof listNextActions>>["projects"][number]

/** A page of the person's projects, the newest first, each with its next action for the person's side. */
export const listNextActions = traced("projects.listNextActions")(function* (
  by: ActingPerson,
  { after, limit }: PageRequest<CreationCursor>
) {
  const now = yield* currentTime
  const page = { after: after === undefined ? undefined : [after.createdAt, after.projectId], limit }
  return yield* inReplicaView(function* (reader) {
    const { items, last } = yield* readPartyPage(reader, by, newestFirst, page, now)
    const viewed = items.map(({ row, project }) => ({ row, side: project.role }))
    const nextActions = yield* readNextActionsOf(reader, viewed, now)
    return {
      projects: items.map(({ project }, index) => ({ ...project, nextAction: nextActions[index]! })),
      next: last ?? null
    }
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

/** An order of the projects of a party, which an index of its sides has. */
interface PartyOrder {
  readonly index: "key" | "byCreation"
  readonly direction: "ascending" | "descending"
  readonly cursorOf: (side: SideRow) => ReadonlyArray<string>
}

const byId: PartyOrder = { index: "key", direction: "ascending", cursorOf: ({ projectId }) => [projectId] }

const newestFirst: PartyOrder = {
  index: "byCreation",
  direction: "descending",
  cursorOf: ({ createdAt, projectId }) => [createdAt, projectId]
}

/** A page of the projects of all parties of a person, or of the person and one organization. */
interface PartyPageRequest extends PageRequest<ReadonlyArray<string>> {
  readonly organizationId?: string | undefined
}

/**
 * The projects of the parties after one place. A page may have fewer projects than its limit, since some
 * are not shown to the person; `last` is the place of the next page, and undefined at the end.
 */
const readPartyPage = Effect.fnUntraced(function* (
  reader: Reader,
  by: ActingPerson,
  { index, direction, cursorOf }: PartyOrder,
  { after, limit, organizationId }: PartyPageRequest,
  now: Instant
) {
  const organizations = (yield* organizationsOf(reader, by.personId, now)).filter(
    (one) => organizationId === undefined || one === organizationId
  )
  const range = { direction, limit: limit + 1, ...(after && { after }) }
  const [own, ...others] = yield* readTogether(
    [by.personId, ...organizations].map((party) => reader.range(ProjectSides, index, { ...range, prefix: [party] }))
  )
  const sides = new Map([...others.flat(), ...own!].map((side) => [side.projectId, side]))
  const inOrder = [...sides.values()].toSorted((one, other) => compare(cursorOf(one), cursorOf(other)))
  if (direction === "descending") inOrder.reverse()
  const found = inOrder.slice(0, limit)
  const rows = yield* readTogether(found.map(({ projectId }) => reader.get(Projects, [projectId])))
  const items = rows.flatMap((row, at) => {
    const { party, role } = found[at]!
    const recordedSide = party === by.personId ? role : undefined
    const project = row === undefined ? undefined : partyProjectFor(row, by, organizations, recordedSide)
    return row === undefined || project === undefined ? [] : [{ row, project }]
  })
  const last = inOrder.length > limit ? found.at(-1) : undefined
  return { items, last: last && ({ createdAt: last.createdAt, projectId: last.projectId } satisfies CreationCursor) }
})

/** The order of an index on these texts. */
const compare = (one: ReadonlyArray<string>, other: ReadonlyArray<string>): number => {
  const at = one.findIndex((value, index) => value !== other[index])
  return at < 0 ? 0 : compareText(one[at]!, other[at]!)
}

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
