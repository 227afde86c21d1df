/** The definition of the world in which an exported project continues, with first steps that its parties can take. */
import { Grants } from "../../src/access/store.ts"
import { Memberships, Organizations } from "../../src/people/store.ts"
import type { AnyTable, RowOf } from "../../src/ports/table.ts"
import type { ProjectExport } from "../../src/project-export/export.ts"
import { Projects } from "../../src/projects/store.ts"
import type { StepForm } from "./format/scenario-form.ts"
import type { WorldDefinition } from "./format/scenario.ts"

/** Parties without authority at the time of the export are in the rows, and have no name: they can do nothing. */
export const scenarioOfExport = (
  exported: ProjectExport
): { readonly definition: WorldDefinition; readonly steps: ReadonlyArray<StepForm> } => {
  const { projectId, exportedAt } = exported
  const [project] = rowsOf(exported, Projects)
  if (project === undefined) throw new Error(`the export of ${projectId} has no row of the project`)
  const sideOf = (organizationId: string): string =>
    organizationId === project.buyerOrganizationId ? "buyer" : "supplier"
  const members = rowsOf(exported, Memberships).filter(
    ({ endedAt, validUntil }) => endedAt === null && exportedAt < validUntil
  )
  const grants = rowsOf(exported, Grants).filter(
    ({ revokedAt, expiresAt, membershipId }) =>
      revokedAt === null && exportedAt < expiresAt && members.some((member) => member.membershipId === membershipId)
  )
  const people = numbered(
    members,
    ({ organizationId }) => sideOf(organizationId),
    ({ personId }) => personId
  )
  const agents = numbered(
    grants,
    ({ organizationId }) => `${sideOf(organizationId)}-agent`,
    ({ grantId }) => grantId
  )
  const definition: WorldDefinition = {
    title: `The project ${projectId}, imported`,
    say: "Events before the first step keep the signatures of their installation; later ones are signed by the simulator.",
    seed: 1,
    start: exportedAt,
    given: {
      worker: ["RECORDS"],
      imported: {
        project: exported,
        organizations: numbered(
          rowsOf(exported, Organizations),
          ({ organizationId }) => `${sideOf(organizationId)}-organization`,
          ({ organizationId }) => organizationId
        ),
        people,
        agents
      }
    },
    properties: []
  }
  const steps = [
    ...Object.keys(people).map((as) => ({ as, do: "signIn" })),
    ...Object.keys(people).map((as) => ({ as, do: "readOwnProject", on: "${project}" })),
    ...Object.keys(agents).map((as) => ({ as, do: "readProject", on: "${project}" }))
  ]
  return { definition, steps: steps.length === 0 ? [{ advance: "1s" }] : steps }
}

/** Ids by names such as `buyer-1`; an id has one name. */
const numbered = <Row>(
  rows: ReadonlyArray<Row>,
  prefix: (row: Row) => string,
  idOf: (row: Row) => string
): { readonly [name: string]: string } => {
  const names: { [name: string]: string } = {}
  const counts = new Map<string, number>()
  for (const row of rows) {
    if (Object.values(names).includes(idOf(row))) continue
    const count = (counts.get(prefix(row)) ?? 0) + 1
    counts.set(prefix(row), count)
    names[`${prefix(row)}-${count}`] = idOf(row)
  }
  return names
}

const rowsOf = <T extends AnyTable>({ rows }: ProjectExport, table: T): ReadonlyArray<RowOf<T>> =>
  (rows[table.name] ?? []) as ReadonlyArray<RowOf<T>>
