/** Labels of webhook pages: event types, subscription states, delivery states and attempts. */
import type { EventType } from "../../vocabulary/event-types.ts"
import type { DeliveryState, LastAttempt, Outcome } from "../../webhooks/delivery.ts"
import type { SubscriptionState } from "../../webhooks/subscription.ts"
import { wasSlow } from "../../webhooks/delivery-problems.ts"
import type { Content, Element } from "../kit/html.ts"
import { badge, time } from "../kit/parts.ts"

/** An event type, in one sentence. */
export const eventLabels: { readonly [E in EventType]: string } = {
  "agreement.confirmed": "The supplier accepted the terms",
  "delivery.submitted": "The supplier delivered",
  "changes.requested": "The buyer asked for changes or evidence",
  "acceptance.decided": "The buyer accepted or rejected a delivery",
  "record.changed": "Another event was recorded, such as a signature, another date, a concern or an issued record"
}

/** An event that occurred. */
export const occurredEventLabels: { readonly [E in EventType]: string } = {
  ...eventLabels,
  "record.changed": "Another event was recorded"
}

type Badge = Parameters<typeof badge>

const subscriptionBadges: { readonly [S in SubscriptionState]: Badge } = {
  ACTIVE: ["good", "active"],
  PAUSED: ["waiting", "paused"],
  REVOKED: ["ended", "ended"],
  EXPIRED: ["ended", "expired"]
}

export const subscriptionBadge = (state: SubscriptionState, failures: number): Element =>
  state === "ACTIVE" && failures > 0 ? badge("waiting", "slow or failing") : badge(...subscriptionBadges[state])

const deliveryBadges: { readonly [S in DeliveryState]: Badge } = {
  PENDING: ["waiting", "waits to be sent"],
  DELIVERED: ["good", "received"],
  EXHAUSTED: ["ended", "failed permanently"],
  CANCELLED: ["ended", "cancelled"]
}

/** The state of a delivery; a pending one names the cause of the wait. */
export const deliveryBadge = (
  state: DeliveryState,
  { isPaused, isHeld }: { readonly isPaused: boolean; readonly isHeld: boolean }
): Element => {
  if (state === "PENDING" && isHeld) return badge("waiting", "waits for the agent’s renewal")
  if (state === "PENDING" && isPaused) return badge("waiting", "waits until resumed")
  return badge(...deliveryBadges[state])
}

/** The consecutive failures of the receiver; slow responses count as failures. */
export const recentFailuresText = (failures: number): string =>
  failures === 1 ? "The last attempt failed or was slow." : `The last ${failures} attempts failed or were slow.`

/** The time and outcome of the last attempt. */
export const attemptText = (attempt: LastAttempt | null): Content =>
  attempt === null ? "no attempt yet" : [time(attempt.at), ": ", outcomeText(attempt)]

const outcomeText = (attempt: LastAttempt): string => {
  const { outcome, statusCode } = attempt
  if (outcome === null) return "no response recorded yet."
  if (outcome === "ACKNOWLEDGED" && wasSlow(attempt)) return "the receiver accepted it, but responded slowly."
  return statusCode === null || outcome === "ACKNOWLEDGED"
    ? outcomeTexts[outcome]
    : `${outcomeTexts[outcome].slice(0, -1)} (status ${statusCode}).`
}

const outcomeTexts: { readonly [O in Outcome]: string } = {
  ACKNOWLEDGED: "the receiver accepted it.",
  HTTP_STATUS: "the receiver responded with an error.",
  REDIRECT: "the receiver responded with a redirect, which is never followed.",
  TIMEOUT: "the receiver did not respond in time.",
  CONNECTION: "the connection to the receiver failed or was closed.",
  TLS: "the receiver’s TLS certificate is not valid for this address.",
  DNS_REJECTED: "the host name resolves to an address that is not on the public internet.",
  DNS_FAILURE: "the host name could not be resolved.",
  AUTHORITY_ENDED: "nothing was sent, because the authority of the subscription has ended."
}
