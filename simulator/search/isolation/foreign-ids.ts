/** The ids that no export of a project may contain. */
import { Organizations } from "../../../src/people/store.ts"
import type { ProjectRow } from "../../../src/projects/store.ts"
import type { WorldFork } from "../world-fork.ts"
import { projectsIn } from "./expected-authorization.ts"

/** Ids of projects that are no version of this one, and of organizations that are no party to it. */
export const foreignIdsOf = (fork: WorldFork, row: ProjectRow): ReadonlyArray<string> => {
  const versions = versionsOf(fork, row)
  const projects = projectsIn(fork).filter(({ projectId }) => !versions.has(projectId))
  const { rows } = fork
  const organizations = rows
    .of(Organizations)
    .filter(({ organizationId }) => ![row.buyerOrganizationId, row.supplierOrganizationId].includes(organizationId))
  return [...projects.map(({ projectId }) => projectId), ...organizations.map(({ organizationId }) => organizationId)]
}

/** A revision and its predecessor refer to each other. */
const versionsOf = (fork: WorldFork, { projectId }: ProjectRow): ReadonlySet<string> => {
  const versions = new Set([projectId])
  const projects = projectsIn(fork)
  for (let known = 0; known < versions.size;) {
    known = versions.size
    for (const one of projects) {
      const named = [one.projectId, one.supersedesProjectId, one.revisionProjectId].filter((id) => id !== null)
      const isKin = one.agreement.includes(projectId) || named.some((id) => versions.has(id))
      if (isKin) for (const id of named) versions.add(id)
    }
  }
  return versions
}
