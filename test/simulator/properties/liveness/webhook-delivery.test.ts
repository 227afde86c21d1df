import { assert, describe, it } from "@effect/vitest"
import { dueDeliveryIsAttempted } from "../../../../simulator/properties/liveness/due-delivery-is-attempted.ts"
import { everyWebhookIsDelivered } from "../../../../simulator/properties/liveness/every-webhook-is-delivered.ts"
import type { MonitoredProperty } from "../../../../simulator/properties/property.ts"
import { addMilliseconds, never } from "../../../../src/vocabulary/instant.ts"
import { WebhookDeliveries, WebhookEvents, WebhookSubscriptions } from "../../../../src/webhooks/store.ts"
import { propertyNamed } from "../../support/property-named.ts"
import { SyntheticRun, noon, put } from "../../support/synthetic-run.ts"
import { delivered, delivery, event, leased, subscription } from "../../support/webhook-rows.ts"

const [actor, receiver] = ["worker", "hooks"]
const long = 120_001

const begun = (property: MonitoredProperty) =>
  new SyntheticRun(property)
    .observes({ kind: "worker", actor, did: "STARTED" })
    .holds(put(WebhookSubscriptions, subscription), put(WebhookDeliveries, delivery))

const stopped = (run: SyntheticRun) => run.observes({ kind: "worker", actor, did: "STOPPED" })
const replies = (run: SyntheticRun, answer: number) =>
  run.observes({ kind: "reply", actor, receiver, delivery: "whd_1", answer })

describe("due delivery is attempted", () => {
  it("A recently due delivery, and an overdue one without a worker, are allowed", () => {
    assert.isUndefined(begun(dueDeliveryIsAttempted).later(1000).ends().violation)
    assert.isUndefined(stopped(begun(dueDeliveryIsAttempted)).later(long).ends().violation)
  })

  it("A delivery that is delivered, paused or scheduled later is not overdue", () => {
    const paused = put(WebhookSubscriptions, { ...subscription, isPaused: true, dueAt: never })
    const later = put(WebhookSubscriptions, { ...subscription, dueAt: addMilliseconds(noon, 120_000) })
    for (const change of [put(WebhookDeliveries, delivered), paused, later]) {
      assert.isUndefined(begun(dueDeliveryIsAttempted).commits("worker", change).later(long).ends().violation)
    }
  })

  it("A subscription that is scheduled long after its next delivery is due is a violation", () => {
    const delayed = put(WebhookSubscriptions, { ...subscription, dueAt: subscription.expiresAt })
    assert.isDefined(begun(dueDeliveryIsAttempted).commits("worker", delayed).violation)
    assert.isUndefined(
      begun(dueDeliveryIsAttempted).holds(put(WebhookDeliveries, delivered)).commits("worker", delayed).violation
    )
  })

  it("An overdue delivery at the end of the run is a violation", () => {
    assert.isDefined(begun(dueDeliveryIsAttempted).later(long).ends().violation)
  })
})

describe("every webhook is delivered", () => {
  it("An acknowledged delivery may be recorded as delivered", () => {
    const run = replies(begun(everyWebhookIsDelivered).commits("worker", put(WebhookDeliveries, leased)), 204)
    assert.isUndefined(run.commits("worker", put(WebhookDeliveries, delivered)).later(long).ends().violation)
  })

  it("An acknowledgement may be lost by a stopped worker, a storage failure or a later failed attempt", () => {
    const run = () => replies(begun(everyWebhookIsDelivered).commits("worker", put(WebhookDeliveries, leased)), 204)
    const fault = { kind: "fault", actor, fault: "40001", where: "commit", what: [] } as const
    const again = (run: SyntheticRun) => run.observes({ kind: "worker", actor, did: "STARTED" })
    for (const ended of [again(stopped(run())), run().observes(fault), replies(run(), 503)]) {
      assert.isUndefined(ended.later(long).ends().violation)
    }
  })

  it("An acknowledged delivery that is recorded otherwise or not at all is a violation", () => {
    const run = () => replies(begun(everyWebhookIsDelivered).commits("worker", put(WebhookDeliveries, leased)), 204)
    assert.isDefined(run().commits("worker", put(WebhookDeliveries, delivery)).violation)
    assert.isDefined(run().later(long).ends().violation)
  })

  it("A committed event without deliveries is a violation while a worker runs", () => {
    const run = () => begun(everyWebhookIsDelivered).commits("worker", put(WebhookEvents, event))
    assert.isDefined(run().later(long).ends().violation)
    assert.isUndefined(stopped(run()).later(long).ends().violation)
  })
})

describe("reachability properties of webhooks", () => {
  it("A second arrival of a delivery reaches 'duplicate delivery'", () => {
    const received = { kind: "received", receiver, delivery: "whd_1", type: "", sequence: 2, made: undefined } as const
    assert.isFalse(begun(propertyNamed("duplicate delivery")).observes({ ...received, time: 1 }).isReached)
    assert.isTrue(begun(propertyNamed("duplicate delivery")).observes({ ...received, time: 2 }).isReached)
  })

  it("A lease that another worker replaces reaches 'lease expiry'", () => {
    const run = begun(propertyNamed("lease expiry")).commits("worker", put(WebhookDeliveries, leased))
    assert.isFalse(run.isReached)
    assert.isTrue(run.commits("worker", put(WebhookDeliveries, { ...leased, leaseToken: "token 2" })).isReached)
  })

  it("A cancelled delivery reaches 'cancelled delivery'", () => {
    assert.isFalse(
      begun(propertyNamed("cancelled delivery")).commits("worker", put(WebhookDeliveries, delivered)).isReached
    )
    assert.isTrue(
      begun(propertyNamed("cancelled delivery")).commits(
        "worker",
        put(WebhookDeliveries, { ...delivered, state: "CANCELLED" })
      ).isReached
    )
  })
})
