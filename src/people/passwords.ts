/** Sign-in by the local directory: a name and a password, rate-limited. */
import { Effect } from "effect"
import type { Directory } from "../ports/sign-in.ts"
import { inTransaction } from "../ports/storage/run.ts"
import { countAttempt, attemptLocks, requireAttempt, type GuessIdentity } from "./attempt-limits.ts"
import { traced } from "../vocabulary/traced.ts"

export interface Password {
  readonly name: string
  readonly password: string
  /** As far as it can be trusted; undefined inside this process. */
  readonly address: string | undefined
}

/**
 * The identity behind a name and its password. An attempt is counted before it is checked, so that concurrent attempts
 * cannot exceed the limit; a correct one is uncounted.
 */
export const checkPassword = traced("people.checkPassword")(function* (
  directory: Directory,
  { name, password, address }: Password
) {
  const guesser: GuessIdentity = { kind: "PASSWORD", subject: name, address }
  const delay = yield* countGuess(guesser, 1)
  if (delay > 0) yield* Effect.sleep(delay)
  const identity = yield* directory.check(name, password)
  yield* countGuess(guesser, -1)
  return identity
})

const countGuess = Effect.fnUntraced(function* (guesser: GuessIdentity, by: 1 | -1) {
  return yield* inTransaction({ locks: attemptLocks(guesser), asynchronous: true }, function* (transaction) {
    const now = yield* transaction.now
    const delay = by === 1 ? yield* requireAttempt(transaction, guesser, now) : 0
    yield* countAttempt(transaction, guesser, by, now)
    return delay
  })
})
