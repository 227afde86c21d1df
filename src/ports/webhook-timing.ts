/** Timing of webhook delivery (6.4): the specification's values, unless configuration overrides them. */
import { Context } from "effect"
import { limits } from "../vocabulary/limits.ts"

/** Durations in milliseconds. */
export interface WebhookTiming {
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

export const defaultWebhookTiming: WebhookTiming = {
  batch: limits.webhookBatch,
  interval: limits.webhookInterval,
  lease: limits.webhookLease,
  timeout: limits.webhookTimeout,
  backoff: limits.webhookBackoff
}

export const ConfiguredWebhookTiming = Context.Reference<WebhookTiming>("countersign/ports/ConfiguredWebhookTiming", {
  defaultValue: () => defaultWebhookTiming
})

/**
 * The time that remains of a lease after the deadline of its attempt, in which the result is stored: the specified share
 * of any lease, one sixth, and at most the specified margin.
 */
export const leaseMargin = (lease: number): number =>
  Math.min(limits.webhookMargin, (lease * limits.webhookMargin) / limits.webhookLease)

/** True where every attempt ends, and its result is stored, before another worker can take the lease. */
export const leaseOutlivesAttempt = ({ lease, timeout }: WebhookTiming): boolean => timeout + leaseMargin(lease) < lease
