/** The context of a command that has passed its guards, inside its transaction. */
import type { Transaction } from "../ports/storage.ts"
import type { IdempotentRequest } from "../replay/idempotency.ts"
import type { IdStream } from "../vocabulary/ids.ts"
import type { Instant } from "../vocabulary/instant.ts"
import type { StoredProposal } from "./history.ts"
import type { PartyActor } from "../projects/guard-context.ts"
import type { CommandPlan } from "./plan.ts"
import type { CallerAuthority } from "./caller.ts"

export interface CommandContext {
  readonly transaction: Transaction
  readonly stored: StoredProposal
  readonly authority: CallerAuthority
  readonly by: PartyActor
  readonly request: IdempotentRequest
  readonly plan: CommandPlan
  /** The person's recorded side, before this command. */
  readonly recordedSide: PartyActor["side"] | undefined
  readonly at: Instant
  readonly ids: IdStream
}
