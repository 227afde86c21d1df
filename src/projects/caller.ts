/** The caller of a command; agents and people share one pipeline. */
import type { Effect } from "effect"
import type { CallerAuthority as Authority } from "../pipeline/pipeline.ts"
import type { Reader, LockKey } from "../ports/storage.ts"
import type { Instant } from "../vocabulary/instant.ts"
import type { Refusal } from "../vocabulary/refusals.ts"
import type { Act } from "./moves.ts"
import type { Command, CommandKind } from "./decide.ts"
import type { Actor } from "./event.ts"
import type { StoredProject } from "./history.ts"
import type { IssuanceRequesterIds } from "./issuance.ts"
import type { PartyActor } from "./guard-context.ts"

/** A caller before the project is read. */
export interface ProjectCaller {
  /** The locks under which its authority is read. */
  readonly locks: ReadonlyArray<LockKey>
  readonly read: (reader: Reader, projectId: string) => Effect.Effect<CallerAuthority>
}

/** The caller's authority, read under its locks. */
export interface CallerAuthority extends Authority {
  /** 403 if this caller represents no side of the project. */
  readonly requireActor: (
    stored: StoredProject,
    now: Instant
  ) => Effect.Effect<ActorOnProject, Refusal<"FORBIDDEN" | "FORBIDDEN_AGENT_ACTION">>
}

/** A caller as actor for its side of one project. */
export interface ActorOnProject {
  readonly by: PartyActor
  readonly organizationId: string
  readonly actor: Actor
  /** The start of the authority; no event under it is earlier. */
  readonly notBefore: Instant
  readonly mayAct: (act: Act | "HANDOFF") => boolean
  /** 401 for a native signature without a recent sign-in. */
  readonly requireRecentSignIn: <K extends CommandKind>(command: Command<K>) => Effect.Effect<void, SignInRefusal<K>>
  readonly issuanceRequester: IssuanceRequesterIds
}

/** The commands by which people sign. */
export type SignInRefusal<K extends CommandKind> = K extends "SIGN" | "REVIEW"
  ? Refusal<"RECENT_SIGN_IN_REQUIRED">
  : never
