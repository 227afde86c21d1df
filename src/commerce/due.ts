/** When an attempt is read back next, and how long its opening is repeated. Pure. */
import { addMilliseconds, earlier, never, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import type { AttemptState } from "./attempt.ts"

export interface ReadbackHistory {
  readonly state: AttemptState
  readonly openedAt: Instant
  /** Null before the first entry. */
  readonly lastEntryAt: Instant | null
  /** Null unless released. */
  readonly releasedAt: Instant | null
  /** The last readbacks in a row in which a component failed. */
  readonly failures: number
}

/** The time of the next readback; `never` after the last one. */
export const nextReadback = (history: ReadbackHistory, now: Instant): Instant => {
  const regular = regularReadback(history, now)
  if (history.failures === 0 || now >= addMilliseconds(startOf(history), limits.readbackPeriod)) return regular
  const delay = Math.min(limits.readbackRetry * 2 ** (history.failures - 1), limits.readbackRetryMost)
  return earlier(regular, addMilliseconds(now, delay))
}

const regularReadback = (history: ReadbackHistory, now: Instant): Instant => {
  const start = startOf(history)
  const isWithin = (period: number): boolean => now < addMilliseconds(start, period)
  switch (history.state) {
    case "OPENING":
    case "OPEN":
      return addMilliseconds(now, limits.readbackOpen)
    case "PAID":
    case "UNVERIFIED":
      if (isWithin(limits.readbackPaidPeriod)) return addMilliseconds(now, limits.readbackPaid)
      return isWithin(limits.readbackPeriod) ? addMilliseconds(now, limits.readbackLater) : never
    case "RELEASED":
      if (isWithin(limits.readbackReleased)) return addMilliseconds(start, limits.readbackReleased)
      return isWithin(limits.readbackReleasedLast) ? addMilliseconds(start, limits.readbackReleasedLast) : never
  }
}

const startOf = ({ releasedAt, lastEntryAt, openedAt, state }: ReadbackHistory): Instant =>
  (state === "RELEASED" ? releasedAt : lastEntryAt) ?? openedAt

/**
 * True for an attempt whose opening is repeated, or given up. One of which a notification named a checkout is read back
 * instead, once its opening is not repeated any more.
 */
export const isOpeningDue = (
  { checkoutId, hintedCheckoutId, state, expiresAt }: OpeningHistory,
  now: Instant
): boolean =>
  checkoutId === null && (hintedCheckoutId === null || (state === "OPENING" && mayRepeatOpening(expiresAt, now)))

interface OpeningHistory {
  readonly state: AttemptState
  readonly checkoutId: string | null
  readonly hintedCheckoutId: string | null
  readonly expiresAt: Instant
}

/** True while a lost opening may be sent again: a checkout that opens later would leave too little time to pay it. */
export const mayRepeatOpening = (expiresAt: Instant, now: Instant): boolean =>
  addMilliseconds(now, limits.checkoutNotReopened) <= expiresAt
