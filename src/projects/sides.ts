/** The projects that a person stands on a side of: as a member of either organization, or as the named supplier. */
import { Effect } from "effect"
import type { Role } from "../access/actions.ts"
import type { Human } from "../people/human.ts"
import { Storage, type Reader } from "../ports/storage.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse } from "../vocabulary/refusals.ts"
import type { Agreement } from "./agreement.ts"
import { organizationsOf, readTakenSide } from "./one-side.ts"
import type { Pause } from "./pause.ts"
import type { State } from "./project.ts"
import { Projects, ProjectSides, type ProjectRow } from "./store.ts"

/** A project as a list for people shows it. */
export interface SidedProject {
  readonly projectId: string
  readonly role: Role
  /** The organization for which the person stands there. */
  readonly organizationId: string | null
  readonly title: string
  readonly state: State
  /** The names are the agreement's own words. */
  readonly buyerName: string
  readonly supplierName: string
  readonly buyerOrganizationId: string
  /** Who made the project, and stands for its buyer. */
  readonly buyerActorId: string
  readonly supplierActorId: string | null
  readonly supplierOrganizationId: string | null
  readonly createdAt: Instant
  readonly automationRevision: number
  readonly pauses: ReadonlyArray<Pause>
}

/** In the order of ids, of each organization and of the person at most so many. */
export const listProjects = Effect.fn("projects.listForPerson")(function* (by: Human) {
  const storage = yield* Storage
  const now = yield* currentTime
  return yield* storage.view((reader) =>
    Effect.gen(function* () {
      const organizations = yield* organizationsOf(reader, by.personId, now)
      const found = yield* Effect.forEach([...organizations, by.personId], (party) => projectsOf(reader, party))
      const rows = new Map(found.flat().map(({ row }) => [row.projectId, row]))
      const taken = new Map((found.at(-1) ?? []).map(({ row, role }) => [row.projectId, role]))
      return [...rows.values()].flatMap((row) => sidedFor(row, by, organizations, taken.get(row.projectId)) ?? [])
    })
  )
})

/** One of them. */
export const readSidedProject = Effect.fn("projects.readForPerson")(function* (by: Human, projectId: string) {
  const storage = yield* Storage
  const now = yield* currentTime
  return yield* storage.view((reader) =>
    Effect.gen(function* () {
      const [row, organizations, taken] = yield* Effect.all(
        [
          reader.get(Projects, [projectId]),
          organizationsOf(reader, by.personId, now),
          readTakenSide(reader, projectId, by.personId)
        ],
        { concurrency: "unbounded" }
      )
      const found = row === undefined ? undefined : sidedFor(row, by, organizations, taken)
      return found ?? (yield* refuse("FORBIDDEN", { detail: "This person is no party of the project." }))
    })
  )
})

/**
 * The side on which a person stands; the representative is the supplier, whatever else they are a member of, and whoever
 * took a side stands on no other.
 */
const sidedFor = (
  row: ProjectRow,
  { personId }: Human,
  organizations: ReadonlyArray<string>,
  taken: Role | undefined
): SidedProject | undefined => {
  const { buyerOrganizationId, supplierOrganizationId, supplierActorId } = row
  if (supplierActorId === personId) return sided(row, "SUPPLIER", supplierOrganizationId)
  if (taken !== "SUPPLIER" && organizations.includes(buyerOrganizationId)) {
    return sided(row, "BUYER", buyerOrganizationId)
  }
  return taken !== "BUYER" && supplierOrganizationId !== null && organizations.includes(supplierOrganizationId)
    ? sided(row, "SUPPLIER", supplierOrganizationId)
    : undefined
}

const projectsOf = Effect.fnUntraced(function* (reader: Reader, party: string) {
  const sides = yield* reader.range(ProjectSides, "key", { prefix: [party], limit: limits.projectsRead })
  const rows = yield* Effect.forEach(sides, ({ projectId }) => reader.get(Projects, [projectId]), {
    concurrency: "unbounded"
  })
  return rows.flatMap((row, index) => (row === undefined ? [] : [{ row, role: sides[index]!.role }]))
})

const sided = (row: ProjectRow, role: Role, organizationId: string | null): SidedProject => {
  const { terms } = JSON.parse(row.agreement) as Agreement
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
