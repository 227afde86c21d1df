/** The tables of webhooks: subscriptions, listeners, the outbox, deliveries, and attempts. */
import { boolean, instant, integer, json, nullable, table, text, type RowOf } from "../ports/table.ts"
import type { Role } from "../access/actions.ts"
import type { CanonicalText } from "../canonical/jcs.ts"
import type { EventType } from "../vocabulary/event-types.ts"
import type { DeliveryState, LastAttempt, Outcome } from "./delivery.ts"
import type { WebhookPayload } from "./event.ts"
import type { SendInProgress } from "./subscription.ts"

export const WebhookSubscriptions = table("webhook_subscriptions", {
  columns: {
    subscriptionId: text(),
    /** The id of the grant lineage or of the person that owns it. */
    owner: text(),
    grantId: nullable(text()),
    /** The owner, or the person who authorized the owning grant. */
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
    /** The signing secret, sealed under the installation's key. */
    sealedSecret: text(),
    /** The number of its newest delivery. */
    deliveryCount: integer,
    /** Consecutive failed or slow attempts, up to the last one. */
    failures: integer,
    /** The number of its exhausted deliveries (dead letters), which its owner can redeliver. */
    exhausted: integer,
    /** Its sends in progress, in all workers. */
    flights: json<ReadonlyArray<SendInProgress>>(),
    /** When a worker next looks at it; `never` while it is paused, and once it has ended. */
    dueAt: instant,
    leasedUntil: instant,
    leaseToken: text()
  },
  key: ["subscriptionId"],
  guard: { lock: "subscription", by: "subscriptionId" },
  ordered: {
    byDue: ["dueAt", "subscriptionId"],
    byPerson: ["personId", "subscriptionId"],
    byCreation: ["personId", "createdAt", "subscriptionId"]
  },
  partial: { byDue: "dueAt" },
  lease: { dueAt: "dueAt", leasedUntil: "leasedUntil", token: "leaseToken" }
})

/** The quota slots of one owner by their ends, so that active ones are counted without reading ended ones. */
export const WebhookQuotaSlots = table("webhook_places", {
  columns: { owner: text(), subscriptionId: text(), endsAt: instant },
  key: ["owner", "subscriptionId"],
  guard: { lock: "counter", by: "owner" },
  ordered: { byEnd: ["owner", "endsAt", "subscriptionId"] }
})

/** Per project, the sequence through which events have been numbered for a subscription. */
export const WebhookProjectCursors = table("webhook_reaches", {
  columns: { subscriptionId: text(), projectId: text(), numberedThrough: integer },
  key: ["subscriptionId", "projectId"],
  guard: { lock: "subscription", by: "subscriptionId" }
})

/** The listeners of a project, read under the project's lock by each commit of an event. */
export const WebhookListeners = table("webhook_listeners", {
  columns: {
    projectId: text(),
    subscriptionId: text(),
    side: text<Role>(),
    eventTypes: json<ReadonlyArray<EventType>>(),
    expiresAt: instant
  },
  key: ["projectId", "subscriptionId"],
  guard: { lock: "project", by: "projectId" }
})

/** The outbox: one row for each commit, with the subscriptions active at that commit. Rows are kept. */
export const WebhookEvents = table("webhook_events", {
  columns: {
    eventId: text(),
    projectId: text(),
    /** The sequence in the project's history: gapless under the project's lock, so the visible rows are a prefix. */
    sequence: integer,
    type: text<EventType>(),
    /** The canonical text of the event, without the envelope's `currentNextAction`. */
    event: text<CanonicalText<WebhookPayload>>(),
    subscriptionIds: json<ReadonlyArray<string>>(),
    committedAt: instant,
    /** `never` once every subscription has numbered it. */
    dueAt: instant,
    leasedUntil: instant,
    leaseToken: text()
  },
  key: ["eventId"],
  guard: { lock: "event", by: "eventId" },
  ordered: { byDue: ["dueAt", "eventId"], byProject: ["projectId", "sequence", "eventId"] },
  partial: { byDue: "dueAt" },
  lease: { dueAt: "dueAt", leasedUntil: "leasedUntil", token: "leaseToken" }
})

/** A delivery: one event for one subscription, with its progress. */
export const WebhookDeliveries = table("webhook_deliveries", {
  columns: {
    deliveryId: text(),
    subscriptionId: text(),
    /** The position in the subscription's history, from 1. */
    number: integer,
    checkpoint: text(),
    eventId: text(),
    eventType: text<EventType>(),
    projectId: text(),
    state: text<DeliveryState>(),
    /** Attempts since it was last queued. */
    scheduledAttempts: integer,
    totalAttempts: integer,
    lastAttempt: nullable(json<LastAttempt>()),
    /** The next attempt; `never` in a final state. */
    dueAt: instant,
    /** The end of the lease of the attempt in progress; in the past while it is not leased. */
    leasedUntil: instant,
    /** Empty while it is not leased. */
    leaseToken: text()
  },
  key: ["deliveryId"],
  guard: { lock: "subscription", by: "subscriptionId" },
  unique: { byNumber: ["subscriptionId", "number"], byCheckpoint: ["subscriptionId", "checkpoint"] },
  ordered: { byDue: ["subscriptionId", "dueAt", "deliveryId"] },
  partial: { byDue: "dueAt" }
})

/** Every attempt, with the digest of the bytes sent; `at` is also in `lastAttempt` of its delivery while it is the newest. */
export const WebhookAttempts = table("webhook_attempts", {
  columns: {
    deliveryId: text(),
    attempt: integer,
    subscriptionId: text(),
    at: instant,
    /** The digest of the exact bytes sent; empty if nothing was sent. */
    envelopeDigest: text(),
    /** Unix seconds, as signed; null if nothing was sent. */
    timestamp: nullable(integer),
    leaseToken: text(),
    /** Null while it is in progress, and permanently if its worker died. */
    outcome: nullable(text<Outcome>()),
    statusCode: nullable(integer),
    durationMs: nullable(integer)
  },
  key: ["deliveryId", "attempt"],
  guard: { lock: "subscription", by: "subscriptionId" },
  ordered: { byDigest: ["subscriptionId", "envelopeDigest", "deliveryId", "attempt"] },
  partition: "at"
})

export type SubscriptionRow = RowOf<typeof WebhookSubscriptions>
export type DeliveryRow = RowOf<typeof WebhookDeliveries>
export type EventRow = RowOf<typeof WebhookEvents>
