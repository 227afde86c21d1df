/** What another part commits together with an effect: both happen, or neither. */
import type { Effect } from "effect"
import type { Root, Transaction } from "../ports/storage.ts"
import type { Instant } from "../vocabulary/instant.ts"
import type { Refused } from "../vocabulary/refusals.ts"

export interface Companion {
  /** Held by the transaction, beside its own. */
  readonly roots: ReadonlyArray<Root>
  /** After the checks of what is made: refuses the whole, or queues what follows from it; `outcomeId` names it. */
  readonly commit: (transaction: Transaction, outcomeId: string, now: Instant) => Effect.Effect<void, Refused>
}
