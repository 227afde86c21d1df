/**
 * Retry policy for storage transactions, the same for every store: a transient error is retried, an unavailable store is
 * answered with 503, anything else is a defect. Codes are SQLSTATEs, plus own codes for connection errors.
 */
import { Duration, Effect, type Exit } from "effect"
import { StorageUnavailable } from "../storage.ts"
import { countFailedTransaction, countRetry } from "./metrics.ts"

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
/** A synchronous standby is required and there is none: of class 53, insufficient resources, so nothing was committed. */
export const noStandby = "53S01"
/** SQLSTATEs of a lock that was not granted: deadlock_detected and lock_not_available. */
export const deadlockDetected = "40P01"
export const lockTimeout = "55P03"

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
    const cause = causeOf(ended.failure)
    const meaning = meanings[cause]
    if (meaning === "defect") {
      return yield* Effect.die(new Error(`${ended.failure.reason} (${ended.failure.code})`))
    }
    if (meaning === "unavailable" || left[meaning] === 0) {
      if (meaning === "race") return yield* Effect.die(new Error(`${ended.failure.reason} (raced twice)`))
      yield* countFailedTransaction({ cause })
      const { code, reason } = ended.failure
      const mayBeCommitted = code === outcomeUnknown
      return yield* Effect.die(new StorageUnavailable({ reason: `${reason} (${code})`, mayBeCommitted }))
    }
    left[meaning] -= 1
    yield* countRetry({ cause })
    if (meaning === "conflict") yield* Effect.sleep(backoff(conflictRetriesMax - left.conflict))
  }
})

/** What each cause of a failed attempt means for its transaction. */
const meanings = {
  SERIALIZATION: "conflict",
  DEADLOCK: "conflict",
  COMMIT_ABORTED: "conflict",
  // A migration or a pooler invalidated the prepared statement; the connection has dropped it by now.
  STATEMENT_INVALIDATED: "conflict",
  RACED_KEY: "race",
  CONNECTION_LOST: "reconnect",
  OUTCOME_UNKNOWN: "unavailable",
  NO_CONNECTION: "unavailable",
  NO_STANDBY: "unavailable",
  LOCK_TIMEOUT: "unavailable",
  STATEMENT_TIMEOUT: "unavailable",
  TRANSACTION_TIMEOUT: "unavailable",
  READ_ONLY: "unavailable",
  SERVER_UNAVAILABLE: "unavailable",
  DEFECT: "defect"
} as const satisfies Readonly<Record<string, "conflict" | "race" | "reconnect" | "unavailable" | "defect">>

/** Why an attempt failed, as metrics name it. */
export type FailureCause = keyof typeof meanings

const causeOf = ({ code, raced }: StoreFailure): FailureCause => {
  if (code === "23505" && raced) return "RACED_KEY"
  return causes.get(code) ?? (/^(?:08|53|57P)/.test(code) ? "SERVER_UNAVAILABLE" : "DEFECT")
}

const causes: ReadonlyMap<string, FailureCause> = new Map([
  ["40001", "SERIALIZATION"],
  [deadlockDetected, "DEADLOCK"],
  [commitAborted, "COMMIT_ABORTED"],
  ["0A000", "STATEMENT_INVALIDATED"],
  ["26000", "STATEMENT_INVALIDATED"],
  [connectionLost, "CONNECTION_LOST"],
  [outcomeUnknown, "OUTCOME_UNKNOWN"],
  [noConnection, "NO_CONNECTION"],
  [noStandby, "NO_STANDBY"],
  [lockTimeout, "LOCK_TIMEOUT"],
  ["57014", "STATEMENT_TIMEOUT"],
  ["25P03", "TRANSACTION_TIMEOUT"],
  ["25P04", "TRANSACTION_TIMEOUT"],
  [readOnlyTransaction, "READ_ONLY"]
])

const backoff = (conflicts: number): Duration.Duration =>
  Duration.min(Duration.times(backoffMin, 2 ** (conflicts - 1)), backoffMax)
