/** The checks before a project or proposal is added to a grant's scope; `projects/` and `proposals/` implement them. */
import { Context, type Effect } from "effect"
import type { Reader, Transaction } from "../ports/storage.ts"
import type { Refusal } from "../vocabulary/refusals.ts"
import type { Role } from "./actions.ts"

/** One side of a project: the buyer's organization, or the named supplier. */
export interface Side {
  readonly role: Role
  readonly organizationId: string
  readonly personId: string
}

export class ProjectParties extends Context.Service<
  ProjectParties,
  {
    /** True where the project exists and the side is a party of it. */
    isParty(reader: Reader, projectId: string, side: Side): Effect.Effect<boolean>
  }
>()("countersign/access/ProjectParties") {}

export class ProposalParties extends Context.Service<
  ProposalParties,
  {
    /** True where the proposal exists and the side is a party of it. */
    isParty(reader: Reader, proposalId: string, side: Side): Effect.Effect<boolean>
    /** Records on the proposal, whose lock is held, that it is in the grant's scope: refused at the limit. */
    addGrant(
      transaction: Transaction,
      proposalId: string,
      holder: { readonly grantId: string; readonly role: Role; readonly personId: string }
    ): Effect.Effect<void, Refusal<"STATE_CONFLICT">>
  }
>()("countersign/access/ProposalParties") {}
