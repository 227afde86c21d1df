/** Timing of webhook delivery (6.4): the specification's values, unless configuration overrides them. */
import { Context } from "effect"
import { limits } from "../vocabulary/limits.ts"

/** Durations in milliseconds. */
export interface Pace {
  /** Concurrent attempts of one worker. */
  readonly batch: number
  /** How often a worker polls for due deliveries without a wake-up. */
  readonly interval: number
  /** How long a delivery is leased to one worker. */
  readonly lease: number
  /** One attempt in all: name resolution, connection, TLS, headers and body. */
  readonly timeout: number
  /** Backoff after the first failed attempt; it doubles with each failure, up to an hour. */
  readonly backoff: number
}

export const specifiedPace: Pace = {
  batch: limits.callbackBatch,
  interval: limits.callbackInterval,
  lease: limits.callbackLease,
  timeout: limits.callbackTimeout,
  backoff: limits.callbackBackoff
}

export const CallbackPace = Context.Reference<Pace>("countersign/ports/CallbackPace", {
  defaultValue: () => specifiedPace
})

/**
 * The time that remains of a lease after the deadline of its attempt, in which the result is stored: the specified share
 * of any lease, one sixth, and at most the specified margin.
 */
export const marginOf = (lease: number): number =>
  Math.min(limits.callbackMargin, (lease * limits.callbackMargin) / limits.callbackLease)

/** True where every attempt ends, and its result is stored, before another worker can take the lease. */
export const outlivesSends = ({ lease, timeout }: Pace): boolean => timeout + marginOf(lease) < lease
