import { assert, describe, it } from "@effect/vitest"
import { noDeliveryIsLost } from "../../../../simulator/properties/safety/no-delivery-is-lost.ts"
import { WebhookAttempts, WebhookDeliveries, WebhookSubscriptions } from "../../../../src/webhooks/store.ts"
import { addMilliseconds, never } from "../../../../src/vocabulary/instant.ts"
import { SyntheticRun, noon, put, remove } from "../../support/synthetic-run.ts"
import { acknowledged, delivered, delivery, leased, subscription } from "../../support/webhook-rows.ts"

const begun = () =>
  new SyntheticRun(noDeliveryIsLost)
    .holds(put(WebhookSubscriptions, subscription), put(WebhookDeliveries, delivery))
    .holds(put(WebhookAttempts, acknowledged))

const inactive = { dueAt: never, leaseToken: "" }
const ended = {
  at: noon,
  outcome: "AUTHORITY_ENDED",
  statusCode: null,
  durationMs: null,
  envelopeDigest: null
} as const

describe("no delivery is lost", () => {
  it.each([
    ["pending", [put(WebhookDeliveries, delivery)]],
    ["acknowledged", [put(WebhookDeliveries, delivered)]],
    [
      "cancelled with a reason",
      [put(WebhookDeliveries, { ...delivery, ...inactive, state: "CANCELLED", lastAttempt: ended })]
    ],
    [
      "exhausted",
      [
        put(WebhookDeliveries, { ...delivered, state: "EXHAUSTED", scheduledAttempts: 8, totalAttempts: 8 }),
        put(WebhookSubscriptions, { ...subscription, exhausted: 1 })
      ]
    ],
    [
      "pending in a paused subscription",
      [put(WebhookSubscriptions, { ...subscription, isPaused: true, dueAt: never })]
    ],
    [
      "pending in a revoked subscription",
      [put(WebhookSubscriptions, { ...subscription, revokedAt: noon, dueAt: never })]
    ]
  ])("A delivery may be %s", (_, changes) => {
    assert.isUndefined(begun().commits("worker", ...changes).violation)
  })

  it.each([
    ["leased without an end", [put(WebhookDeliveries, { ...leased, leasedUntil: never })]],
    ["pending without a due time", [put(WebhookDeliveries, { ...delivery, dueAt: never })]],
    ["delivered and scheduled", [put(WebhookDeliveries, { ...delivered, dueAt: noon })]],
    ["delivered after a failed attempt", [put(WebhookDeliveries, delivered), put(WebhookAttempts, refused())]],
    [
      "exhausted too early",
      [put(WebhookDeliveries, { ...delivered, state: "EXHAUSTED", scheduledAttempts: 7, totalAttempts: 7 })]
    ],
    [
      "exhausted and not counted",
      [put(WebhookDeliveries, { ...delivered, state: "EXHAUSTED", scheduledAttempts: 8, totalAttempts: 8 })]
    ],
    ["cancelled without a reason", [put(WebhookDeliveries, { ...delivery, ...inactive, state: "CANCELLED" })]],
    ["in an unscheduled subscription", [put(WebhookSubscriptions, { ...subscription, dueAt: never })]],
    [
      "in a subscription scheduled after its expiry",
      [put(WebhookSubscriptions, { ...subscription, dueAt: addMilliseconds(subscription.expiresAt, 1) })]
    ],
    ["numbered with a gap", [put(WebhookDeliveries, { ...delivery, number: 2 })]],
    ["deleted", [remove(WebhookDeliveries, { deliveryId: "whd_1" })]]
  ])("A delivery that is %s is a violation", (_, changes) => {
    assert.isDefined(begun().commits("worker", ...changes).violation)
  })
})

function refused() {
  return { ...acknowledged, outcome: "HTTP_STATUS", statusCode: 500 } as const
}
