import { assert, describe, it } from "@effect/vitest"
import { attemptsAreCountedUnderALease } from "../../../../simulator/properties/safety/attempts-are-counted-under-a-lease.ts"
import { WebhookAttempts, WebhookDeliveries, WebhookSubscriptions } from "../../../../src/webhooks/store.ts"
import { addMilliseconds } from "../../../../src/vocabulary/instant.ts"
import { SyntheticRun, noon, put, remove } from "../../support/synthetic-run.ts"
import { acknowledged, attempt, delivered, delivery, leased, subscription } from "../../support/webhook-rows.ts"

const begun = () =>
  new SyntheticRun(attemptsAreCountedUnderALease).holds(
    put(WebhookSubscriptions, subscription),
    put(WebhookDeliveries, delivery)
  )

const recorded = { ...leased, scheduledAttempts: 1, totalAttempts: 1 }

describe("attempts are counted under a lease under a lease", () => {
  it("A leased attempt may be recorded and acknowledged", () => {
    const run = begun()
      .commits("worker", put(WebhookDeliveries, leased))
      .commits("worker", put(WebhookAttempts, attempt), put(WebhookDeliveries, recorded))
      .commits("worker", put(WebhookAttempts, acknowledged), put(WebhookDeliveries, delivered))
    assert.isUndefined(run.violation)
  })

  it("Another worker may reclaim a delivery after its lease expired", () => {
    const other = { ...recorded, leaseToken: "token 2", leasedUntil: addMilliseconds(noon, 60_000) }
    const run = begun().holds(put(WebhookDeliveries, recorded), put(WebhookAttempts, attempt))
    assert.isUndefined(run.later(30_000).commits("worker", put(WebhookDeliveries, other)).violation)
  })

  it.each([
    ["reclaim before the lease expires", [put(WebhookDeliveries, { ...recorded, leaseToken: "token 2" })]],
    ["lost attempt", [put(WebhookDeliveries, { ...recorded, totalAttempts: 0, scheduledAttempts: 0 })]],
    ["count without an attempt", [put(WebhookDeliveries, { ...recorded, totalAttempts: 2 })]],
    [
      "gap in the attempt numbers",
      [
        put(WebhookAttempts, { ...attempt, attempt: 3 }),
        put(WebhookDeliveries, { ...recorded, totalAttempts: 2, scheduledAttempts: 2 })
      ]
    ],
    [
      "attempt written without the lease",
      [
        put(WebhookAttempts, { ...attempt, attempt: 2, leaseToken: "token 2" }),
        put(WebhookDeliveries, { ...recorded, totalAttempts: 2, scheduledAttempts: 2 })
      ]
    ],
    ["acknowledgement written without the lease", [put(WebhookAttempts, { ...acknowledged, leaseToken: "token 2" })]],
    ["change of a sent attempt", [put(WebhookAttempts, { ...acknowledged, envelopeDigest: "another" })]],
    [
      "second attempt under one lease",
      [
        put(WebhookAttempts, { ...attempt, attempt: 2 }),
        put(WebhookDeliveries, { ...recorded, totalAttempts: 2, scheduledAttempts: 2 })
      ]
    ],
    ["release with its token during the lease", [put(WebhookDeliveries, { ...recorded, leasedUntil: noon })]],
    [
      "deletion of an attempt that was sent",
      [remove(WebhookAttempts, { deliveryId: "whd_1", attempt: 1 }), put(WebhookDeliveries, leased)]
    ],
    ["deletion of an attempt that still counts", [remove(WebhookAttempts, { deliveryId: "whd_1", attempt: 1 })]],
    ["ninth attempt", [put(WebhookDeliveries, { ...recorded, scheduledAttempts: 9, totalAttempts: 9 }), ...nine()]],
    [
      "duplicate delivery in flight",
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
  ])("A delivery with this defect is a violation: %s", (_, changes) => {
    const run = begun().holds(put(WebhookDeliveries, recorded), put(WebhookAttempts, attempt)).sendsWebhook("whd_1")
    assert.isDefined(run.commits("worker", ...changes).violation)
  })

  it("An attempt of which nothing was sent may be removed by the holder of the lease only", () => {
    const removed = remove(WebhookAttempts, { deliveryId: "whd_1", attempt: 1 })
    const unsent = begun().holds(put(WebhookDeliveries, recorded), put(WebhookAttempts, attempt))
    assert.isUndefined(unsent.commits("worker", removed, put(WebhookDeliveries, leased)).violation)
    const lost = { ...recorded, leaseToken: "token 2" }
    const other = begun().holds(put(WebhookDeliveries, lost), put(WebhookAttempts, attempt))
    assert.isDefined(
      other.commits("worker", removed, put(WebhookDeliveries, { ...lost, totalAttempts: 0, scheduledAttempts: 0 }))
        .violation
    )
  })

  it("A lease is ended early by the process that holds it only", () => {
    const claimed = () => begun().commits("worker", put(WebhookDeliveries, leased))
    assert.isUndefined(claimed().commits("worker", put(WebhookDeliveries, delivery)).violation)
    assert.include(
      claimed().commits("scout", put(WebhookDeliveries, delivery)).violation,
      "scout ended the lease of worker"
    )
  })

  it("An attempt that ends twice is a violation", () => {
    const run = begun().holds(put(WebhookDeliveries, recorded), put(WebhookAttempts, acknowledged))
    assert.include(
      run.commits("worker", put(WebhookAttempts, { ...acknowledged, statusCode: 500 })).violation,
      "ended twice"
    )
  })
})

function nine() {
  return [2, 3, 4, 5, 6, 7, 8, 9].map((number) => put(WebhookAttempts, { ...attempt, attempt: number }))
}
