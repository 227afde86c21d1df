/** The inputs of guards besides the project: the actor, the time, and facts from other rows. */
import type { Role } from "../access/actions.ts"
import type { Instant } from "../vocabulary/instant.ts"

/** The actor of a move: a person for a side, or an agent in that person's name. */
export interface PartyActor {
  readonly personId: string
  readonly side: Role
  readonly isPerson: boolean
}

/** The inputs of a guard besides the project. */
export interface GuardContext {
  readonly by: PartyActor
  readonly now: Instant
  /** True if issuance of the current confirmation's record was requested. */
  readonly isIssuanceRequested: boolean
  readonly relatedFacts: RelatedFacts
}

/** Facts from the versions before and after a project and from the supplier's memberships. */
export interface RelatedFacts {
  /** A revision of these agreed terms waits for the supplier's response. */
  readonly hasOpenRevision: boolean
  /** The agreed project that this revision would supersede is represented by another person now. */
  readonly isRepresentedByAnother: boolean
  /** The sides that paused the agreed project that this revision would supersede. */
  readonly agreedPausedBy: ReadonlyArray<Role>
  /** The supplier's native signer is not a member of the organization that would respond. */
  readonly isSignerMissing: boolean
}

/** The facts of a project without related projects. */
export const noRelatedFacts: RelatedFacts = {
  hasOpenRevision: false,
  isRepresentedByAnother: false,
  agreedPausedBy: [],
  isSignerMissing: false
}
