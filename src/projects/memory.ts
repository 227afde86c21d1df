/** How a command is remembered, so that it has its effect once. */
import type { Effect } from "effect"
import type { Reader, Transaction } from "../ports/storage.ts"
import { readRequest, rememberRequest, type Remembered, type Request } from "../replay/replay.ts"
import type { Instant } from "../vocabulary/instant.ts"
import type { Stored } from "./history.ts"

export interface Memory {
  /** What is known of it from before, under the project's root. */
  readonly read: (reader: Reader) => Effect.Effect<Remembered | undefined>
  /** Queued with the effect. */
  readonly remember: (transaction: Transaction, stored: Stored, now: Instant) => Effect.Effect<void>
}

/** Among the request ids of its owner: what is remembered unless something else is. */
export const byRequestId = (request: Request): Memory => ({
  read: (reader) => readRequest(reader, request),
  remember: (transaction, { row }, now) => rememberRequest(transaction, request, row.projectId, now)
})
