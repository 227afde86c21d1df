/**
 * Retry policy for storage transactions, the same for every store: a transient error is retried, an unavailable store is
 * answered with 503, anything else is a defect. Codes are SQLSTATEs, plus own codes for connection errors.
 */
import { Duration, Effect, type Exit } from "effect"
import { StorageUnavailable } from "../storage.ts"

/** Why an attempt had no effect. */
export interface StoreFailure {
  readonly code: string
  /** The statement that failed, without its values. */
  readonly reason: string
  /** True for a second row with the key of a table that declares its key raced. */
  readonly raced: boolean
}

/** The result of one attempt: the exit of the body, or a failure without effect. */
export type Attempt<A, E> = { readonly _tag: "Ended"; readonly exit: Exit.Exit<A, E> } | FailedAttempt

export interface FailedAttempt {
  readonly _tag: "Failed"
  readonly failure: StoreFailure
}

/** The connection was lost before COMMIT was sent. */
export const connectionLost = "connection-lost"
/** COMMIT was sent, its answer was lost, and the transaction was rolled back. */
export const commitAborted = "commit-aborted"
/** COMMIT was sent, its answer was lost, and the outcome could not be determined in time. */
export const outcomeUnknown = "outcome-unknown"
/** No connection could be opened, or none was free in time. */
export const noConnection = "no-connection"
/** SQLSTATE read_only_sql_transaction. */
export const readOnlyTransaction = "25006"

const conflictRetriesMax = 10
const backoffMin = Duration.millis(2)
const backoffMax = Duration.millis(100)

/** The store failed during the body: the body is abandoned, and the retry policy decides. */
export class AttemptFailure extends Error {
  override readonly name = "AttemptFailure"
}

/** Repeats an attempt until it succeeds or is given up. Backoff is not random, so the caller's random stream is untouched. */
export const retryUntilSettled = Effect.fnUntraced(function* <A, E, R>(
  attempt: Effect.Effect<Attempt<A, E>, never, R>
): Effect.fn.Return<A, E, R> {
  const left = { conflict: conflictRetriesMax, race: 1, reconnect: 1 }
  for (;;) {
    const ended = yield* attempt
    if (ended._tag === "Ended") return yield* ended.exit
    const meaning = classifyFailure(ended.failure)
    if (meaning === "defect") {
      return yield* Effect.die(new Error(`${ended.failure.reason} (${ended.failure.code})`))
    }
    if (meaning === "unavailable" || left[meaning] === 0) {
      if (meaning === "race") return yield* Effect.die(new Error(`${ended.failure.reason} (raced twice)`))
      const { code, reason } = ended.failure
      const mayBeCommitted = code === outcomeUnknown
      return yield* Effect.die(new StorageUnavailable({ reason: `${reason} (${code})`, mayBeCommitted }))
    }
    left[meaning] -= 1
    if (meaning === "conflict") yield* Effect.sleep(backoff(conflictRetriesMax - left.conflict))
  }
})

export const classifyFailure = (
  failure: StoreFailure
): "conflict" | "race" | "reconnect" | "unavailable" | "defect" => {
  const { code } = failure
  if (code === "40001" || code === "40P01" || code === commitAborted) return "conflict"
  // A migration or a pooler invalidated the prepared statement; the connection has dropped it by now.
  if (code === "0A000" || code === "26000") return "conflict"
  if (code === "23505" && failure.raced) return "race"
  if (code === connectionLost) return "reconnect"
  if (code === outcomeUnknown || code === noConnection) return "unavailable"
  return /^(?:08|53|57P)|^(?:55P03|57014|25006|25P03|25P04)$/.test(code) ? "unavailable" : "defect"
}

const backoff = (conflicts: number): Duration.Duration =>
  Duration.min(Duration.times(backoffMin, 2 ** (conflicts - 1)), backoffMax)
