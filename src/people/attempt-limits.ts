/** Rate limits on guessing: per person, per address, per name, and in total; the last two delay and never refuse. */
import { Effect } from "effect"
import { inTransaction, inView, readTogether } from "../ports/storage/run.ts"
import { exclusive, type LockKey, type Transaction } from "../ports/storage.ts"
import { sha256Hex } from "../canonical/digest.ts"
import { networkOf } from "../vocabulary/address.ts"
import { addMilliseconds, now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { AttemptCounters } from "./store.ts"
import { traced } from "../vocabulary/traced.ts"

/** The identity under which guesses are counted. */
export interface GuessIdentity {
  /** The kind of secret: codes and passwords are counted separately. */
  readonly kind: "USER_CODE" | "PASSWORD"
  /** A person's id, or the name as typed. */
  readonly subject: string
  /** As far as it can be trusted; undefined inside this process. */
  readonly address: string | undefined
}

interface Limit {
  readonly counterId: string
  /** The number of attempts before refusals. */
  readonly most?: number
  /** The number of attempts before all callers of this counter are delayed. */
  readonly freeOfDelay?: number
}

/**
 * A signed-in person is limited across sessions. A typed name is limited per client address: otherwise a client that knows
 * a name could lock its owner out; all addresses together are only delayed.
 */
const limitsOf = ({ kind, subject, address = "" }: GuessIdentity): ReadonlyArray<Limit> => {
  const network = networkOf(address)
  const ofAddress = { counterId: counterOf(kind, "address", network), most: limits.attemptsPerAddress }
  const all = { counterId: counterOf(kind, "all"), freeOfDelay: limits.attemptsFreeOfDelay }
  if (kind === "USER_CODE")
    return [{ counterId: counterOf(kind, "person", subject), most: limits.attemptsPerPerson }, ofAddress, all]
  return [
    { counterId: counterOf(kind, "name", subject, network), most: limits.attemptsPerPerson },
    { counterId: counterOf(kind, "name", subject), freeOfDelay: limits.attemptsPerName },
    ofAddress,
    all
  ]
}

const counterOf = (...parts: ReadonlyArray<string>): string => sha256Hex(JSON.stringify(parts))

export const attemptLocks = (guesser: GuessIdentity): ReadonlyArray<LockKey> =>
  limitsOf(guesser).map(({ counterId }) => exclusive("counter", counterId))

/** Refuses after too many wrong attempts; otherwise the current delay in milliseconds. */
export const requireAttempt = Effect.fnUntraced(function* (
  transaction: Transaction,
  guesser: GuessIdentity,
  now: Instant
) {
  const counted = yield* readCounters(transaction, guesser, now)
  if (counted.some(({ most, attempts }) => most !== undefined && attempts >= most)) {
    return yield* refuse("TOO_MANY_ATTEMPTS", { retryAfter: limits.attemptsWindow / 1000 })
  }
  return Math.max(...counted.map(delayFor))
})

/** Linear backoff: one step for each multiple of the free attempts, up to the maximum. */
const delayFor = ({
  attempts,
  freeOfDelay = Number.POSITIVE_INFINITY
}: Limit & { readonly attempts: number }): number => {
  const beyond = attempts - freeOfDelay
  return beyond <= 0 ? 0 : Math.min(limits.attemptDelayMost, Math.ceil(beyond / freeOfDelay) * limits.attemptDelay)
}

/** Counts one attempt, `1`, or uncounts a correct one, `-1`. */
export const countAttempt = Effect.fnUntraced(function* (
  transaction: Transaction,
  guesser: GuessIdentity,
  change: 1 | -1,
  now: Instant
) {
  for (const { counterId, row, attempts } of yield* readCounters(transaction, guesser, now)) {
    const counted = Math.max(0, attempts + change)
    if (row === undefined) {
      yield* transaction.insert(AttemptCounters, { counterId, windowStartedAt: now, attempts: counted })
    } else {
      const windowStartedAt = attempts === 0 ? now : row.windowStartedAt
      yield* transaction.update(AttemptCounters, [counterId], { windowStartedAt, attempts: counted })
    }
  }
})

/** A counter whose window has passed is zero. */
const readCounters = (transaction: Transaction, guesser: GuessIdentity, now: Instant) =>
  readTogether(
    limitsOf(guesser).map((limit) =>
      Effect.map(transaction.get(AttemptCounters, [limit.counterId]), (row) => {
        const isOpen = row !== undefined && now < addMilliseconds(row.windowStartedAt, limits.attemptsWindow)
        return { ...limit, row, attempts: isOpen ? row.attempts : 0 }
      })
    )
  )

/** Deletes counters whose window has passed. */
export const deleteExpiredAttempts = traced("people.deleteExpiredAttempts")(function* () {
  const start = yield* currentTime
  for (;;) {
    const oldest = yield* inView((reader) =>
      reader.range(AttemptCounters, "byWindow", { prefix: [], limit: limits.attemptsDeletedAtOnce })
    )
    const expired = oldest.filter(
      ({ windowStartedAt }) => addMilliseconds(windowStartedAt, limits.attemptsWindow) <= start
    )
    yield* Effect.forEach(expired, ({ counterId }) => deleteExpired(counterId))
    if (expired.length < limits.attemptsDeletedAtOnce) return
  }
})

const deleteExpired = Effect.fnUntraced(function* (counterId: string) {
  yield* inTransaction({ locks: [exclusive("counter", counterId)] }, function* (transaction) {
    const row = yield* transaction.get(AttemptCounters, [counterId])
    const now = yield* transaction.now
    if (row !== undefined && addMilliseconds(row.windowStartedAt, limits.attemptsWindow) <= now) {
      yield* transaction.remove(AttemptCounters, [counterId])
    }
  })
})
