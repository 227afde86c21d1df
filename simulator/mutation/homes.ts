/** Mutants of homes: rows that leave their organization, and transactions that write those of two. */
import type { Mutant } from "./mutant.ts"

export const homeMutants: ReadonlyArray<Mutant> = [
  {
    name: "own-agreement-by-tenant",
    says: "An agreement is filed under the tenant of its buyer instead of the organization, apart from the grant that made it.",
    file: "src/projects/new-project.ts",
    text: "buyerOrganizationId: buyer.organizationId,",
    becomes: "buyerOrganizationId: buyer.tenantId,",
    killedBy: ["one home per transaction"],
    scenarios: ["races/agreement-created-once"]
  },
  {
    name: "acceptance-moves-the-proposal",
    says: "An acceptance gives the proposal to the buyer's organization.",
    file: "src/proposals/accept.ts",
    text: "const changes = { projectId, buyerOrganizationId: organizationId }",
    becomes: "const changes = { projectId, buyerOrganizationId: organizationId, organizationId }",
    killedBy: ["one home per transaction"],
    scenarios: ["races/two-acceptances"]
  },
  {
    name: "project-follows-the-supplier",
    says: "An event moves the project to the organization of its supplier.",
    file: "src/projects/history.ts",
    text: "supplierOrganizationId: next.supplier.organizationId ?? row.supplierOrganizationId,",
    becomes: [
      "supplierOrganizationId: next.supplier.organizationId ?? row.supplierOrganizationId,",
      "    buyerOrganizationId: next.supplier.organizationId ?? row.buyerOrganizationId,"
    ].join("\n"),
    killedBy: ["one home per transaction"],
    scenarios: ["races/pause-and-submission"]
  }
]
