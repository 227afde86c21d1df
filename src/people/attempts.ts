/** Limits on guessing: of one person or name, of one address, and of everybody; the last delays and never locks. */
import { Effect } from "effect"
import { exclusive, type Root, type Transaction } from "../ports/storage.ts"
import { sha256Hex } from "../canonical/digest.ts"
import { addMilliseconds, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { AttemptCounters } from "./store.ts"

/** Whose guesses are counted together. */
export interface Guesser {
  /** What is guessed: codes and passwords are counted apart. */
  readonly at: "USER_CODE" | "PASSWORD"
  /** A person's id, or the name that was typed. */
  readonly who: string
  /** As far as it can be trusted; undefined inside this process. */
  readonly address: string | undefined
}

interface Limit {
  readonly counterId: string
  /** Undefined where it only delays. */
  readonly most: number | undefined
}

const limitsOf = ({ at, who, address }: Guesser): ReadonlyArray<Limit> => [
  { counterId: `${at}:who:${sha256Hex(who)}`, most: limits.attemptsPerPerson },
  { counterId: `${at}:address:${sha256Hex(address ?? "")}`, most: limits.attemptsPerAddress },
  { counterId: `${at}:all`, most: undefined }
]

export const guesserRoots = (guesser: Guesser): ReadonlyArray<Root> =>
  limitsOf(guesser).map(({ counterId }) => exclusive("counter", counterId))

/** Refused where too many were wrong; else how long everybody waits now, in milliseconds. */
export const requireAttempt = Effect.fnUntraced(function* (transaction: Transaction, guesser: Guesser, now: Instant) {
  const counted = yield* readCounts(transaction, guesser, now)
  if (counted.some(({ most, attempts }) => most !== undefined && attempts >= most)) {
    return yield* refuse("TOO_MANY_ATTEMPTS", { retryAfter: limits.attemptsWindow / 1000 })
  }
  return delayFor(counted.at(-1)?.attempts ?? 0)
})

const delayFor = (attempts: number): number => {
  const beyond = Math.max(0, attempts - limits.attemptsFreeOfDelay)
  return Math.min(limits.attemptDelayMost, Math.ceil(beyond / limits.attemptsFreeOfDelay) * limits.attemptDelay)
}

/** Counts one more, `1`, or takes one back that turned out right, `-1`. */
export const countAttempt = Effect.fnUntraced(function* (
  transaction: Transaction,
  guesser: Guesser,
  change: 1 | -1,
  now: Instant
) {
  for (const { counterId, row, attempts } of yield* readCounts(transaction, guesser, now)) {
    const counted = Math.max(0, attempts + change)
    if (row === undefined) {
      yield* transaction.insert(AttemptCounters, { counterId, windowStartedAt: now, attempts: counted })
    } else {
      const windowStartedAt = attempts === 0 ? now : row.windowStartedAt
      yield* transaction.update(AttemptCounters, [counterId], { windowStartedAt, attempts: counted })
    }
  }
})

/** A window that has passed counts nothing. */
const readCounts = (transaction: Transaction, guesser: Guesser, now: Instant) =>
  Effect.forEach(
    limitsOf(guesser),
    ({ counterId, most }) =>
      Effect.map(transaction.get(AttemptCounters, [counterId]), (row) => {
        const isOpen = row !== undefined && now < addMilliseconds(row.windowStartedAt, limits.attemptsWindow)
        return { counterId, most, row, attempts: isOpen ? row.attempts : 0 }
      }),
    { concurrency: "unbounded" }
  )
