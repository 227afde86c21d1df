import { assert, describe, it } from "@effect/vitest"
import { sentWebhooksVerify } from "../../../../simulator/properties/safety/sent-webhooks-verify.ts"
import { WebhookDeliveries, WebhookSubscriptions } from "../../../../src/webhooks/store.ts"
import { SyntheticRun, noon, put } from "../../support/synthetic-run.ts"
import { delivery, subscription } from "../../support/webhook-rows.ts"

const timestamp = String(Date.parse(noon) / 1000)
const callback = { rawBody: '{"id":"event_1"}', timestamp, signature: "v1=abc" }

const begun = () =>
  new SyntheticRun(sentWebhooksVerify)
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

const asked = (run: SyntheticRun, shown: { readonly [part: string]: string } = callback, id = "webhook_1") =>
  run.asks("scout", "POST", `/api/agents/v1/webhooks/${id}/verify`, shown)

const denied = (run: SyntheticRun, error: string) => run.answers("scout", 409, { error })

describe("sent webhooks verify", () => {
  it("A sent webhook request may be verified repeatedly", () => {
    assert.isUndefined(asked(asked(begun()).answers("scout", 200)).answers("scout", 200).violation)
  })

  it("A refused verification of a fresh webhook request is a violation", () => {
    for (const error of ["WEBHOOK_EVENT_UNKNOWN", "WEBHOOK_SIGNATURE_INVALID", "WEBHOOK_TIMESTAMP_STALE"]) {
      assert.include(denied(asked(begun()), error).violation, error)
    }
  })

  it("A verification may be refused for a stale timestamp, a replaced secret, a wrong clock or an unauthorized caller", () => {
    assert.isUndefined(denied(asked(begun().later(301_000)), "WEBHOOK_TIMESTAMP_STALE").violation)
    const rotated = begun().commits("scout", put(WebhookSubscriptions, { ...subscription, secretVersion: 2 }))
    assert.isUndefined(denied(asked(rotated), "WEBHOOK_SIGNATURE_INVALID").violation)
    const input = { process: "service", offset: "+10m" }
    const off = begun().observes({ kind: "act", actor: "operator", operation: "setClock", on: undefined, input })
    assert.isUndefined(denied(asked(off), "WEBHOOK_TIMESTAMP_STALE").violation)
    assert.isUndefined(denied(asked(begun()), "AUTH_INVALID").violation)
  })

  it("A verified webhook request that was never sent is a violation", () => {
    for (const other of [
      { ...callback, rawBody: "{}" },
      { ...callback, timestamp: "1" },
      { ...callback, signature: "v1=def" }
    ]) {
      assert.include(asked(begun(), other).answers("scout", 200).violation, "that was never sent")
      assert.isUndefined(denied(asked(begun(), other), "WEBHOOK_EVENT_UNKNOWN").violation)
    }
    assert.isDefined(asked(begun(), callback, "webhook_2").answers("scout", 200).violation)
  })
})
