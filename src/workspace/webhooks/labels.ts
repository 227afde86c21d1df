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

export const subscriptionBadge = (state: SubscriptionState, failures: number): Element => {
  switch (state) {
    case "ACTIVE":
      return failures > 0 ? badge("waiting", "slow or failing") : badge("good", "active")
    case "PAUSED":
      return badge("waiting", "paused")
    case "REVOKED":
      return badge("ended", "ended")
    case "EXPIRED":
      return badge("ended", "expired")
  }
}

/** The state of a delivery; a pending one names the cause of the wait. */
export const deliveryBadge = (
  state: DeliveryState,
  waiting: { readonly isPaused: boolean; readonly isHeld: boolean }
) => {
  switch (state) {
    case "PENDING":
      if (waiting.isHeld) return badge("waiting", "waits for the agent’s renewal")
      return badge("waiting", waiting.isPaused ? "waits until resumed" : "waits to be sent")
    case "DELIVERED":
      return badge("good", "received")
    case "EXHAUSTED":
      return badge("ended", "failed permanently")
    case "CANCELLED":
      return badge("ended", "cancelled")
  }
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
