/** The stored row of a project of decision tests. */
import { canonicalText } from "../../src/canonical/jcs.ts"
import type { Project } from "../../src/projects/project.ts"
import { progressColumns } from "../../src/projects/progress.ts"
import { searchTextOf } from "../../src/projects/search-text.ts"
import type { ProjectRow } from "../../src/projects/store.ts"
import { dayOne } from "./project.ts"
import { dana, uuidOf } from "./project-people.ts"

export const rowFor = (project: Project, changes: Partial<ProjectRow> = {}): ProjectRow => ({
  projectId: project.agreement.projectId,
  tenantId: `tenant_${uuidOf(1)}`,
  buyerOrganizationId: project.agreement.buyer.organizationId,
  buyerActorId: dana.personId,
  supplierActorId: project.supplier.actorId,
  supplierOrganizationId: project.supplier.organizationId,
  state: project.state,
  ...progressColumns(project),
  agreement: canonicalText(project.agreement),
  agreementDigest: project.agreementDigest,
  headEventHash: project.head,
  eventCount: project.events.length,
  historyBytes: 1_000,
  lastEventAt: project.events.at(-1)!.occurredAt,
  automationRevision: 3,
  pauses: [],
  supersedesProjectId: null,
  revisionProjectId: null,
  listeners: 0,
  lostHead: project.lostHead,
  searchText: searchTextOf(project.agreement.terms),
  createdAt: dayOne,
  ...changes
})
