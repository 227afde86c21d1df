/** Callbacks in the words of pages: what is told of, how a subscription stands, and what became of each message. */
import type { EventType } from "../vocabulary/event-types.ts"
import type { DeliveryState, LastAttempt, Outcome } from "../webhooks/delivery.ts"
import type { SubscriptionState } from "../webhooks/subscription.ts"
import { wasSlow } from "../webhooks/troubles.ts"
import type { Content, Element } from "./html.ts"
import { badge, time } from "./parts.ts"

/** What happened, in one sentence. */
export const eventWords: { readonly [E in EventType]: string } = {
  "agreement.confirmed": "The supplier accepted the terms",
  "delivery.submitted": "The supplier delivered",
  "changes.requested": "The buyer asked for changes or evidence",
  "acceptance.decided": "The buyer accepted or rejected a delivery",
  "record.changed": "Anything else was recorded, such as a signature, another date, a concern or an issued record"
}

/** The same of one event that happened. */
export const happenedWords: { readonly [E in EventType]: string } = {
  ...eventWords,
  "record.changed": "Something else was recorded"
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

/** A message that waits says what it waits for. */
export const deliveryWords = (
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
      return badge("ended", "failed for good")
    case "CANCELLED":
      return badge("ended", "cancelled")
  }
}

/** How many attempts count against the receiver: an answer that takes too long does, too. */
export const failuresInARow = (failures: number): string =>
  failures === 1 ? "The last attempt failed or was slow." : `The last ${failures} attempts failed or were slow.`

/** When it was tried last, and what came of that. */
export const attemptWords = (attempt: LastAttempt | null): Content =>
  attempt === null ? "not tried yet" : [time(attempt.at), ": ", outcomeSentence(attempt)]

const outcomeSentence = (attempt: LastAttempt): string => {
  const { outcome, statusCode } = attempt
  if (outcome === null) return "no answer is known yet."
  if (outcome === "ACKNOWLEDGED" && wasSlow(attempt)) return "the receiver took it, but slowly."
  return statusCode === null || outcome === "ACKNOWLEDGED"
    ? outcomeWords[outcome]
    : `${outcomeWords[outcome].slice(0, -1)} (status ${statusCode}).`
}

const outcomeWords: { readonly [O in Outcome]: string } = {
  ACKNOWLEDGED: "the receiver took it.",
  HTTP_STATUS: "the receiver answered that it did not take it.",
  REDIRECT: "the receiver pointed to another address, which is never followed.",
  TIMEOUT: "the receiver did not answer in time.",
  CONNECTION: "no connection to the receiver came about, or it broke off.",
  TLS: "the receiver did not prove that the address is its own.",
  DNS_REJECTED: "the name leads to an address that is not on the public internet.",
  DNS_FAILURE: "the name could not be found.",
  AUTHORITY_ENDED: "nothing was sent, because the right to be told had ended."
}
