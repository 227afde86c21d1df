/**
 * What came of a COMMIT whose answer was lost, the same for every store: its transaction's own connection is in doubt and
 * never asked; another one is, until the store knows.
 */
import { Clock, Duration, Effect, type Exit } from "effect"
import { type Attempt, commitAborted, type Failure, outcomeUnknown } from "./attempts.ts"

export type Outcome = "committed" | "aborted" | "unknown"

/** What another connection says of the transaction. */
export interface Testimony {
  /** A row is there that this transaction alone could have left. */
  readonly isProven: boolean
  /** It may commit yet. */
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
    // A database that does not answer makes each question last.
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

/** What the attempt comes to that sent this COMMIT: its result stands, or it may be made again, or nobody can tell. */
export const attemptAfter = <A, E>(outcome: Outcome, exit: Exit.Exit<A, E>): Attempt<A, E> =>
  outcome === "committed" ? { _tag: "Ended", exit } : { _tag: "Failed", failure: lost[outcome] }

const lost: Readonly<Record<"aborted" | "unknown", Failure>> = {
  aborted: { code: commitAborted, reason: "the connection was lost around COMMIT", raced: false },
  unknown: { code: outcomeUnknown, reason: "the outcome of a COMMIT could not be learned", raced: false }
}
