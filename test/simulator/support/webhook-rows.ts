/** Webhook rows after a subscription was created and an event was committed and numbered. */
import { never } from "../../../src/vocabulary/instant.ts"
import { canonicalText } from "../../../src/canonical/jcs.ts"
import type { DeliveryRow, EventRow, SubscriptionRow, WebhookAttempts } from "../../../src/webhooks/store.ts"
import type { RowOf } from "../../../src/ports/table.ts"
import { addMilliseconds } from "../../../src/vocabulary/instant.ts"
import { noon } from "./synthetic-run.ts"

export const subscription: SubscriptionRow = {
  subscriptionId: "webhook_1",
  owner: "grant_1",
  grantId: "grant_1",
  personId: "person_1",
  membershipId: "membership_1",
  target: "https://hooks.example.com/callbacks",
  projectIds: ["delivery_1"],
  eventTypes: ["delivery.submitted"],
  isPaused: false,
  createdAt: noon,
  expiresAt: addMilliseconds(noon, 86_400_000),
  revokedAt: null,
  secretVersion: 1,
  sealedSecret: "sealed",
  deliveryCount: 1,
  failures: 0,
  exhausted: 0,
  flights: [],
  dueAt: noon,
  leasedUntil: noon,
  leaseToken: ""
}

export const event: EventRow = {
  eventId: "event_1",
  projectId: "delivery_1",
  sequence: 2,
  type: "delivery.submitted",
  event: canonicalText({ id: "event_1", type: "delivery.submitted", headEventHash: "hash 2" } as never),
  subscriptionIds: ["webhook_1"],
  committedAt: noon,
  dueAt: noon,
  leasedUntil: noon,
  leaseToken: ""
}

export const delivery: DeliveryRow = {
  deliveryId: "whd_1",
  subscriptionId: "webhook_1",
  number: 1,
  checkpoint: "whc1_whd_1",
  eventId: "event_1",
  eventType: "delivery.submitted",
  projectId: "delivery_1",
  state: "PENDING",
  scheduledAttempts: 0,
  totalAttempts: 0,
  lastAttempt: null,
  dueAt: noon,
  leasedUntil: noon,
  leaseToken: ""
}

/** Leased by a worker for 30 seconds. */
export const leased: DeliveryRow = { ...delivery, leasedUntil: addMilliseconds(noon, 30_000), leaseToken: "token 1" }

export const attempt: RowOf<typeof WebhookAttempts> = {
  deliveryId: "whd_1",
  attempt: 1,
  subscriptionId: "webhook_1",
  at: noon,
  envelopeDigest: "digest",
  timestamp: Date.parse(noon) / 1000,
  leaseToken: "token 1",
  outcome: null,
  statusCode: null,
  durationMs: null
}

/** An acknowledged attempt. */
export const acknowledged = { ...attempt, outcome: "ACKNOWLEDGED", statusCode: 204, durationMs: 5 } as const
export const delivered: DeliveryRow = {
  ...delivery,
  state: "DELIVERED",
  scheduledAttempts: 1,
  totalAttempts: 1,
  lastAttempt: { at: noon, outcome: "ACKNOWLEDGED", statusCode: 204, durationMs: 5, envelopeDigest: "digest" },
  dueAt: never
}
