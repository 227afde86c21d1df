/** How callbacks are paced (6.4): the specification's numbers, unless an operator configures others. */
import { Context } from "effect"
import { limits } from "../vocabulary/limits.ts"

/** Durations in milliseconds. */
export interface Pace {
  /** Sends under way in one worker at a time. */
  readonly batch: number
  /** How often a worker looks, where nothing wakes it. */
  readonly interval: number
  /** How long a send belongs to the worker that took it. */
  readonly lease: number
  /** Name resolution, connection, TLS, headers and body of one send together. */
  readonly timeout: number
  /** How long after its first failure a send is tried again; each further failure doubles it, up to an hour. */
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
 * What a lease has to outlive the deadline of its send by, so that a result is written down while it is still ours: the
 * same share of any lease as of the specified one, a sixth, and never more than is wanted of that.
 */
export const marginOf = (lease: number): number =>
  Math.min(limits.callbackMargin, (lease * limits.callbackMargin) / limits.callbackLease)

/** True where every send has ended, and been written down, before somebody else may take it over. */
export const outlivesSends = ({ lease, timeout }: Pace): boolean => timeout + marginOf(lease) < lease
