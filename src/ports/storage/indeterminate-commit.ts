/**
 * Resolves the outcome of a COMMIT whose answer was lost, the same for every store: the transaction's own connection is
 * suspect, so another connection is asked until the store knows.
 */
import { Clock, Duration, Effect, type Exit } from "effect"
import { type Attempt, commitAborted, type StoreFailure, outcomeUnknown } from "./transaction-retry.ts"

export type CommitOutcome = "committed" | "aborted" | "unknown"

/** The state of the transaction, as another connection sees it. */
export interface CommitEvidence {
  /** A row exists that only this transaction could have written. */
  readonly isProven: boolean
  /** It may still commit. */
  readonly isRunning: boolean
}

const queriesMax = 25
const queryMilliseconds = 10_000
const backoffMin = Duration.millis(10)
const backoffMax = Duration.millis(500)

/** Asks for ten seconds at most, undefined being no answer: Postgres ends a session whose client has gone after five. */
export const resolveCommitOutcome = Effect.fnUntraced(function* (
  ask: Effect.Effect<CommitEvidence | undefined>
): Effect.fn.Return<CommitOutcome> {
  const began = yield* Clock.currentTimeMillis
  for (let asked = 0; asked < queriesMax; asked++) {
    const outcome = outcomeOf(yield* ask)
    if (outcome !== "ask again") return outcome
    // Each query of an unresponsive database takes time.
    if ((yield* Clock.currentTimeMillis) - began >= queryMilliseconds) break
    yield* Effect.sleep(Duration.min(Duration.times(backoffMin, 2 ** asked), backoffMax))
  }
  return "unknown"
})

const outcomeOf = (said: CommitEvidence | undefined): "committed" | "aborted" | "ask again" => {
  if (said === undefined) return "ask again"
  if (said.isProven) return "committed"
  return said.isRunning ? "ask again" : "aborted"
}

/** The attempt that sent this COMMIT: successful, to be retried, or of unknown outcome. */
export const attemptFor = <A, E>(outcome: CommitOutcome, exit: Exit.Exit<A, E>): Attempt<A, E> =>
  outcome === "committed" ? { _tag: "Ended", exit } : { _tag: "Failed", failure: failures[outcome] }

const failures: Readonly<Record<"aborted" | "unknown", StoreFailure>> = {
  aborted: { code: commitAborted, reason: "the connection was lost around COMMIT", raced: false },
  unknown: { code: outcomeUnknown, reason: "the outcome of a COMMIT could not be learned", raced: false }
}
