/** The status: nothing wrong with it touches the history, and nothing but a whole, fresh one is a current state. */
import { assert, describe, expect, it } from "vitest"
import type { Report } from "../../src/verifier/report.ts"
import { verifyResultFiles } from "../../src/verifier/verify.ts"
import { failures, hex, verify } from "./forging.ts"
import { afterwards, buyer, supersede, supplier, withdraw } from "./life.ts"
import { checkedAt, type Forgery, makeSample } from "./sample.ts"
import { ids } from "./sample-ids.ts"
import { at, digest, jcs, keys, kid, type Members, signBytes, signPayload, uuid } from "./signing.ts"

const edit = (change: (status: Members) => unknown): Forgery => ({ status: (status) => void change(status) })

const faults: ReadonlyArray<readonly [fault: string, forgery: Forgery, check: string, code: string]> = [
  [
    "of another project",
    edit((one) => (one["projectId"] = `delivery_${uuid(88)}`)),
    "status-subject",
    "STATUS_SUBJECT"
  ],
  ["of another agreement", edit((one) => (one["agreementDigest"] = hex("1"))), "status-subject", "STATUS_SUBJECT"],
  ["of another record", edit((one) => (one["recordDigest"] = hex("1"))), "status-subject", "STATUS_SUBJECT"],
  [
    "under another record's id",
    edit((one) => (one["recordId"] = `record_${uuid(88)}`)),
    "status-subject",
    "STATUS_SUBJECT"
  ],
  ["of no record", edit((one) => (one["recordId"] = one["recordDigest"] = null)), "status-subject", "STATUS_SUBJECT"],
  ["of the live environment", edit((one) => (one["environment"] = "LIVE")), "status-issuer", "ENVIRONMENT_MISMATCH"],
  ["with an unknown state", edit((one) => (one["state"] = "ARCHIVED")), "status-issuer", "STATUS_VALUE"],
  [
    "of a state that the history has not",
    edit((one) => Object.assign(one, { state: "LOCKED", reliance: "NONE" })),
    "status-head",
    "STATUS_VALUE"
  ],
  [
    "with a reliance that its state does not allow",
    edit((one) => (one["reliance"] = "STOPPED")),
    "status-issuer",
    "STATUS_VALUE"
  ],
  ["with an unknown reliance", edit((one) => (one["reliance"] = "MAYBE")), "status-form", "FIELD_TYPE"],
  ["with an unknown member", edit((one) => (one["note"] = "x")), "status-form", "UNKNOWN_MEMBER"],
  ["at another head", edit((one) => (one["headEventHash"] = hex("1"))), "status-head", "STATUS_ROLLBACK"],
  ["for 1 ms too long", edit((one) => (one["expiresAt"] = at(25, 1))), "status-window", "STATUS_TIME"],
  ["that ends when it begins", edit((one) => (one["expiresAt"] = at(20))), "status-window", "STATUS_TIME"],
  [
    "from the future",
    edit((one) => Object.assign(one, { issuedAt: at(21, 1), expiresAt: at(26) })),
    "status-signature",
    "TIME_FUTURE"
  ],
  [
    "by the package key",
    { signStatus: (one) => signPayload("STATUS", one, "PACKAGE") },
    "status-signature",
    "KEY_ROLE"
  ],
  [
    "by a stranger",
    { signStatus: (one) => signPayload("STATUS", one, "stranger") },
    "status-signature",
    "ISSUER_NOT_TRUSTED"
  ],
  [
    "with another typ",
    {
      signStatus: (one) =>
        signBytes(jcs({ alg: "EdDSA", kid: kid("STATUS"), typ: "JWT" }), jcs(one), keys.STATUS.privateKey)
    },
    "status-signature",
    "JWS_TYPE"
  ],
  ["that is no text", { review: (file) => ({ ...file, status: null }) }, "status-signature", "JWS_FORM"],
  ["that is the record", { review: (file) => ({ ...file, status: file["record"] }) }, "status-signature", "JWS_TYPE"]
]

describe("a status that proves nothing", () => {
  it.each(faults)("%s", (_, forgery, check, code) => {
    const report = verify(forgery)
    expect(failures(report)).toContain(`${check} ${code}`)
    assert.strictEqual(report.verdict, "VERIFIED_WITH_LIMITATIONS")
    assert.strictEqual(report.historicalValidity, "VERIFIED")
    assert.deepStrictEqual(report.currentStatus, { outcome: "FAILED", source: "artifact", state: null, reliance: null })
    assert.notStrictEqual(report.freshness.outcome, "fresh")
    expect(report.limits).toContain("STATUS_NOT_PROVEN")
  })
})

