/** Who writes, publishes or answers a proposal, as the one pipeline sees an agent and a person alike. */
import type { Effect } from "effect"
import type { Action, SubjectRequirement } from "../access/actions.ts"
import type { Authority } from "../access/authorize.ts"
import type { Reader, Root } from "../ports/storage.ts"
import type { Actor } from "../projects/event.ts"
import type { Instant } from "../vocabulary/instant.ts"
import type { RefusalCode } from "../vocabulary/refusal-rules.ts"
import type { Refused } from "../vocabulary/refusals.ts"
import type { Acting } from "./obstacles.ts"
import type { Sides } from "./proposal.ts"

/** A caller, before anything is known of the proposal. */
export interface Principal {
  /** The roots under which its authority is read. */
  readonly roots: ReadonlyArray<Root>
  /** The grant of an agent, which a creation and an acceptance link to what they make. */
  readonly grantId: string | null
  /** `null` where the proposal is yet to be made. */
  readonly read: (reader: Reader, proposalId: string | null) => Effect.Effect<Standing>
}

/** The authority that was read. */
export interface Standing {
  readonly personId: string
  readonly organizationId: string
  readonly tenantId: string
  /** True where the proposal may be looked at: no row of any other is locked or read. */
  readonly reaches: boolean
  /** The refusal of a proposal out of scope. */
  readonly outside: RefusalCode
  /** The refusal of what this caller may not do. */
  readonly forbidden: RefusalCode
  /** 401 where the credential or the session has ended. */
  readonly requireLive: (now: Instant) => Effect.Effect<void, Refused>
  /** The side on which this caller stands, by the side that the person took before; undefined where on none. */
  readonly sideOf: (proposal: Sides, taken: Acting["side"] | undefined, now: Instant) => Acting | undefined
  readonly mayAct: (action: Action | "HANDOFF", now: Instant) => boolean
  /** As the events name it; a grant as of its authority head. */
  readonly actorAs: (by: Acting, grant: Authority["grant"] | undefined) => Actor
  /** What is done under this authority never lies before it. */
  readonly notBefore: (now: Instant) => Instant
  /** What binds everything made under a grant; absent for people. */
  readonly subjectRequirements: ReadonlyArray<SubjectRequirement> | undefined
  readonly grant: Authority["grant"] | undefined
}
