/** Webhook signatures, compared with one made by openssl, and the tolerance of timestamps. */
import { assert, describe, it } from "@effect/vitest"
import type { Instant } from "../../src/vocabulary/instant.ts"
import { isFresh, isSignedBy, signatureOf } from "../../src/webhooks/signature.ts"

const secret = "ddw_0123456789abcdef"
const rawBody = `{"type":"delivery.submitted","note":"ü"}`
const timestamp = "1763741400"

// printf '1763741400.{"type":"delivery.submitted","note":"ü"}' | openssl dgst -sha256 -hmac ddw_0123456789abcdef
const signature = "v1=d948dbe3e3581395e85621b28e199949be77087cf2f957664d99479884c628ee"

describe("the signature of a webhook", () => {
  it("A signature is HMAC-SHA-256 with the secret's text as key, over timestamp, dot and the body's UTF-8.", () => {
    assert.strictEqual(signatureOf(secret, timestamp, rawBody), signature)
    assert.isTrue(isSignedBy(secret, { rawBody, timestamp, signature }))
  })

  it.each([
    ["another body", { rawBody: `${rawBody} ` }],
    ["another time", { timestamp: "1763741401" }],
    ["a dot elsewhere", { timestamp: "176374140", rawBody: `0.${rawBody}` }],
    ["no version", { signature: signature.slice(3) }],
    ["another version", { signature: signature.replace("v1", "v2") }],
    ["capital letters", { signature: signature.toUpperCase() }],
    ["one digit less", { signature: signature.slice(0, -1) }],
    ["more behind it", { signature: `${signature},v1=00` }],
    ["nothing", { signature: "" }]
  ])("A signature does not verify for %s.", (_, changes) => {
    assert.isFalse(isSignedBy(secret, { rawBody, timestamp, signature, ...changes }))
  })

  it("A signature does not verify with another secret.", () => {
    assert.isFalse(isSignedBy(`${secret}0`, { rawBody, timestamp, signature }))
  })
})

describe("the timestamp of a webhook", () => {
  // `date -u -d @1763741400` is 16:10:00.
  const fresh = (text: string, now: string) => isFresh({ rawBody, signature, timestamp: text }, now as Instant)

  it.each([
    ["2025-11-21T16:10:00.000Z", true],
    ["2025-11-21T16:15:00.000Z", true],
    ["2025-11-21T16:15:00.001Z", false],
    ["2025-11-21T16:05:00.000Z", true],
    ["2025-11-21T16:04:59.999Z", false],
    ["2026-11-21T16:10:00.000Z", false]
  ])("seen at %s is fresh: %s", (now, isFreshThen) => {
    assert.strictEqual(fresh(timestamp, now), isFreshThen)
  })

  it.each([
    "",
    "0",
    "-1763741400",
    "+1763741400",
    " 1763741400",
    "1763741400 ",
    "01763741400",
    "1763741400.0",
    "1763741400.5",
    "1.7637414e9",
    "0x69208d98",
    "1763741400\n",
    "１７６３７４１４００",
    "1763741400000",
    "9".repeat(400),
    "NaN",
    "Infinity",
    "2025-11-21T16:10:00.000Z"
  ])("that is written %j is not", (text) => {
    assert.isFalse(fresh(text, "2025-11-21T16:10:00.000Z"))
  })
})
