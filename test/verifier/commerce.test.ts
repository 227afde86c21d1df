/** Reports on Commerce Records: what is proven of a payment, its labels, and the limits. */
import { assert, describe, expect, it } from "vitest"
import type { Report } from "../../src/verifier/report.ts"
import { printText } from "../../src/verifier/text.ts"
import { verifyResultArtifact } from "../../src/verifier/verify.ts"
import { failures } from "./forgeries.ts"
import { checkedAt } from "./sample.ts"
import {
  type CommerceForgery,
  checkout,
  manyObservations,
  makeCommerceRecord,
  observed,
  observedAt,
  sampleBinding,
  allObservations
} from "./sample-commerce.ts"
import { makeCommerceStatus, type StatusForgery } from "./sample-commerce-status.ts"
import { at, digest, type Members } from "./signing.ts"

const verify = (forgery: CommerceForgery = {}, status?: unknown): Report => {
  const { file, trust } = makeCommerceRecord(forgery)
  return verifyResultArtifact(file, trust, checkedAt, status)
}

const whole: CommerceForgery = { observations: () => [...allObservations()] }

describe("the report on a Commerce Record", () => {
  it("a Commerce Record verifies, and its report states the binding and the journal's head", () => {
    const { payload } = makeCommerceRecord()
    const report = verify()
    assert.deepStrictEqual(
      [report.verdict, report.exit, report.historicalValidity, report.artifact.kind],
      ["VERIFIED_WITH_LIMITATIONS", 0, "VERIFIED", "commerce-record"]
    )
    const { commerce } = report
    assert.deepStrictEqual(commerce?.binding as Members, sampleBinding())
    assert.deepStrictEqual(commerce?.journal, { count: 4, head: payload["journal"].head })
    assert.deepStrictEqual([commerce?.recordDigest, commerce?.firstCapturedAt], [digest(payload), observedAt(0)])
    assert.strictEqual(commerce?.payment, "PROVIDER_VERIFIED_PAYMENT")
    assert.deepStrictEqual(
      [report.record, report.passport, report.completeness.journal, report.recordedAuthority.grants],
      [null, null, "not-proven", []]
    )
  })

  it("the report has the latest observation of each entity with its label", () => {
    const { commerce } = verify(whole)
    expect(commerce?.observations.map(({ entity, sequence, label }) => `${entity} ${sequence} ${label}`)).toEqual([
      "cs_sim_1 2 null",
      "pi_sim_1 8 PROVIDER_VERIFIED_PAYMENT",
      "tr_sim_1 7 PROVIDER_VERIFIED_TRANSFER",
      "re_sim_1 6 PROVIDER_VERIFIED_REFUND",
      "dp_sim_1 9 DISPUTED",
      "po_sim_1 10 PROVIDER_OBSERVED_PAYOUT"
    ])
    assert.deepStrictEqual(commerce?.observations[5]?.facts as Members, allObservations()[9]?.facts)
  })

  it("the report on a verified payment names what no readback proves", () => {
    const { limits } = verify({
      binding: (binding) => void Object.assign(binding, { provider: "STRIPE", environment: "LIVE" }),
      observations: (all) => {
        for (const { facts } of all) facts.environment = "LIVE"
      }
    })
    for (const limit of [
      "PAYMENT_NOT_PROVEN",
      "BANK_RECEIPT_NOT_VERIFIED",
      "PROVIDER_READBACK_STATED_BY_ISSUER",
      "PRIOR_PAYMENT_HISTORY_NOT_ASSERTED",
      "STATUS_NOT_PROVEN"
    ]) {
      expect(limits).toContain(limit)
    }
    expect(limits).not.toContain("NO_CAPTURED_PAYMENT")
    expect(limits).not.toContain("PAYMENT_TEST_ENVIRONMENT")
  })

  it.each([
    ["TEST", "STRIPE"],
    ["LIVE", "SIMULATED"]
  ])("a payment of %s at %s is reported as one of a test environment", (environment, provider) => {
    const { exit, limits } = verify({
      binding: (binding) => void Object.assign(binding, { provider, environment }),
      observations: (all) => {
        for (const { facts } of all) facts.environment = environment
      }
    })
    assert.strictEqual(exit, 0)
    expect(limits).toContain("PAYMENT_TEST_ENVIRONMENT")
  })

  it.each([
    ["without entries", [], null],
    ["of an open checkout", [observed(0, "CHECKOUT", checkout(), "PAYMENT_NOT_CONFIRMED")], "PAYMENT_NOT_CONFIRMED"],
    ["whose latest payment lost its label", [...allObservations(), canceled()], null]
  ])("a journal %s verifies and proves no captured payment", (_, observations, label) => {
    const { exit, commerce, limits } = verify({ observations: () => [...observations] })
    assert.deepStrictEqual([exit, commerce?.payment], [0, label])
    expect(limits).toContain("NO_CAPTURED_PAYMENT")
  })

  it("the one object of the report is the Commerce Record, by its payment attempt", () => {
    const { objects } = verify(whole)
    expect(objects.map(({ id, kind, kid }) => [id, kind, kid])).toEqual([
      [sampleBinding()["commerceOrderId"], "commerce-record", "key-commerce"]
    ])
  })

  it("the text report prints every latest observation with its label", () => {
    const text = printText(verify(whole))
    expect(text).toMatch(/^Commerce Record$/m)
    expect(text).toMatch(/^ {2}payment +PROVIDER_VERIFIED_PAYMENT$/m)
    expect(text).toMatch(/^Observation 6 of 6$/m)
    expect(text).toMatch(/^ {2}facts\.charge\.amountRefundedMinor +25000$/m)
    expect(text).toMatch(/^ {2}label +PROVIDER_OBSERVED_PAYOUT$/m)
  })

  it("a refused Commerce Record states nothing of the payment", () => {
    const report = verify({ record: (record) => void (record["labels"][0] = "PROVIDER_VERIFIED_PAYMENT") })
    expect(failures(report)).toEqual(["entry-label LABEL_MISMATCH"])
    expect([report.exit, report.commerce, report.objects, report.limits]).toEqual([1, null, [], []])
    assert.strictEqual(report.currentStatus.outcome, "NOT_CHECKED")
  })

  it.each([
    [1_000, []],
    [1_001, ["commerce-form LIMIT_SIZE"]]
  ])("a journal of %i entries fails with %j", (length, expected) => {
    expect(failures(verify({ observations: () => [...manyObservations(length)] }))).toEqual(expected)
  })

  it("a record of a whole journal with another amount in its binding fails its first link and its labels", () => {
    const report = verify({ record: (record) => void (record["binding"] = { ...record["binding"], amountMinor: 1 }) })
    expect([...new Set(failures(report))]).toEqual(["entry-chain JOURNAL_PREV", "entry-label LABEL_MISMATCH"])
  })
})

