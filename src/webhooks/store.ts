/** The tables of callbacks: subscriptions, who listens where, the outbox, what is to be delivered, and every attempt. */
import { boolean, instant, integer, json, nullable, table, text, type RowOf } from "../ports/table.ts"
import type { Role } from "../access/actions.ts"
import type { EventType } from "../vocabulary/event-types.ts"
import type { DeliveryState, LastAttempt, Outcome } from "./delivery.ts"
import type { Flight } from "./subscription.ts"

export const WebhookSubscriptions = table("webhook_subscriptions", {
  columns: {
    subscriptionId: text(),
    /** The grant lineage or the person that it belongs to. */
    owner: text(),
    grantId: nullable(text()),
    /** The person who owns it, or who authorized the grant that does. */
    personId: text(),
    membershipId: text(),
    target: text(),
    projectIds: json<ReadonlyArray<string>>(),
    eventTypes: json<ReadonlyArray<EventType>>(),
    isPaused: boolean,
    createdAt: instant,
    expiresAt: instant,
    revokedAt: nullable(instant),
    secretVersion: integer,
    /** What its callbacks are signed with, sealed under the installation's key. */
    sealedSecret: text(),
    /** The number of its newest delivery. */
    deliveryCount: integer,
    /** Attempts that failed or were slow, one after another, up to now. */
    failures: integer,
    /** Its deliveries that failed as often as they are tried, and wait for their owner. */
    exhausted: integer,
    /** Its sends under way, in whichever worker. */
    flights: json<ReadonlyArray<Flight>>(),
    /** When a worker looks at it next; `never` while it is paused, and once it has ended. */
    dueAt: instant,
    leasedUntil: instant,
    leaseToken: text()
  },
  key: ["subscriptionId"],
  guard: { root: "subscription", by: "subscriptionId" },
  ordered: { byDue: ["dueAt", "subscriptionId"], byPerson: ["personId", "subscriptionId"] },
  lease: { dueAt: "dueAt", leasedUntil: "leasedUntil", token: "leaseToken" }
})

/** The subscriptions of one owner by when they end, so that those that live are counted without the others. */
export const WebhookPlaces = table("webhook_places", {
  columns: { owner: text(), subscriptionId: text(), endsAt: instant },
  key: ["owner", "subscriptionId"],
  guard: { root: "counter", by: "owner" },
  ordered: { byEnd: ["owner", "endsAt", "subscriptionId"] }
})

/** How far each project's events were numbered for a subscription. */
export const WebhookReaches = table("webhook_reaches", {
  columns: { subscriptionId: text(), projectId: text(), numberedThrough: integer },
  key: ["subscriptionId", "projectId"],
  guard: { root: "subscription", by: "subscriptionId" }
})

/** Who listens to a project right now: read under the project's lock by what appends an event. */
export const WebhookListeners = table("webhook_listeners", {
  columns: {
    projectId: text(),
    subscriptionId: text(),
    side: text<Role>(),
    eventTypes: json<ReadonlyArray<EventType>>(),
    expiresAt: instant
  },
  key: ["projectId", "subscriptionId"],
  guard: { root: "project", by: "projectId" }
})

/** The outbox: one row a commit, with the subscriptions that were active for it. It is kept, as what was sent. */
export const WebhookEvents = table("webhook_events", {
  columns: {
    eventId: text(),
    projectId: text(),
    /** As in the project's history: without gaps under the project's lock, so what is visible is a prefix. */
    sequence: integer,
    type: text<EventType>(),
    /** The canonical text of the event, without what an envelope adds to it. */
    event: text(),
    subscriptionIds: json<ReadonlyArray<string>>(),
    committedAt: instant,
    /** `never` once every subscription has numbered it. */
    dueAt: instant,
    leasedUntil: instant,
    leaseToken: text()
  },
  key: ["eventId"],
  guard: { root: "event", by: "eventId" },
  ordered: { byDue: ["dueAt", "eventId"], byProject: ["projectId", "sequence", "eventId"] },
  lease: { dueAt: "dueAt", leasedUntil: "leasedUntil", token: "leaseToken" }
})

/** One event for one subscription: what is to be sent, and how far that went. */
export const WebhookDeliveries = table("webhook_deliveries", {
  columns: {
    deliveryId: text(),
    subscriptionId: text(),
    /** Counts the deliveries of the subscription from 1, in the order in which readers see them. */
    number: integer,
    checkpoint: text(),
    eventId: text(),
    eventType: text<EventType>(),
    projectId: text(),
    state: text<DeliveryState>(),
    /** Since it was queued or queued again. */
    scheduledAttempts: integer,
    totalAttempts: integer,
    lastAttempt: nullable(json<LastAttempt>()),
    /** The next attempt, or the end of the lease of the one under way; `never` once nothing is left to do. */
    dueAt: instant,
    /** Empty while nobody sends it. */
    leaseToken: text()
  },
  key: ["deliveryId"],
  guard: { root: "subscription", by: "subscriptionId" },
  unique: { byNumber: ["subscriptionId", "number"], byCheckpoint: ["subscriptionId", "checkpoint"] },
  ordered: { byDue: ["subscriptionId", "dueAt", "deliveryId"], byPlace: ["subscriptionId", "number", "deliveryId"] }
})

/** Every attempt, with the digest of what was sent. */
export const WebhookAttempts = table("webhook_attempts", {
  columns: {
    deliveryId: text(),
    attempt: integer,
    subscriptionId: text(),
    at: instant,
    /** The digest of exactly what was sent; empty where nothing was. */
    envelopeDigest: text(),
    /** Unix seconds, as signed; null where nothing was sent. */
    timestamp: nullable(integer),
    leaseToken: text(),
    /** Null while it is under way, and for good where its worker died. */
    outcome: nullable(text<Outcome>()),
    statusCode: nullable(integer),
    durationMs: nullable(integer)
  },
  key: ["deliveryId", "attempt"],
  guard: { root: "subscription", by: "subscriptionId" },
  ordered: { byDigest: ["subscriptionId", "envelopeDigest", "deliveryId", "attempt"] }
})

export type SubscriptionRow = RowOf<typeof WebhookSubscriptions>
export type DeliveryRow = RowOf<typeof WebhookDeliveries>
export type EventRow = RowOf<typeof WebhookEvents>
