/** The caller on a proposal: one interface for agents and people, so that one pipeline serves both. */
import type { Effect } from "effect"
import type { Action, SubjectRequirement } from "../access/actions.ts"
import type { Authority as GrantAuthority } from "../access/authorize.ts"
import type { CallerAuthority as Authority } from "../pipeline/pipeline.ts"
import type { Reader, LockKey } from "../ports/storage.ts"
import type { Actor } from "../projects/event.ts"
import type { Instant } from "../vocabulary/instant.ts"
import type { PartyActor } from "../projects/guard-context.ts"
import type { ProposalPartyIds } from "./proposal.ts"

/** A caller before its authority is read. */
export interface ProposalCaller {
  /** The locks under which its authority is read. */
  readonly locks: ReadonlyArray<LockKey>
  /** The agent's grant, which a creation and an acceptance link to the created proposal or agreement. */
  readonly grantId: string | null
  /** `proposalId` is null for a creation. */
  readonly read: (reader: Reader, proposalId: string | null) => Effect.Effect<CallerAuthority>
}

/** The authority of a caller, as it was read. */
export interface CallerAuthority extends Authority {
  readonly tenantId: string
  /** The refusal for an action that this caller may not perform. */
  readonly forbiddenCode: "FORBIDDEN" | "FORBIDDEN_AGENT_ACTION"
  /** The caller as actor for a side, given the person's recorded side; undefined if it acts for neither. */
  readonly sideOf: (
    proposal: ProposalPartyIds,
    recordedSide: PartyActor["side"] | undefined,
    now: Instant
  ) => PartyActor | undefined
  readonly mayAct: (action: Action | "HANDOFF", now: Instant) => boolean
  /** The actor of events; for a grant with its authority head. */
  readonly actorAs: (by: PartyActor, grant: GrantAuthority["grant"] | undefined) => Actor
  /** The given time, or the start of the authority if that is later. */
  readonly notBefore: (now: Instant) => Instant
  /** The requirements of the grant for everything made under it; undefined for people. */
  readonly subjectRequirements: ReadonlyArray<SubjectRequirement> | undefined
  readonly grant: GrantAuthority["grant"] | undefined
}
