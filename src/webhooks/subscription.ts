/** A subscription: in which state it is, and when a worker looks at it next. Pure. */
import { Schema } from "effect"
import { idOf } from "../vocabulary/ids.ts"
import { earlier, later, never, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import type { DeliveryRow, SubscriptionRow } from "./store.ts"

export const subscriptionStates = ["ACTIVE", "PAUSED", "REVOKED", "EXPIRED"] as const
export type SubscriptionState = (typeof subscriptionStates)[number]

/** Anything else names no subscription. */
export const isSubscriptionId = Schema.is(idOf("webhook"))

/** A send under way: whose it is, and until when. */
export interface Flight {
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

/** Nothing happens to it any more, and nobody can change it. */
export const hasEnded = (state: SubscriptionState): boolean => state === "REVOKED" || state === "EXPIRED"

/** Those of its sends that a worker may still be at; the others were left by one that died. */
export const liveFlights = ({ flights }: Pick<SubscriptionRow, "flights">, now: Instant): ReadonlyArray<Flight> =>
  flights.filter(({ until }) => now < until)

/** How many of its sends may be under way at a time. */
export const placesOf = ({ failures }: Pick<SubscriptionRow, "failures">): number =>
  failures > 0 ? limits.callbacksPerFailing : limits.callbacksPerSubscription

/**
 * `upcoming` are its deliveries by when they are due. What is due already goes behind whatever became due before now: no
 * backlog of one stands before the others.
 */
export const nextLook = (
  row: Pick<SubscriptionRow, "revokedAt" | "expiresAt" | "isPaused" | "failures">,
  flights: ReadonlyArray<Flight>,
  upcoming: ReadonlyArray<Pick<DeliveryRow, "dueAt">>,
  now: Instant
): Instant => {
  const state = stateOf(row, now)
  // What has expired is looked at once more, to end it.
  if (state !== "ACTIVE") return state === "EXPIRED" ? row.expiresAt : never
  // While every place is taken, the end of a flight looks again; this is for a worker that died in the air.
  const dues = flights.length >= placesOf(row) ? flights.map(({ until }) => until) : upcoming.map(({ dueAt }) => dueAt)
  return earlier(later(dues.reduce(earlier, row.expiresAt), now), row.expiresAt)
}
