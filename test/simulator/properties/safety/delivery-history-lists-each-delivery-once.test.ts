import { assert, describe, it } from "@effect/vitest"
import { deliveryHistoryListsEachDeliveryOnce } from "../../../../simulator/properties/safety/delivery-history-lists-each-delivery-once.ts"
import { WebhookDeliveries, WebhookEvents, WebhookSubscriptions } from "../../../../src/webhooks/store.ts"
import { SyntheticRun, put } from "../../support/synthetic-run.ts"
import { delivery, event, subscription } from "../../support/webhook-rows.ts"

const second = {
  event: { ...event, eventId: "event_2", sequence: 3 },
  delivery: { ...delivery, deliveryId: "whd_2", number: 2, checkpoint: "whc1_whd_2", eventId: "event_2" }
}

const begun = () =>
  new SyntheticRun(deliveryHistoryListsEachDeliveryOnce)
    .holds(put(WebhookSubscriptions, subscription), put(WebhookEvents, event), put(WebhookDeliveries, delivery))
    .commits("worker", put(WebhookEvents, second.event), put(WebhookDeliveries, second.delivery))

const path = "/api/agents/v1/webhooks/webhook_1/deliveries"

const asks = (run: SyntheticRun, after?: string) =>
  run.asks("scout", "GET", after === undefined ? path : `${path}?after=${after}`)

const gets = (run: SyntheticRun, ids: ReadonlyArray<string>, checkpoint: string, next: string | null = null) =>
  run.answers("scout", 200, { deliveries: ids.map((deliveryId) => ({ deliveryId })), checkpoint, next })

describe("delivery history lists each delivery once", () => {
  it("Complete pages from the beginning, from a checkpoint and at the end are allowed", () => {
    assert.isUndefined(gets(asks(begun()), ["whd_1", "whd_2"], "whc1_whd_2").violation)
    assert.isUndefined(gets(asks(begun(), "whc1_whd_1"), ["whd_2"], "whc1_whd_2").violation)
    assert.isUndefined(gets(asks(begun(), "whc1_whd_2"), [], "whc1_whd_2").violation)
    assert.isUndefined(gets(asks(begun()), ["whd_1"], "whc1_whd_1", "whc1_whd_1").violation)
  })

  it.each([
    ["repeats a delivery", "whc1_whd_1", ["whd_1", "whd_2"], "whc1_whd_2"],
    ["omits a delivery", undefined, ["whd_2"], "whc1_whd_2"],
    ["reverses the order", undefined, ["whd_2", "whd_1"], "whc1_whd_1"],
    ["ends too early", undefined, ["whd_1"], "whc1_whd_1"],
    ["has another checkpoint", "whc1_whd_1", ["whd_2"], "whc1_whd_1"],
    ["changes the checkpoint without a delivery", "whc1_whd_2", [], "whc1_whd_1"]
  ])("A history page that %s is a violation", (_, after, ids, checkpoint) => {
    assert.isDefined(gets(asks(begun(), after), ids, checkpoint).violation)
  })

  it("A history page need not contain events that were committed after its request", () => {
    const run = asks(begun()).holds(put(WebhookEvents, { ...event, eventId: "event_3", sequence: 4 }))
    assert.isUndefined(gets(run, ["whd_1", "whd_2"], "whc1_whd_2").violation)
  })

  it("A late event with a number after a later event, and a changed number, are violations", () => {
    const late = { ...delivery, deliveryId: "whd_3", number: 3, checkpoint: "whc1_whd_3", eventId: "event_0" }
    const run = begun().commits("worker", put(WebhookEvents, { ...event, eventId: "event_0", sequence: 1 }))
    assert.isDefined(run.commits("worker", put(WebhookDeliveries, late)).violation)
    assert.isDefined(begun().commits("worker", put(WebhookDeliveries, { ...delivery, number: 3 })).violation)
  })
})