describe("the five minutes", () => {
  it.each([
    [at(20), "PROVEN", "fresh", 0],
    [at(24, 999), "PROVEN", "fresh", 240_999],
    [at(25), "UNKNOWN", "stale", 300_000],
    [at(25, 1), "UNKNOWN", "stale", 300_001]
  ])("at %s the status is %s", (time, outcome, freshness, ageMs) => {
    const report = verify({}, time)
    assert.strictEqual(report.verdict, "VERIFIED_WITH_LIMITATIONS")
    assert.strictEqual(report.currentStatus.outcome, outcome)
    assert.deepStrictEqual(report.freshness, { outcome: freshness as "fresh" | "stale", ageMs, boundMs: 300_000 })
    assert.strictEqual(report.currentStatus.reliance, outcome === "PROVEN" ? "CURRENT" : null)
  })

  it("leave the nonce to the reader", () => {
    const nonce = verify({}).checks.find((check) => check.id === "status-nonce")
    assert.deepStrictEqual(nonce, {
      id: "status-nonce",
      object: "status",
      outcome: "not-checked",
      code: "STATUS_NONCE",
      actual: uuid(90)
    })
  })
})

const withStatus = (status: Uint8Array | string): Report => {
  const sample = makeSample(edit((one) => (one["recordDigest"] = hex("1"))))
  return verifyResultFiles({
    artifact: sample.bytes(sample.review),
    trust: sample.bytes(sample.trust),
    status: typeof status === "string" ? Buffer.from(status) : status,
    checkedAt
  })
}
const given = (change: (status: Members) => unknown = () => undefined): string => makeSample(edit(change)).status

describe("a status in a file of its own", () => {
  it.each([
    ["a JWS", given()],
    ["a JWS and a line end", `${given()}\n`],
    ["the service's answer", JSON.stringify({ status: given() })]
  ])("is read as %s and replaces the one that travelled with the artifact", (_, status) => {
    const { currentStatus } = withStatus(status)
    assert.deepStrictEqual(currentStatus, {
      outcome: "PROVEN",
      source: "file",
      state: "BUYER_CONFIRMED",
      reliance: "CURRENT"
    })
  })

  it("may know a later head, and says that this history is not enclosed", () => {
    const report = withStatus(
      given((one) =>
        Object.assign(one, { headEventHash: hex("1"), state: "CONFIRMATION_CONTESTED", reliance: "PAUSED" })
      )
    )
    assert.strictEqual(report.currentStatus.reliance, "PAUSED")
    expect(report.limits).toContain("STATUS_BEYOND_HISTORY")
  })

  it("is refused when it is older than the package", () => {
    const sample = makeSample()
    const [first] = sample.package["events"]
    const { issuedAt: _, ...event } = JSON.parse(Buffer.from(first.split(".")[1], "base64url").toString())
    const report = withStatus(given((one) => (one["headEventHash"] = digest(event))))
    expect(failures(report)).toEqual(["status-head STATUS_ROLLBACK"])
    assert.strictEqual(report.currentStatus.outcome, "FAILED")
  })

  it.each([
    ["was withdrawn", withdraw(buyer)],
    ["was superseded", supersede(supplier)]
  ])("says nothing later of a confirmation that %s", (_, step) => {
    const sample = makeSample(afterwards(step))
    const { status } = makeSample({
      ...afterwards(step),
      status: (one) =>
        void Object.assign(one, { headEventHash: hex("1"), state: "BUYER_CONFIRMED", reliance: "CURRENT" })
    })
    const report = verifyResultFiles({
      artifact: sample.bytes(sample.review),
      trust: sample.bytes(sample.trust),
      status: Buffer.from(status),
      checkedAt
    })
    expect(failures(report)).toEqual(["status-head STATUS_ROLLBACK"])
    assert.deepStrictEqual(report.currentStatus, { outcome: "FAILED", source: "file", state: null, reliance: null })
    expect([report.freshness.outcome, report.limits.includes("STATUS_NOT_PROVEN")]).toEqual(["not-checked", true])
  })

  it.each(["", "nonsense", "{}", '{"status":1}', '{"status":"a","status":"b"}', "\ufeff{}"])(
    "that is %j fails and is never good",
    (status) => {
      const report = withStatus(status)
      assert.strictEqual(report.verdict, "VERIFIED_WITH_LIMITATIONS")
      assert.strictEqual(report.currentStatus.outcome, "FAILED")
    }
  )
})

describe("no status", () => {
  it("is unknown, never good", () => {
    const sample = makeSample()
    const report = verifyResultFiles({
      artifact: Buffer.from(sample.review["record"]),
      trust: sample.bytes(sample.trust),
      checkedAt
    })
    assert.strictEqual(report.artifact.kind, "result-package")
    assert.deepStrictEqual(report.currentStatus, { outcome: "UNKNOWN", source: null, state: null, reliance: null })
    assert.strictEqual(report.freshness.outcome, "absent")
    expect(report.checks.at(-1)).toMatchObject({
      id: "status-signature",
      outcome: "not-checked",
      code: "STATUS_ABSENT"
    })
  })

  it("is what a refused history has: its status is not looked at", () => {
    const report = verify({
      record: (record) => void (record["projectId"] = `delivery_${uuid(88)}`),
      status: (one) => void (one["recordId"] = ids.record)
    })
    expect(report.checks.find((check) => check.id === "status-subject")?.because).toBe("record-agreement")
    assert.strictEqual(report.currentStatus.outcome, "NOT_CHECKED")
  })
})
