/** The conforming receiver's verdict on each request. */
import { createHmac } from "node:crypto"
import { assert, describe, it } from "vitest"
import { Receiver } from "../../../../simulator/environment/webhook-receivers/receiver.ts"

const now = Date.UTC(2026, 0, 5)
const secret = "a secret"

const request = (
  event: { readonly id: string; readonly sequence: number },
  { at = now, key = secret, spoil = "" }: { at?: number; key?: string; spoil?: string } = {}
) => {
  const body = JSON.stringify({ ...event, type: "record.changed", projectId: "p" })
  const timestamp = String(Math.floor(at / 1000))
  const signature = `v1=${createHmac("sha256", key).update(`${timestamp}.${body}`).digest("hex")}`
  const headers = {
    "service-event-id": event.id,
    "service-delivery-id": `delivery of ${event.id}`,
    "service-timestamp": timestamp,
    "service-signature": signature
  }
  return { headers, body: body + spoil }
}

const receiver = () => {
  const subject = new Receiver("hooks", { host: "hooks.example.com" })
  subject.setSecret(secret)
  return {
    verdictOf: (...args: Parameters<typeof request>) => subject.receive(request(...args), true, now).made,
    subject
  }
}

describe("conforming receiver", () => {
  it("A receiver accepts an event once and detects an older one", () => {
    const { verdictOf } = receiver()
    assert.strictEqual(verdictOf({ id: "a", sequence: 2 }), "TAKEN")
    assert.strictEqual(verdictOf({ id: "a", sequence: 2 }), "REPEATED")
    assert.strictEqual(verdictOf({ id: "c", sequence: 4 }), "TAKEN")
    assert.strictEqual(verdictOf({ id: "b", sequence: 3 }), "OLDER")
    assert.strictEqual(verdictOf({ id: "b", sequence: 3 }), "REPEATED")
  })

  it.each([
    ["five minutes old", -300_000, "TAKEN"],
    ["a second older", -301_000, "STALE"],
    ["five minutes early", 300_000, "TAKEN"],
    ["a second earlier", 301_000, "STALE"],
    ["without a valid timestamp", Number.NaN, "STALE"]
  ] as const)("A receiver accepts only fresh requests: %s", (_, offset, subject) => {
    assert.strictEqual(receiver().verdictOf({ id: "a", sequence: 2 }, { at: now + offset }), subject)
  })

  it("A receiver accepts only exact bytes signed with its latest secret", () => {
    const { verdictOf, subject } = receiver()
    assert.strictEqual(verdictOf({ id: "a", sequence: 2 }, { spoil: " " }), "FORGED")
    assert.strictEqual(verdictOf({ id: "a", sequence: 2 }, { key: "another" }), "FORGED")
    subject.setSecret("another")
    assert.strictEqual(verdictOf({ id: "a", sequence: 2 }), "FORGED")
    assert.strictEqual(verdictOf({ id: "a", sequence: 2 }, { key: "another" }), "TAKEN")
    const withoutSecret = new Receiver("hooks", { host: "hooks.example.com" })
    assert.strictEqual(withoutSecret.receive(request({ id: "a", sequence: 2 }), true, now).made, "FORGED")
  })

  it("A receiver counts unverified requests without a verdict", () => {
    const { verdictOf, subject } = receiver()
    assert.isUndefined(subject.receive(request({ id: "a", sequence: 2 }), false, now).made)
    assert.strictEqual(verdictOf({ id: "a", sequence: 2 }), "TAKEN")
    assert.strictEqual(subject.arrivals.at(-1)?.time, 2)
    assert.deepInclude(subject.report, { count: 2, events: 1 })
  })
})