const canceled = () => observed(40, "PAYMENT", { ...allObservations()[2]!.facts, state: "CANCELED" }, null)

describe("the status of a payment", () => {
  it("without a status file the current status of a payment is unknown", () => {
    const { currentStatus, freshness, checks } = verify()
    assert.deepStrictEqual([currentStatus.outcome, currentStatus.source], ["UNKNOWN", null])
    assert.deepStrictEqual(freshness, { outcome: "absent", ageMs: null, boundMs: 3_600_000 })
    assert.deepInclude(checks.at(-1), { id: "commerce-status-signature", code: "STATUS_ABSENT" })
  })

  it.each([[["a"]], [{ status: "a" }], ["a.b.c"]])("a status file of another kind refuses nothing: %j", (status) => {
    const report = verify({}, status)
    assert.deepStrictEqual([report.exit, report.currentStatus.outcome], [0, "FAILED"])
    assert.deepStrictEqual(report.freshness, { outcome: "not-checked", ageMs: null, boundMs: 3_600_000 })
    expect(failures(report)).toEqual(["commerce-status-signature STATUS_KIND"])
  })
})

const verifyWith = (forgery: StatusForgery = {}, time = checkedAt): Report => {
  const { file, trust, statusFile } = makeCommerceStatus(forgery)
  return verifyResultArtifact(file, trust, time, statusFile)
}

