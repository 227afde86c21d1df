import { assert, describe, it } from "@effect/vitest"
import { attemptsAreCounted } from "../../../simulator/invariants/attempts-are-counted.ts"
import { WebhookAttempts, WebhookDeliveries, WebhookSubscriptions } from "../../../src/webhooks/store.ts"
import { addMilliseconds } from "../../../src/vocabulary/instant.ts"
import { MadeUp, noon, put, remove } from "../support/made-up.ts"
import { acknowledged, attempt, delivered, delivery, leased, subscription } from "../support/callback-rows.ts"

const begun = () =>
  new MadeUp(attemptsAreCounted).holds(put(WebhookSubscriptions, subscription), put(WebhookDeliveries, delivery))

const recorded = { ...leased, scheduledAttempts: 1, totalAttempts: 1 }

describe("attempts are counted", () => {
  it("holds from a lease to its acknowledgement", () => {
    const run = begun()
      .commits("worker", put(WebhookDeliveries, leased))
      .commits("worker", put(WebhookAttempts, attempt), put(WebhookDeliveries, recorded))
      .commits("worker", put(WebhookAttempts, acknowledged), put(WebhookDeliveries, delivered))
    assert.isUndefined(run.broken)
  })

  it("holds where a lease ran out and another worker takes over", () => {
    const other = { ...recorded, leaseToken: "token 2", dueAt: addMilliseconds(noon, 60_000) }
    const run = begun().holds(put(WebhookDeliveries, recorded), put(WebhookAttempts, attempt))
    assert.isUndefined(run.later(30_000).commits("worker", put(WebhookDeliveries, other)).broken)
  })

  it.each([
    ["takes over before the lease has ended", [put(WebhookDeliveries, { ...recorded, leaseToken: "token 2" })]],
    ["forgets one", [put(WebhookDeliveries, { ...recorded, totalAttempts: 0, scheduledAttempts: 0 })]],
    ["counts one that is not there", [put(WebhookDeliveries, { ...recorded, totalAttempts: 2 })]],
    [
      "leaves a number out",
      [
        put(WebhookAttempts, { ...attempt, attempt: 3 }),
        put(WebhookDeliveries, { ...recorded, totalAttempts: 2, scheduledAttempts: 2 })
      ]
    ],
    [
      "is written by one who does not hold it",
      [
        put(WebhookAttempts, { ...attempt, attempt: 2, leaseToken: "token 2" }),
        put(WebhookDeliveries, { ...recorded, totalAttempts: 2, scheduledAttempts: 2 })
      ]
    ],
    ["is acknowledged by one who does not hold it", [put(WebhookAttempts, { ...acknowledged, leaseToken: "token 2" })]],
    ["is changed after it was sent", [put(WebhookAttempts, { ...acknowledged, envelopeDigest: "another" })]],
    [
      "is made twice under one lease",
      [
        put(WebhookAttempts, { ...attempt, attempt: 2 }),
        put(WebhookDeliveries, { ...recorded, totalAttempts: 2, scheduledAttempts: 2 })
      ]
    ],
    ["is put up again while it is held", [put(WebhookDeliveries, { ...recorded, dueAt: noon })]],
    ["is taken away", [remove(WebhookAttempts, { deliveryId: "whd_1", attempt: 1 })]],
    [
      "goes on past eight",
      [put(WebhookDeliveries, { ...recorded, scheduledAttempts: 9, totalAttempts: 9 }), ...nine()]
    ],
    [
      "is under way twice",
      [
        put(WebhookSubscriptions, {
          ...subscription,
          flights: [
            { deliveryId: "whd_1", until: noon },
            { deliveryId: "whd_1", until: noon }
          ]
        })
      ]
    ]
  ])("is broken where one %s", (_, changes) => {
    const run = begun().holds(put(WebhookDeliveries, recorded), put(WebhookAttempts, attempt))
    assert.isDefined(run.commits("worker", ...changes).broken)
  })

  it("is broken where an attempt ends twice", () => {
    const run = begun().holds(put(WebhookDeliveries, recorded), put(WebhookAttempts, acknowledged))
    assert.include(
      run.commits("worker", put(WebhookAttempts, { ...acknowledged, statusCode: 500 })).broken,
      "ended twice"
    )
  })
})

function nine() {
  return [2, 3, 4, 5, 6, 7, 8, 9].map((number) => put(WebhookAttempts, { ...attempt, attempt: number }))
}
