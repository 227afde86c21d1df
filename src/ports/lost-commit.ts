/**
 * Resolves the outcome of a COMMIT whose answer was lost, the same for every store: the transaction's own connection is
 * suspect, so another connection is asked until the store knows.
 */
import { Clock, Duration, Effect, type Exit } from "effect"
import { type Attempt, commitAborted, type Failure, outcomeUnknown } from "./attempts.ts"

export type Outcome = "committed" | "aborted" | "unknown"

/** The state of the transaction, as another connection sees it. */
export interface Testimony {
  /** A row exists that only this transaction could have written. */
  readonly isProven: boolean
  /** It may still commit. */
  readonly isRunning: boolean
}

const asksMax = 25
const askingMilliseconds = 10_000
const firstPause = Duration.millis(10)
const longestPause = Duration.millis(500)

/** Asks for ten seconds at most, undefined being no answer: Postgres ends a session whose client has gone after five. */
export const outcomeBy = Effect.fnUntraced(function* (
  ask: Effect.Effect<Testimony | undefined>
): Effect.fn.Return<Outcome> {
  const began = yield* Clock.currentTimeMillis
  for (let asked = 0; asked < asksMax; asked++) {
    const outcome = meaningOf(yield* ask)
    if (outcome !== "ask again") return outcome
    // Each query of an unresponsive database takes time.
    if ((yield* Clock.currentTimeMillis) - began >= askingMilliseconds) break
    yield* Effect.sleep(Duration.min(Duration.times(firstPause, 2 ** asked), longestPause))
  }
  return "unknown"
})

const meaningOf = (said: Testimony | undefined): "committed" | "aborted" | "ask again" => {
  if (said === undefined) return "ask again"
  if (said.isProven) return "committed"
  return said.isRunning ? "ask again" : "aborted"
}

/** The attempt that sent this COMMIT: successful, to be retried, or of unknown outcome. */
export const attemptAfter = <A, E>(outcome: Outcome, exit: Exit.Exit<A, E>): Attempt<A, E> =>
  outcome === "committed" ? { _tag: "Ended", exit } : { _tag: "Failed", failure: lost[outcome] }

const lost: Readonly<Record<"aborted" | "unknown", Failure>> = {
  aborted: { code: commitAborted, reason: "the connection was lost around COMMIT", raced: false },
  unknown: { code: outcomeUnknown, reason: "the outcome of a COMMIT could not be learned", raced: false }
}
