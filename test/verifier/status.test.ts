/** The status: a fault in it never changes the verdict on the history, and only a valid, fresh one proves a current state. */
import { assert, describe, expect, it } from "vitest"
import type { Report } from "../../src/verifier/report.ts"
import { verifyResultFiles } from "../../src/verifier/verify.ts"
import { failures, hex, verify } from "./forgeries.ts"
import { afterIssuance, buyer, supersede, supplier, withdraw } from "./sample-steps.ts"
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
    "of a state other than that of the history",
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
  ["valid for 1 ms too long", edit((one) => (one["expiresAt"] = at(25, 1))), "status-window", "STATUS_TIME"],
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
    "by an untrusted key",
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
  ["that is not a text", { review: (file) => ({ ...file, status: null }) }, "status-signature", "JWS_FORM"],
  ["that is the record", { review: (file) => ({ ...file, status: file["record"] }) }, "status-signature", "JWS_TYPE"]
]

describe("an invalid status", () => {
  it.each(faults)("a status %s proves no current state, and the history still verifies", (_, forgery, check, code) => {
    const report = verify(forgery)
    expect(failures(report)).toContain(`${check} ${code}`)
    assert.strictEqual(report.verdict, "VERIFIED_WITH_LIMITATIONS")
    assert.strictEqual(report.historicalValidity, "VERIFIED")
    assert.deepStrictEqual(report.currentStatus, { outcome: "FAILED", source: "artifact", state: null, reliance: null })
    assert.notStrictEqual(report.freshness.outcome, "fresh")
    expect(report.limits).toContain("STATUS_NOT_PROVEN")
  })
})

describe("the validity of a status", () => {
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

  it("the report shows the nonce of a status for its reader to compare", () => {
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
const statusWith = (change: (status: Members) => unknown = () => undefined): string => makeSample(edit(change)).status

describe("a status file", () => {
  it.each([
    ["a JWS", statusWith()],
    ["a JWS and a line end", `${statusWith()}\n`],
    ["the service's response", JSON.stringify({ status: statusWith() })]
  ])("a status file with %s replaces the enclosed status", (_, status) => {
    const { currentStatus } = withStatus(status)
    assert.deepStrictEqual(currentStatus, {
      outcome: "PROVEN",
      source: "file",
      state: "BUYER_CONFIRMED",
      reliance: "CURRENT"
    })
  })

  it("a status file may name a later head, which is reported as a limit", () => {
    const report = withStatus(
      statusWith((one) =>
        Object.assign(one, { headEventHash: hex("1"), state: "CONFIRMATION_CONTESTED", reliance: "PAUSED" })
      )
    )
    assert.strictEqual(report.currentStatus.reliance, "PAUSED")
    expect(report.limits).toContain("STATUS_BEYOND_HISTORY")
  })

  it("a status file that is older than the package is refused", () => {
    const sample = makeSample()
    const [first] = sample.package["events"]
    const { issuedAt: _, ...event } = JSON.parse(Buffer.from(first.split(".")[1], "base64url").toString())
    const report = withStatus(statusWith((one) => (one["headEventHash"] = digest(event))))
    expect(failures(report)).toEqual(["status-head STATUS_ROLLBACK"])
    assert.strictEqual(report.currentStatus.outcome, "FAILED")
  })

  it.each([
    ["was withdrawn", withdraw(buyer)],
    ["was superseded", supersede(supplier)]
  ])("a status file cannot name a later head if the confirmation %s", (_, step) => {
    const sample = makeSample(afterIssuance(step))
    const { status } = makeSample({
      ...afterIssuance(step),
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
    "a status file with the content %j proves no current state",
    (status) => {
      const report = withStatus(status)
      assert.strictEqual(report.verdict, "VERIFIED_WITH_LIMITATIONS")
      assert.strictEqual(report.currentStatus.outcome, "FAILED")
    }
  )
})

describe("an absent status", () => {
  it("without a status, the current status is unknown", () => {
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

  it("the status of a refused history is not checked", () => {
    const report = verify({
      record: (record) => void (record["projectId"] = `delivery_${uuid(88)}`),
      status: (one) => void (one["recordId"] = ids.record)
    })
    expect(report.checks.find((check) => check.id === "status-subject")?.because).toBe("record-agreement")
    assert.strictEqual(report.currentStatus.outcome, "NOT_CHECKED")
  })
})
