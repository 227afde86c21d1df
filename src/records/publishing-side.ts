/** Who may show a result to others: for each side a member with PUBLICATION_MANAGE, for the supplier its representative. */
import type { Role } from "../access/actions.ts"
import { holds, type Validity } from "../people/membership.ts"
import type { ProjectRow } from "../projects/project-row.ts"
import { sideOfMembership } from "../projects/representation.ts"
import type { Instant } from "../vocabulary/instant.ts"

type Member = Validity & { readonly organizationId: string; readonly personId: string }

/** The side for which this membership may share or publish the project's result; undefined for none. */
export const publishingSide = (row: ProjectRow, membership: Member, now: Instant): Role | undefined => {
  const side = sideOfMembership(row, membership, now)
  const isRepresentative = side === "BUYER" || membership.personId === row.supplierActorId
  return isRepresentative && holds(membership, "PUBLICATION_MANAGE", now) ? side : undefined
}
