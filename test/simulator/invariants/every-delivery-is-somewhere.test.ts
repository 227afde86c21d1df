import { assert, describe, it } from "@effect/vitest"
import { everyDeliveryIsSomewhere } from "../../../simulator/invariants/every-delivery-is-somewhere.ts"
import { WebhookAttempts, WebhookDeliveries, WebhookSubscriptions } from "../../../src/webhooks/store.ts"
import { addMilliseconds, never } from "../../../src/vocabulary/instant.ts"
import { MadeUp, noon, put, remove } from "../support/made-up.ts"
import { acknowledged, delivered, delivery, subscription } from "../support/callback-rows.ts"

const begun = () =>
  new MadeUp(everyDeliveryIsSomewhere)
    .holds(put(WebhookSubscriptions, subscription), put(WebhookDeliveries, delivery))
    .holds(put(WebhookAttempts, acknowledged))

const over = { dueAt: never, leaseToken: "" }
const ended = {
  at: noon,
  outcome: "AUTHORITY_ENDED",
  statusCode: null,
  durationMs: null,
  envelopeDigest: null
} as const

describe("every delivery is somewhere", () => {
  it.each([
    ["waits", [put(WebhookDeliveries, delivery)]],
    ["was acknowledged", [put(WebhookDeliveries, delivered)]],
    ["was cancelled", [put(WebhookDeliveries, { ...delivery, ...over, state: "CANCELLED", lastAttempt: ended })]],
    [
      "was given up",
      [
        put(WebhookDeliveries, { ...delivered, state: "EXHAUSTED", scheduledAttempts: 8, totalAttempts: 8 }),
        put(WebhookSubscriptions, { ...subscription, exhausted: 1 })
      ]
    ],
    ["waits while it is paused", [put(WebhookSubscriptions, { ...subscription, isPaused: true, dueAt: never })]],
    ["waits where all is over", [put(WebhookSubscriptions, { ...subscription, revokedAt: noon, dueAt: never })]]
  ])("holds where it %s", (_, changes) => {
    assert.isUndefined(begun().commits("worker", ...changes).broken)
  })

  it.each([
    ["waits for nothing", [put(WebhookDeliveries, { ...delivery, dueAt: never })]],
    ["is delivered and goes on", [put(WebhookDeliveries, { ...delivered, dueAt: noon })]],
    ["is delivered and was refused", [put(WebhookDeliveries, delivered), put(WebhookAttempts, refused())]],
    [
      "is given up early",
      [put(WebhookDeliveries, { ...delivered, state: "EXHAUSTED", scheduledAttempts: 7, totalAttempts: 7 })]
    ],
    [
      "is given up and not counted",
      [put(WebhookDeliveries, { ...delivered, state: "EXHAUSTED", scheduledAttempts: 8, totalAttempts: 8 })]
    ],
    ["is cancelled and does not say why", [put(WebhookDeliveries, { ...delivery, ...over, state: "CANCELLED" })]],
    ["is looked at by nobody", [put(WebhookSubscriptions, { ...subscription, dueAt: never })]],
    [
      "is looked at too late",
      [put(WebhookSubscriptions, { ...subscription, dueAt: addMilliseconds(subscription.expiresAt, 1) })]
    ],
    ["has another's number", [put(WebhookDeliveries, { ...delivery, number: 2 })]],
    ["is gone", [remove(WebhookDeliveries, { deliveryId: "whd_1" })]]
  ])("is broken where it %s", (_, changes) => {
    assert.isDefined(begun().commits("worker", ...changes).broken)
  })
})

function refused() {
  return { ...acknowledged, outcome: "HTTP_STATUS", statusCode: 500 } as const
}
