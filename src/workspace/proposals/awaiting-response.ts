/** The proposals that await a person's action. */
import type { Effect } from "effect"
import type { readProfile } from "../../people/profile.ts"
import type { listProposalsAsPerson } from "../../proposals/person-operations.ts"
import { hasNextAction } from "./labels.ts"

export type OwnProposal = Effect.Success<ReturnType<typeof listProposalsAsPerson>>[number]
type Membership = Effect.Success<ReturnType<typeof readProfile>>["memberships"][number]

/** True where the proposal awaits an action of the person's party that the person may take. */
export const awaitsPerson = (
  { state, role, supplier }: OwnProposal,
  memberships: ReadonlyArray<Pick<Membership, "isInForce" | "organizationId" | "authorities">>
): boolean =>
  hasNextAction(state, role) &&
  memberships.some(
    ({ isInForce, organizationId, authorities }) =>
      isInForce &&
      authorities.includes("PROPOSAL_MANAGE") &&
      (organizationId === supplier.organizationId) === (role === "SUPPLIER")
  )
