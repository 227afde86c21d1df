import { assert, describe, it } from "@effect/vitest"
import { whatWasSentVerifies } from "../../../simulator/invariants/what-was-sent-verifies.ts"
import { WebhookDeliveries, WebhookSubscriptions } from "../../../src/webhooks/store.ts"
import { MadeUp, noon, put } from "../support/made-up.ts"
import { delivery, subscription } from "../support/callback-rows.ts"

const timestamp = String(Date.parse(noon) / 1000)
const callback = { rawBody: '{"id":"event_1"}', timestamp, signature: "v1=abc" }

const begun = () =>
  new MadeUp(whatWasSentVerifies)
    .holds(put(WebhookSubscriptions, subscription), put(WebhookDeliveries, delivery))
    .observes({
      kind: "callback",
      actor: "worker",
      receiver: "hooks",
      headers: {
        "service-delivery-id": "whd_1",
        "service-timestamp": timestamp,
        "service-signature": callback.signature
      },
      body: { id: "event_1" }
    })

const asked = (run: MadeUp, shown: { readonly [part: string]: string } = callback, id = "webhook_1") =>
  run.asks("scout", "POST", `/api/agents/v1/webhooks/${id}/verify`, shown)

const denied = (run: MadeUp, error: string) => run.answers("scout", 409, { error })

describe("sent webhooks verify", () => {
  it("A sent webhook request may be verified repeatedly", () => {
    assert.isUndefined(asked(asked(begun()).answers("scout", 200)).answers("scout", 200).broken)
  })

  it("A refused verification of a fresh webhook request is a violation", () => {
    for (const error of ["WEBHOOK_EVENT_UNKNOWN", "WEBHOOK_SIGNATURE_INVALID", "WEBHOOK_TIMESTAMP_STALE"]) {
      assert.include(denied(asked(begun()), error).broken, error)
    }
  })

  it("A verification may be refused for a stale timestamp, a replaced secret, a wrong clock or an unauthorized caller", () => {
    assert.isUndefined(denied(asked(begun().later(301_000)), "WEBHOOK_TIMESTAMP_STALE").broken)
    const rotated = begun().commits("scout", put(WebhookSubscriptions, { ...subscription, secretVersion: 2 }))
    assert.isUndefined(denied(asked(rotated), "WEBHOOK_SIGNATURE_INVALID").broken)
    const input = { process: "service", offset: "+10m" }
    const off = begun().observes({ kind: "act", actor: "operator", operation: "setClock", on: undefined, input })
    assert.isUndefined(denied(asked(off), "WEBHOOK_TIMESTAMP_STALE").broken)
    assert.isUndefined(denied(asked(begun()), "AUTH_INVALID").broken)
  })

  it("A verified webhook request that was never sent is a violation", () => {
    for (const other of [
      { ...callback, rawBody: "{}" },
      { ...callback, timestamp: "1" },
      { ...callback, signature: "v1=def" }
    ]) {
      assert.include(asked(begun(), other).answers("scout", 200).broken, "that was never sent")
      assert.isUndefined(denied(asked(begun(), other), "WEBHOOK_EVENT_UNKNOWN").broken)
    }
    assert.isDefined(asked(begun(), callback, "webhook_2").answers("scout", 200).broken)
  })
})
