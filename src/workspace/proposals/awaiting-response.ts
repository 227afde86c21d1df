/** The proposals that await a person's action. */
import type { Effect } from "effect"
import type { listProposalsAsPerson } from "../../proposals/person-operations.ts"
import type { Membership } from "../organization/own-membership.ts"
import { hasNextAction } from "./labels.ts"

export type OwnProposal = Effect.Success<ReturnType<typeof listProposalsAsPerson>>[number]

/** True where the proposal awaits an action of the person's party that a person with these memberships may take. */
export const awaitsPerson = (
  { state, role, supplier }: OwnProposal,
  memberships: ReadonlyArray<Pick<Membership, "organizationId" | "authorities">>
): boolean =>
  hasNextAction(state, role) &&
  memberships.some(
    ({ organizationId, authorities }) =>
      authorities.includes("PROPOSAL_MANAGE") && (organizationId === supplier.organizationId) === (role === "SUPPLIER")
  )
