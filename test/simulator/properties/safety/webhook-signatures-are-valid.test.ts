import { createHmac } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { webhookSignaturesAreValid } from "../../../../simulator/properties/safety/webhook-signatures-are-valid.ts"
import { sha256Hex } from "../../../../src/canonical/digest.ts"
import { WebhookAttempts, WebhookDeliveries, WebhookSubscriptions } from "../../../../src/webhooks/store.ts"
import { SyntheticRun, put } from "../../support/synthetic-run.ts"
import { attempt, delivery, leased, subscription } from "../../support/webhook-rows.ts"

const [actor, receiver] = ["worker", "hooks"]
const body = { id: "event_1" }
const recorded = put(WebhookAttempts, { ...attempt, envelopeDigest: sha256Hex(JSON.stringify(body)) })
const held = put(WebhookDeliveries, { ...leased, scheduledAttempts: 1, totalAttempts: 1 })

const shown = (run: SyntheticRun, secret: string, secretVersion: number) =>
  run.answers("scout", 201, { secret, subscription: { id: "webhook_1", secretVersion } })

const begun = () =>
  shown(new SyntheticRun(webhookSignaturesAreValid), "secret 1", 1).holds(
    put(WebhookSubscriptions, subscription),
    put(WebhookDeliveries, delivery)
  )

const sends = (run: SyntheticRun, secret: string, changes: { readonly [header: string]: string } = {}) => {
  const timestamp = String(attempt.timestamp)
  const signature = `v1=${createHmac("sha256", secret)
    .update(`${timestamp}.${JSON.stringify(body)}`)
    .digest("hex")}`
  const headers = {
    "service-event-id": "event_1",
    "service-delivery-id": "whd_1",
    "service-timestamp": timestamp,
    "service-signature": signature,
    ...changes
  }
  return run.observes({ kind: "callback", actor, receiver, headers, body })
}

const forged = (run: SyntheticRun) =>
  run.observes({ kind: "received", receiver, delivery: "whd_1", type: "", sequence: 2, time: 1, made: "FORGED" })

const takes = (run: SyntheticRun, secret: string) =>
  run.observes({ kind: "act", actor: receiver, operation: "takeSecret", on: undefined, input: { secret } })

describe("webhook signatures are valid", () => {
  it("A recorded webhook request signed with the current secret is allowed", () => {
    assert.isUndefined(sends(begun().commits("worker", recorded, held), "secret 1").violation)
  })

  it("After a rotation a webhook request is signed with the new secret, also if its attempt was recorded before it", () => {
    const rotated = (run: SyntheticRun) =>
      shown(run.commits("worker", put(WebhookSubscriptions, { ...subscription, secretVersion: 2 })), "secret 2", 2)
    const run = () => rotated(begun().commits("worker", recorded, held))
    assert.isUndefined(sends(run(), "secret 2").violation)
    assert.isDefined(sends(run(), "secret 1").violation)
  })

  it("A wrong secret, a wrong event, a stale timestamp and an unrecorded webhook request are violations", () => {
    const run = () => begun().commits("worker", recorded, held)
    assert.isDefined(sends(run(), "another").violation)
    assert.isDefined(sends(run(), "secret 1", { "service-event-id": "event_2" }).violation)
    assert.isDefined(sends(run().later(3_000), "secret 1").violation)
    assert.isDefined(sends(begun(), "secret 1").violation)
  })

  it("A receiver with the only secret of a subscription that rejects a webhook request as forged is a violation", () => {
    assert.isDefined(forged(takes(begun(), "secret 1")).violation)
    assert.isUndefined(forged(takes(begun(), "the secret of another subscription")).violation)
    assert.isUndefined(forged(begun()).violation)
  })
})