describe("the report on the status of a payment", () => {
  it("a fresh status proves the current status, and its report has the age of every component", () => {
    const report = verifyWith()
    assert.deepStrictEqual([report.exit, report.currentStatus.outcome], [0, "PROVEN"])
    assert.deepStrictEqual(report.freshness, { outcome: "fresh", ageMs: 60_000, boundMs: 3_600_000 })
    expect(report.limits).not.toContain("STATUS_NOT_PROVEN")
    expect(report.limits).toContain("COMMERCE_STATUS_NOT_REPLAYED")
    expect(report.commerce?.status?.components.map(({ freshness, ageMs }) => `${freshness} ${ageMs}`)).toEqual(
      Array.from({ length: 6 }, () => "FRESH 60000")
    )
    expect(report.objects.map(({ kind }) => kind)).toEqual(["commerce-record", "commerce-status"])
  })

  it.each([
    ["2026-11-21T10:19:59.999Z", "PROVEN", "fresh", "FRESH"],
    ["2026-11-21T10:20:00.000Z", "UNKNOWN", "stale", "STALE"]
  ])("at %s a component that was read at 09:20:00.000 makes the status %s", (time, outcome, freshness, age) => {
    const report = verifyWith({}, time)
    assert.deepStrictEqual(
      [report.verdict, report.currentStatus.outcome, report.freshness.outcome],
      ["VERIFIED_WITH_LIMITATIONS", outcome, freshness]
    )
    assert.strictEqual(report.commerce?.status?.components[0]?.freshness, age)
  })

  it("one component that was not read for an hour is stale, and the others stay fresh", () => {
    const { commerce, currentStatus, freshness } = verifyWith({ lastObservedAt: { DISPUTE: at(-40) } })
    assert.deepStrictEqual([currentStatus.outcome, freshness.outcome], ["UNKNOWN", "stale"])
    assert.deepStrictEqual(
      commerce?.status?.components.map((one) => one.freshness),
      ["FRESH", "FRESH", "FRESH", "STALE", "FRESH", "FRESH"]
    )
  })

  it("a component that was never read leaves the current status unknown", () => {
    const { currentStatus, freshness, commerce, limits } = verifyWith({ lastObservedAt: { PAYOUT: null } })
    assert.deepStrictEqual([currentStatus.outcome, freshness.outcome], ["UNKNOWN", "not-checked"])
    assert.deepStrictEqual(commerce?.status?.components[5]?.freshness, "NOT_READ")
    expect(limits).toContain("STATUS_NOT_PROVEN")
  })

  it("a status whose record shows all of it has nothing beyond the record", () => {
    const { limits } = verifyWith({
      record: {
        observations: (all) => {
          for (const one of all) one["observedAt"] = at(20)
        }
      }
    })
    expect(limits).not.toContain("COMMERCE_STATUS_NOT_REPLAYED")
  })

  it("a status of another record refuses nothing and states nothing", () => {
    const { file, trust } = makeCommerceRecord()
    const { statusFile } = makeCommerceStatus({ record: { observations: () => [] } })
    const report = verifyResultArtifact(file, trust, checkedAt, statusFile)
    expect(failures(report)).toEqual(["commerce-status-record STATUS_SUBJECT"])
    assert.deepStrictEqual([report.exit, report.currentStatus.outcome], [0, "FAILED"])
    assert.isNull(report.commerce?.status)
  })

  it("a status alone states the record that it binds, and that this record was not checked", () => {
    const { statusFile, statusPayload, trust } = makeCommerceStatus()
    const report = verifyResultArtifact(statusFile, trust, checkedAt)
    assert.deepStrictEqual(
      [report.exit, report.historicalValidity, report.artifact.kind, report.currentStatus.outcome],
      [0, "NOT_CHECKED", "commerce-status", "PROVEN"]
    )
    assert.deepStrictEqual(
      [report.commerce?.recordDigest, report.commerce?.issuedAt, report.commerce?.observations],
      [statusPayload["record"].digest, null, []]
    )
    assert.strictEqual(report.commerce?.status?.payment, "PROVIDER_VERIFIED_PAYMENT")
    expect(report.limits).toContain("RECORD_NOT_ENCLOSED")
    expect(report.limits).not.toContain("NO_CAPTURED_PAYMENT")
  })

  it("the text report prints every component of the status with its age", () => {
    const text = printText(verifyWith({ lastObservedAt: { DISPUTE: at(-40) } }))
    expect(text).toMatch(/^Commerce status$/m)
    expect(text).toMatch(/^Status of DISPUTE\n {2}component +DISPUTE\n {2}freshness +STALE\n {2}ageMs +3660000$/m)
  })
})
