/** A hook by which another capability commits in the same transaction: both take effect, or neither. */
import type { Effect } from "effect"
import type { LockKey, Transaction } from "../ports/storage.ts"
import type { Instant } from "../vocabulary/instant.ts"
import type { RefusalCode } from "../vocabulary/refusal-rules.ts"
import type { Refusal } from "../vocabulary/refusals.ts"

export interface TransactionHook<Code extends RefusalCode = RefusalCode> {
  /** Locks of the hook, held by the transaction beside its own. */
  readonly locks: ReadonlyArray<LockKey>
  /** Runs after the checks of the operation: refuses it, or queues further writes; `outcomeId` names its result. */
  readonly commit: (transaction: Transaction, outcomeId: string, now: Instant) => Effect.Effect<void, Refusal<Code>>
}
