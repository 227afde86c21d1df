/** What access asks of projects before it puts one into a grant's scope; `projects/` supplies it. */
import { Context, type Effect } from "effect"
import type { Reader } from "../ports/storage.ts"
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
