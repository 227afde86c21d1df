import { assert, describe, it } from "@effect/vitest"
import { aDeliveryComesTwice } from "../../../simulator/invariants/a-delivery-comes-twice.ts"
import { aDueDeliveryMovesOn } from "../../../simulator/invariants/a-due-delivery-moves-on.ts"
import { aLeaseRunsOut } from "../../../simulator/invariants/a-lease-runs-out.ts"
import { aSendIsGivenUp } from "../../../simulator/invariants/a-send-is-given-up.ts"
import { everyCallbackArrives } from "../../../simulator/invariants/every-callback-arrives.ts"
import type { Invariant } from "../../../simulator/invariants/invariant.ts"
import { addMilliseconds, never } from "../../../src/vocabulary/instant.ts"
import { WebhookDeliveries, WebhookEvents, WebhookSubscriptions } from "../../../src/webhooks/store.ts"
import { MadeUp, noon, put } from "../support/made-up.ts"
import { delivered, delivery, event, leased, subscription } from "../support/callback-rows.ts"

const [actor, receiver] = ["worker", "hooks"]
const long = 120_001

const begun = (invariant: Invariant) =>
  new MadeUp(invariant)
    .observes({ kind: "worker", actor, did: "STARTED" })
    .holds(put(WebhookSubscriptions, subscription), put(WebhookDeliveries, delivery))

const stopped = (run: MadeUp) => run.observes({ kind: "worker", actor, did: "STOPPED" })
const replies = (run: MadeUp, answer: number) =>
  run.observes({ kind: "reply", actor, receiver, delivery: "whd_1", answer })

describe("due delivery is attempted", () => {
  it("A recently due delivery, and an overdue one without a worker, are allowed", () => {
    assert.isUndefined(begun(aDueDeliveryMovesOn).later(1000).ends().broken)
    assert.isUndefined(stopped(begun(aDueDeliveryMovesOn)).later(long).ends().broken)
  })

  it("A delivery that is delivered, paused or scheduled later is not overdue", () => {
    const paused = put(WebhookSubscriptions, { ...subscription, isPaused: true, dueAt: never })
    const later = put(WebhookSubscriptions, { ...subscription, dueAt: addMilliseconds(noon, 120_000) })
    for (const change of [put(WebhookDeliveries, delivered), paused, later]) {
      assert.isUndefined(begun(aDueDeliveryMovesOn).commits("worker", change).later(long).ends().broken)
    }
  })

  it("A subscription that is scheduled long after its next delivery is due is a violation", () => {
    const delayed = put(WebhookSubscriptions, { ...subscription, dueAt: subscription.expiresAt })
    assert.isDefined(begun(aDueDeliveryMovesOn).commits("worker", delayed).broken)
    assert.isUndefined(
      begun(aDueDeliveryMovesOn).holds(put(WebhookDeliveries, delivered)).commits("worker", delayed).broken
    )
  })

  it("An overdue delivery at the end of the run is a violation", () => {
    assert.isDefined(begun(aDueDeliveryMovesOn).later(long).ends().broken)
  })
})

describe("every webhook is delivered", () => {
  it("An acknowledged delivery may be recorded as delivered", () => {
    const run = replies(begun(everyCallbackArrives).commits("worker", put(WebhookDeliveries, leased)), 204)
    assert.isUndefined(run.commits("worker", put(WebhookDeliveries, delivered)).later(long).ends().broken)
  })

  it("An acknowledgement may be lost by a stopped worker, a storage failure or a later failed attempt", () => {
    const run = () => replies(begun(everyCallbackArrives).commits("worker", put(WebhookDeliveries, leased)), 204)
    const fault = { kind: "fault", actor, fault: "40001", where: "commit", what: [] } as const
    const again = (run: MadeUp) => run.observes({ kind: "worker", actor, did: "STARTED" })
    for (const ended of [again(stopped(run())), run().observes(fault), replies(run(), 503)]) {
      assert.isUndefined(ended.later(long).ends().broken)
    }
  })

  it("An acknowledged delivery that is recorded otherwise or not at all is a violation", () => {
    const run = () => replies(begun(everyCallbackArrives).commits("worker", put(WebhookDeliveries, leased)), 204)
    assert.isDefined(run().commits("worker", put(WebhookDeliveries, delivery)).broken)
    assert.isDefined(run().later(long).ends().broken)
  })

  it("A committed event without deliveries is a violation while a worker runs", () => {
    const run = () => begun(everyCallbackArrives).commits("worker", put(WebhookEvents, event))
    assert.isDefined(run().later(long).ends().broken)
    assert.isUndefined(stopped(run()).later(long).ends().broken)
  })
})

describe("reachability properties of webhooks", () => {
  it("A second arrival of a delivery reaches 'duplicate delivery'", () => {
    const received = { kind: "received", receiver, delivery: "whd_1", type: "", sequence: 2, made: undefined } as const
    assert.isFalse(begun(aDeliveryComesTwice).observes({ ...received, time: 1 }).isReached)
    assert.isTrue(begun(aDeliveryComesTwice).observes({ ...received, time: 2 }).isReached)
  })

  it("A lease that another worker replaces reaches 'lease expiry'", () => {
    const run = begun(aLeaseRunsOut).commits("worker", put(WebhookDeliveries, leased))
    assert.isFalse(run.isReached)
    assert.isTrue(run.commits("worker", put(WebhookDeliveries, { ...leased, leaseToken: "token 2" })).isReached)
  })

  it("A cancelled delivery reaches 'cancelled delivery'", () => {
    assert.isFalse(begun(aSendIsGivenUp).commits("worker", put(WebhookDeliveries, delivered)).isReached)
    assert.isTrue(
      begun(aSendIsGivenUp).commits("worker", put(WebhookDeliveries, { ...delivered, state: "CANCELLED" })).isReached
    )
  })
})
