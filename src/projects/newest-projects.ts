/** The newest projects of a person, for pages: filtered, searched and turned in both directions. */
import { Effect, Schema } from "effect"
import type { Role } from "../access/actions.ts"
import type { ActingPerson } from "../people/acting-person.ts"
import type { MembershipInForce } from "../people/profile.ts"
import { readNewestPage, type NewestPageRequest } from "../ports/storage/newest-page.ts"
import { inReplicaView, readTogether } from "../ports/storage/run.ts"
import type { FilterCondition, RangeFilter, Reader } from "../ports/storage.ts"
import { idOf } from "../vocabulary/ids.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { traced } from "../vocabulary/traced.ts"
import { readCounterparties } from "./party-names.ts"
import { partiesOf, readProjectsOfSides } from "./party-projects.ts"
import type { State } from "./project.ts"
import { searchedText } from "./search-text.ts"
import { organizationsOf } from "./side-exclusivity.ts"
import { readNextActionsOf } from "./stored-next-action.ts"
import { Projects, ProjectSides, type SideRow } from "./store.ts"

/** Which projects are listed; all of the person where nothing is given. */
export interface ProjectFilter {
  readonly states?: ReadonlyArray<State> | undefined
  /** The side on which the person's party is. */
  readonly side?: Role | undefined
  /** The organization that the person represents there; otherwise also projects of the person alone. */
  readonly organizationId?: string | undefined
  /** Part of the title or of a party's name as the terms state them, in any case; or a project id. */
  readonly text?: string | undefined
}

/** The newest projects of the person, from which a page names or offers some; of one organization where it is given. */
export const listNewestProjects = traced("projects.listNewestForPerson")(function* (
  by: ActingPerson,
  organizationId?: string
) {
  const now = yield* currentTime
  const { items } = yield* inReplicaView(function* (reader) {
    const own = yield* organizationsOf(reader, by.personId, now)
    const organizations = own.filter((one) => organizationId === undefined || one === organizationId)
    const parties = partiesOf(by, organizations)
    return yield* readPage(reader, by, organizations, parties, {}, { limit: limits.projectsListed })
  })
  return items.map(({ project }) => project)
})

/** A project with the next action of the person's side, and the registered name of the other party. */
export type ListedProject = Effect.Success<ReturnType<typeof listProjectPage>>["items"][number]

/**
 * A page of the projects of the person with these memberships, the newest first, each with the next action of the person's
 * side: in four statements or fewer, and one more where a side or an organization is chosen. No history is read.
 */
export const listNextActions = traced("projects.listNextActions")(function* (
  by: ActingPerson,
  memberships: ReadonlyArray<MembershipInForce>,
  filter: ProjectFilter,
  request: NewestPageRequest
) {
  const now = yield* currentTime
  return yield* inReplicaView(function* (reader) {
    const page = yield* readFiltered(reader, by, memberships, filter, request)
    const nextActions = yield* readNextActionsIn(reader, page, now)
    return { ...page, items: page.items.map(({ project }, at) => ({ ...project, nextAction: nextActions[at]! })) }
  })
})

/** The same with the registered names of the other parties, in one statement more. */
export const listProjectPage = traced("projects.listPage")(function* (
  by: ActingPerson,
  memberships: ReadonlyArray<MembershipInForce>,
  filter: ProjectFilter,
  request: NewestPageRequest
) {
  const now = yield* currentTime
  return yield* inReplicaView(function* (reader) {
    const page = yield* readFiltered(reader, by, memberships, filter, request)
    const projects = page.items.map(({ project }) => project)
    const [nextActions, counterparties] = yield* readTogether([
      readNextActionsIn(reader, page, now),
      readCounterparties(reader, projects)
    ])
    return {
      ...page,
      items: projects.map((project, at) => ({
        ...project,
        nextAction: nextActions[at]!,
        counterparty: counterparties[at]!
      }))
    }
  })
})

const readFiltered = (
  reader: Reader,
  by: ActingPerson,
  memberships: ReadonlyArray<MembershipInForce>,
  filter: ProjectFilter,
  request: NewestPageRequest
) => {
  const organizations = memberships.map(({ organizationId }) => organizationId)
  const parties = partiesOf(by, organizations).filter(
    (party) => filter.organizationId === undefined || party === filter.organizationId
  )
  return readPage(reader, by, organizations, parties, filter, request)
}

const readNextActionsIn = (reader: Reader, { items }: Effect.Success<ReturnType<typeof readPage>>, now: Instant) =>
  readNextActionsOf(
    reader,
    items.map(({ row, project }) => ({ row, side: project.role })),
    now
  )

/** A page may have fewer projects than its limit: some are not shown to the person, or the person is on the other side. */
const readPage = Effect.fnUntraced(function* (
  reader: Reader,
  by: ActingPerson,
  organizations: ReadonlyArray<string>,
  parties: ReadonlyArray<string>,
  filter: ProjectFilter,
  request: NewestPageRequest
) {
  const matching = matchingOf(filter)
  const page = yield* readNewestPage(
    reader,
    {
      table: ProjectSides,
      ranges: parties.map((party) => ({ index: "byCreation", prefix: [party] }) as const),
      positionOf: ({ createdAt, projectId }: SideRow) => ({ at: createdAt, id: projectId }),
      ...(matching && { matching })
    },
    request
  )
  const { side, organizationId } = filter
  const isNarrowed = side !== undefined || organizationId !== undefined
  const sides = isNarrowed ? yield* withRecordedSides(reader, by, page.items) : page.items
  const found = yield* readProjectsOfSides(reader, by, organizations, sides)
  const items = found.filter(
    ({ project }) =>
      (side === undefined || project.role === side) &&
      (organizationId === undefined || project.organizationId === organizationId)
  )
  return { ...page, items }
})

/** The recorded side of the person prevails, and the filter may have left it out. */
const withRecordedSides = (reader: Reader, { personId }: ActingPerson, sides: ReadonlyArray<SideRow>) =>
  Effect.map(readTogether(sides.map(({ projectId }) => reader.get(ProjectSides, [personId, projectId]))), (recorded) =>
    sides.map((side, at) => recorded[at] ?? side)
  )

const matchingOf = ({ states, side, text = "" }: ProjectFilter): RangeFilter | undefined => {
  const searched = searchedText(text)
  const conditions: ReadonlyArray<FilterCondition> = [
    ...(states === undefined ? [] : [{ column: "state", among: states }]),
    ...(searched === "" ? [] : [isProjectId(searched) ? byId(searched) : { column: "searchText", contains: searched }])
  ]
  const own = side === undefined ? [] : [{ column: "role", among: [side] }]
  const related = conditions.length === 0 ? undefined : { table: Projects, by: "projectId", conditions }
  return own.length === 0 && related === undefined ? undefined : { own, ...(related && { related }) }
}

const isProjectId = Schema.is(idOf("delivery"))

const byId = (projectId: string): FilterCondition => ({ column: "projectId", among: [projectId] })
