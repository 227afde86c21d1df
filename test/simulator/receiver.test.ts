/** The receiver that follows the rules: what it makes of each request. */
import { createHmac } from "node:crypto"
import { assert, describe, it } from "vitest"
import { Receiver } from "../../simulator/callbacks/receiver.ts"

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
  const made = new Receiver("hooks", { host: "hooks.example.com" })
  made.take(secret)
  return {
    make: (...args: Parameters<typeof request>) => made.receive(request(...args), true, now).made,
    made
  }
}

describe("a receiver that follows the rules", () => {
  it("takes an event once, and knows one that is older than what it has", () => {
    const { make } = receiver()
    assert.strictEqual(make({ id: "a", sequence: 2 }), "TAKEN")
    assert.strictEqual(make({ id: "a", sequence: 2 }), "REPEATED")
    assert.strictEqual(make({ id: "c", sequence: 4 }), "TAKEN")
    assert.strictEqual(make({ id: "b", sequence: 3 }), "OLDER")
    assert.strictEqual(make({ id: "b", sequence: 3 }), "REPEATED")
  })

  it.each([
    ["five minutes old", -300_000, "TAKEN"],
    ["a second older", -301_000, "STALE"],
    ["five minutes early", 300_000, "TAKEN"],
    ["a second earlier", 301_000, "STALE"],
    ["of no moment", Number.NaN, "STALE"]
  ] as const)("believes only what is of now: %s", (_, offset, made) => {
    assert.strictEqual(receiver().make({ id: "a", sequence: 2 }, { at: now + offset }), made)
  })

  it("believes only what is signed with the secret that it was given last, to the byte", () => {
    const { make, made } = receiver()
    assert.strictEqual(make({ id: "a", sequence: 2 }, { spoil: " " }), "FORGED")
    assert.strictEqual(make({ id: "a", sequence: 2 }, { key: "another" }), "FORGED")
    made.take("another")
    assert.strictEqual(make({ id: "a", sequence: 2 }), "FORGED")
    assert.strictEqual(make({ id: "a", sequence: 2 }, { key: "another" }), "TAKEN")
    const stranger = new Receiver("hooks", { host: "hooks.example.com" })
    assert.strictEqual(stranger.receive(request({ id: "a", sequence: 2 }), true, now).made, "FORGED")
  })

  it("makes nothing of what it does not look at, and counts it all the same", () => {
    const { make, made } = receiver()
    assert.isUndefined(made.receive(request({ id: "a", sequence: 2 }), false, now).made)
    assert.strictEqual(make({ id: "a", sequence: 2 }), "TAKEN")
    assert.strictEqual(made.arrivals.at(-1)?.time, 2)
    assert.deepInclude(made.told, { count: 2, events: 1 })
  })
})
