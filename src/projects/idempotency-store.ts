/** The idempotency store of a command. */
import type { Effect } from "effect"
import type { Reader, Transaction } from "../ports/storage.ts"
import { readStoredRequest, recordRequest, type StoredRequest, type IdempotentRequest } from "../replay/idempotency.ts"
import type { Instant } from "../vocabulary/instant.ts"
import type { StoredProject } from "./history.ts"

export interface IdempotencyStore {
  /** The earlier request under the same key, read under the project's lock. */
  readonly read: (reader: Reader) => Effect.Effect<StoredRequest | undefined>
  /** Records the request in the transaction of its effect. */
  readonly record: (transaction: Transaction, stored: StoredProject, now: Instant) => Effect.Effect<void>
}

/** The default store: the request ids of the owner. */
export const requestIdStore = (request: IdempotentRequest): IdempotencyStore => ({
  read: (reader) => readStoredRequest(reader, request),
  record: (transaction, { row }, now) => recordRequest(transaction, request, row.projectId, now)
})
