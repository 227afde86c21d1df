/** The idempotency store of a command. */
import type { Effect } from "effect"
import type { Reader, Transaction } from "../ports/storage.ts"
import { readRequest, rememberRequest, type Remembered, type Request } from "../replay/replay.ts"
import type { Instant } from "../vocabulary/instant.ts"
import type { Stored } from "./history.ts"

export interface Memory {
  /** The earlier request under the same key, read under the project's lock. */
  readonly read: (reader: Reader) => Effect.Effect<Remembered | undefined>
  /** Records the request in the transaction of its effect. */
  readonly record: (transaction: Transaction, stored: Stored, now: Instant) => Effect.Effect<void>
}

/** The default store: the request ids of the owner. */
export const byRequestId = (request: Request): Memory => ({
  read: (reader) => readRequest(reader, request),
  record: (transaction, { row }, now) => rememberRequest(transaction, request, row.projectId, now)
})
