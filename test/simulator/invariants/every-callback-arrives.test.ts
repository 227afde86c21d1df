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

describe("a due delivery moves on", () => {
  it("holds while it has not been due for long, and where nobody works", () => {
    assert.isUndefined(begun(aDueDeliveryMovesOn).later(1000).ends().broken)
    assert.isUndefined(stopped(begun(aDueDeliveryMovesOn)).later(long).ends().broken)
  })

  it("holds where it is delivered, paused, or looked at later", () => {
    const paused = put(WebhookSubscriptions, { ...subscription, isPaused: true, dueAt: never })
    const later = put(WebhookSubscriptions, { ...subscription, dueAt: addMilliseconds(noon, 120_000) })
    for (const change of [put(WebhookDeliveries, delivered), paused, later]) {
      assert.isUndefined(begun(aDueDeliveryMovesOn).commits("worker", change).later(long).ends().broken)
    }
  })

  it("is broken where its subscription is looked at long after it is due", () => {
    const asleep = put(WebhookSubscriptions, { ...subscription, dueAt: subscription.expiresAt })
    assert.isDefined(begun(aDueDeliveryMovesOn).commits("worker", asleep).broken)
    assert.isUndefined(
      begun(aDueDeliveryMovesOn).holds(put(WebhookDeliveries, delivered)).commits("worker", asleep).broken
    )
  })

  it("is broken where it is left lying", () => {
    assert.isDefined(begun(aDueDeliveryMovesOn).later(long).ends().broken)
  })
})

describe("every callback arrives", () => {
  it("holds where what was taken is written down", () => {
    const run = replies(begun(everyCallbackArrives).commits("worker", put(WebhookDeliveries, leased)), 204)
    assert.isUndefined(run.commits("worker", put(WebhookDeliveries, delivered)).later(long).ends().broken)
  })

  it("holds where the worker ends, the store fails, or the receiver takes it back", () => {
    const run = () => replies(begun(everyCallbackArrives).commits("worker", put(WebhookDeliveries, leased)), 204)
    const fault = { kind: "fault", actor, fault: "40001", where: "commit", what: [] } as const
    const again = (run: MadeUp) => run.observes({ kind: "worker", actor, did: "STARTED" })
    for (const ended of [again(stopped(run())), run().observes(fault), replies(run(), 503)]) {
      assert.isUndefined(ended.later(long).ends().broken)
    }
  })

  it("is broken where it is written down as something else, or not at all", () => {
    const run = () => replies(begun(everyCallbackArrives).commits("worker", put(WebhookDeliveries, leased)), 204)
    assert.isDefined(run().commits("worker", put(WebhookDeliveries, delivery)).broken)
    assert.isDefined(run().later(long).ends().broken)
  })

  it("is broken where what was committed is numbered for nobody", () => {
    const run = () => begun(everyCallbackArrives).commits("worker", put(WebhookEvents, event))
    assert.isDefined(run().later(long).ends().broken)
    assert.isUndefined(stopped(run()).later(long).ends().broken)
  })
})

describe("what has to come about sometimes", () => {
  it("sees a delivery that comes twice", () => {
    const received = { kind: "received", receiver, delivery: "whd_1", type: "", sequence: 2, made: undefined } as const
    assert.isFalse(begun(aDeliveryComesTwice).observes({ ...received, time: 1 }).isReached)
    assert.isTrue(begun(aDeliveryComesTwice).observes({ ...received, time: 2 }).isReached)
  })

  it("sees a lease that runs out", () => {
    const run = begun(aLeaseRunsOut).commits("worker", put(WebhookDeliveries, leased))
    assert.isFalse(run.isReached)
    assert.isTrue(run.commits("worker", put(WebhookDeliveries, { ...leased, leaseToken: "token 2" })).isReached)
  })

  it("sees a send that is given up", () => {
    assert.isFalse(begun(aSendIsGivenUp).commits("worker", put(WebhookDeliveries, delivered)).isReached)
    assert.isTrue(
      begun(aSendIsGivenUp).commits("worker", put(WebhookDeliveries, { ...delivered, state: "CANCELLED" })).isReached
    )
  })
})
