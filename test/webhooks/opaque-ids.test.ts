/** The formats of delivery ids and checkpoints. */
import { assert, describe, it } from "@effect/vitest"
import { formatCheckpoint, formatDeliveryId, parseCheckpoint } from "../../src/webhooks/opaque-ids.ts"

const subscriptionId = "webhook_00000000-0000-4000-8000-000000000001"

describe("a delivery id", () => {
  it("A delivery id is a digest of the subscription and the event.", () => {
    // printf '{"eventId":"event_1","subscriptionId":"webhook_1"}' | sha256sum
    const digest = "570d484653b0e2b8721a1953b7016c998424ec389eaa1f004dd90a7c73683905"
    assert.strictEqual(formatDeliveryId("webhook_1", "event_1"), `whd_${digest}`)
    assert.notStrictEqual(formatDeliveryId("webhook_2", "event_1"), formatDeliveryId("webhook_1", "event_1"))
    assert.notStrictEqual(formatDeliveryId("webhook_1", "event_2"), formatDeliveryId("webhook_1", "event_1"))
  })
})

describe("a checkpoint", () => {
  const start = formatCheckpoint(subscriptionId, undefined)
  const afterDelivery = formatCheckpoint(subscriptionId, "whd_1")

  it("A checkpoint is a digest of the subscription and the delivery, or of the subscription alone.", () => {
    // printf '<subscription id>.whd_1' | sha256sum, and without the delivery
    assert.strictEqual(afterDelivery, "whc1_whd_41429f29558908b18e5c07612885d13c3341f76a732d432daf6de8755358310d")
    assert.strictEqual(start, "whc1_whd_4b1d13a06af2d3cc5f8932705de42845204e4f7b727fed5527c2c87f252c069e")
  })

  it.each([
    [start, "START"],
    [afterDelivery, "AFTER_DELIVERY"],
    [formatCheckpoint("webhook_2", undefined), "AFTER_DELIVERY"],
    [formatDeliveryId(subscriptionId, "event_1"), "OUTDATED"],
    ["whd_", "OUTDATED"],
    ["", "MALFORMED"],
    [afterDelivery.slice(0, -1), "MALFORMED"],
    [`${afterDelivery}0`, "MALFORMED"],
    [`${afterDelivery}\n`, "MALFORMED"],
    [` ${afterDelivery}`, "MALFORMED"],
    [afterDelivery.toUpperCase(), "MALFORMED"],
    ["whc2_whd_1", "MALFORMED"]
  ] as const)("The text %j is parsed as %s.", (text, expected) => {
    assert.strictEqual(parseCheckpoint(subscriptionId, text), expected)
  })
})
