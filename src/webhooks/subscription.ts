/** A subscription's state and its next due time. Pure. */
import { Schema } from "effect"
import { idOf } from "../vocabulary/ids.ts"
import { earlier, later, never, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import type { SubscriptionRow } from "./store.ts"

export const subscriptionStates = ["ACTIVE", "PAUSED", "REVOKED", "EXPIRED"] as const
export type SubscriptionState = (typeof subscriptionStates)[number]

export const isSubscriptionId = Schema.is(idOf("webhook"))

/** A send in progress, and the end of its lease. */
export interface SendInProgress {
  readonly deliveryId: string
  readonly until: Instant
}

export const stateOf = (
  { revokedAt, expiresAt, isPaused }: Pick<SubscriptionRow, "revokedAt" | "expiresAt" | "isPaused">,
  now: Instant
): SubscriptionState => {
  if (revokedAt !== null) return "REVOKED"
  if (expiresAt <= now) return "EXPIRED"
  return isPaused ? "PAUSED" : "ACTIVE"
}

/** A final state: nothing is sent and no change is accepted. */
export const hasEnded = (state: SubscriptionState): boolean => state === "REVOKED" || state === "EXPIRED"

/** Sends whose lease has not expired; the worker of any other send has died. */
export const sendsInProgress = (
  { flights }: Pick<SubscriptionRow, "flights">,
  now: Instant
): ReadonlyArray<SendInProgress> => flights.filter(({ until }) => now < until)

/** The maximum number of concurrent sends of one subscription. */
export const concurrencyLimit = ({ failures }: Pick<SubscriptionRow, "failures">): number =>
  failures > 0 ? limits.webhookAttemptsPerFailing : limits.webhookAttemptsPerSubscription

/**
 * When a worker has to look at the subscription next. `upcoming` are the times at which its deliveries can be claimed. A due time in the past
 * becomes now, so that the backlog of one subscription does not starve others.
 */
export const nextDueAt = (
  row: Pick<SubscriptionRow, "revokedAt" | "expiresAt" | "isPaused" | "failures">,
  flights: ReadonlyArray<SendInProgress>,
  upcoming: ReadonlyArray<Instant>,
  now: Instant
): Instant => {
  const state = stateOf(row, now)
  // An expired subscription is due once more, so that a worker ends it.
  if (state !== "ACTIVE") return state === "EXPIRED" ? row.expiresAt : never
  // While all places are taken, settling a send recomputes this; the lease end covers a worker that died.
  const dues = flights.length >= concurrencyLimit(row) ? flights.map(({ until }) => until) : upcoming
  return earlier(later(dues.reduce(earlier, row.expiresAt), now), row.expiresAt)
}
