/** Who sends a command, as the one pipeline sees an agent and a person alike. */
import type { Effect } from "effect"
import type { Reader, Root } from "../ports/storage.ts"
import type { Instant } from "../vocabulary/instant.ts"
import type { RefusalCode } from "../vocabulary/refusal-rules.ts"
import type { Refused } from "../vocabulary/refusals.ts"
import type { Act } from "./acts.ts"
import type { Command } from "./decide.ts"
import type { Actor } from "./event.ts"
import type { Stored } from "./history.ts"
import type { WishOwner } from "./issuance.ts"
import type { Acting } from "./obstacles.ts"

/** A caller, before anything is known of the project. */
export interface Principal {
  /** The roots under which its authority is read. */
  readonly roots: ReadonlyArray<Root>
  readonly read: (reader: Reader, projectId: string) => Effect.Effect<Standing>
}

/** The authority that was read, by which the project may be looked at. */
export interface Standing {
  readonly personId: string
  readonly organizationId: string
  /** True where the project is in scope: no row of any other is locked or read. */
  readonly reaches: boolean
  /** The refusal of a project out of scope. */
  readonly outside: RefusalCode
  /** 401 where the credential or the session has ended. */
  readonly requireLive: (now: Instant) => Effect.Effect<void, Refused>
  /** 403 where this caller does not act on this project. */
  readonly enter: (stored: Stored, now: Instant) => Effect.Effect<Entered, Refused>
}

/** A caller with its side of one project. */
export interface Entered {
  readonly by: Acting
  readonly organizationId: string
  readonly actor: Actor
  /** What is done under this authority never lies before it. */
  readonly notBefore: Instant
  readonly mayAct: (act: Act | "HANDOFF") => boolean
  /** 401 for a signature where the person did not prove lately who they are. */
  readonly requirePresence: (command: Command) => Effect.Effect<void, Refused>
  readonly wishOwner: WishOwner
}
