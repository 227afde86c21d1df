/** Artifacts other than a package of the second version: their proofs and their limits. */
import { assert, describe, expect, it } from "vitest"
import { printText } from "../../src/verifier/text.ts"
import { verifyResultArtifact } from "../../src/verifier/verify.ts"
import { failures } from "./forgeries.ts"
import { policyFor } from "./policy.ts"
import { checkedAt, makeSample } from "./sample.ts"
import { ids } from "./sample-ids.ts"
import { at, type Members, signPayload } from "./signing.ts"

const sample = makeSample()

const firstVersion = (edit: (content: Members) => unknown = () => undefined): string => {
  const { manifest: _, authority: __, ...content } = sample.package
  const first = { ...content, schema: "service.result-package/v1" }
  edit(first)
  return signPayload("PACKAGE", first)
}

const codesLeft = (report: ReturnType<typeof verifyResultArtifact>): ReadonlyArray<string> =>
  report.checks.flatMap(({ id, outcome, code }) => (outcome === "not-checked" && code !== null ? `${id} ${code}` : []))

describe("a package of the first version", () => {
  it("a package of the first version verifies without authority chains and manifest", () => {
    const report = verifyResultArtifact(firstVersion(), sample.trust, checkedAt, sample.status)
    expect(failures(report)).toEqual([])
    assert.strictEqual(report.exit, 0)
    assert.strictEqual(report.artifact.schema, "service.result-package/v1")
    expect(codesLeft(report).slice(0, 2)).toEqual([
      "authority-set AUTHORITY_NOT_ENCLOSED",
      "manifest-set MANIFEST_NOT_ENCLOSED"
    ])
    expect(report.limits).toContain("RECORDED_AUTHORITY_NOT_ENCLOSED")
    assert.strictEqual(report.completeness.journal, "pinned")
    assert.strictEqual(report.currentStatus.outcome, "PROVEN")
    const kinds = new Set(report.objects.map(({ kind }) => kind))
    expect([...kinds]).toEqual(["package", "agreement", "event", "submission", "review", "record", "status"])
  })

  it("a package of the first version in an exported file is recognized by its typ", () => {
    const report = verifyResultArtifact({ ...sample.review, record: firstVersion() }, sample.trust, checkedAt)
    assert.strictEqual(report.exit, 0)
    assert.strictEqual(report.artifact.kind, "result-review")
  })

  it("a package of the first version satisfies no policy", () => {
    const policy = policyFor(sample.package)
    const report = verifyResultArtifact(firstVersion(), sample.trust, checkedAt, undefined, policy)
    assert.strictEqual(report.exit, 1)
    expect(failures(report)).toEqual(["authority-anchor AUTHORITY_NOT_ENCLOSED"])
    assert.strictEqual(report.historicalValidity, "VERIFIED")
  })

  it("a package of the first version with an unknown member is refused", () => {
    const report = verifyResultArtifact(
      firstVersion((content) => (content["authority"] = [])),
      sample.trust,
      checkedAt
    )
    expect(failures(report)).toEqual(["package-form UNKNOWN_MEMBER"])
  })

  it("a package of the first version is checked for decisions that are reserved for people", () => {
    const withReserved = makeSample({
      agreement: ({ terms }) => void (terms.subjectRequirements = [{ humanDecisions: ["SUBMIT"] }])
    })
    const { manifest: _, authority: __, ...content } = withReserved.package
    const jws = signPayload("PACKAGE", { ...content, schema: "service.result-package/v1" })
    const [first] = failures(verifyResultArtifact(jws, withReserved.trust, checkedAt))
    assert.strictEqual(first, "event-human-decision HUMAN_DECISION")
  })
})

describe("a standard record", () => {
  const file = { schema: "service.standard-record/v1", record: sample.record, metadata: { state: "ANYTHING" } }

  it("a standard record verifies like its record, without use of its metadata", () => {
    const report = verifyResultArtifact(file, sample.trust, checkedAt)
    assert.strictEqual(report.exit, 0)
    assert.strictEqual(report.artifact.kind, "standard-record")
    assert.strictEqual(report.record?.recordId, ids.record)
    expect(codesLeft(report)[0]).toBe("artifact-metadata METADATA_NOT_SIGNED")
    expect(report.limits).toEqual(expect.arrayContaining(["HISTORY_NOT_ENCLOSED", "METADATA_NOT_USED"]))
    expect(printText(report)).not.toContain("ANYTHING")
  })

  it("a standard record satisfies no policy", () => {
    const policy = policyFor(sample.package)
    const report = verifyResultArtifact(file, sample.trust, checkedAt, undefined, policy)
    expect(failures(report)).toEqual(["authority-anchor AUTHORITY_NOT_ENCLOSED"])
    assert.strictEqual(report.exit, 1)
    assert.strictEqual(report.historicalValidity, "VERIFIED")
  })

  it.each([
    ["a package in place of the record", { ...file, record: sample.review["record"] }, "record-signature JWS_TYPE"],
    ["no metadata", { schema: file.schema, record: file.record }, "artifact-envelope MISSING_MEMBER"],
    ["an unknown member", { ...file, trust: {} }, "artifact-envelope UNKNOWN_MEMBER"]
  ])("a standard record with %s is refused", (_, artifact, failure) => {
    expect(failures(verifyResultArtifact(artifact, sample.trust, checkedAt))).toEqual([failure])
  })
})

describe("a status without a record", () => {
  it.each([
    ["a JWS", sample.status],
    ["the service's response", { status: sample.status }]
  ])("a status without its record verifies as %s", (_, artifact) => {
    const report = verifyResultArtifact(artifact, sample.trust, checkedAt)
    assert.strictEqual(report.exit, 0)
    assert.strictEqual(report.artifact.kind, "agent-status")
    assert.isNull(report.record)
    assert.strictEqual(report.historicalValidity, "NOT_CHECKED")
    expect(report.currentStatus).toEqual({
      outcome: "PROVEN",
      source: "artifact",
      state: "BUYER_CONFIRMED",
      reliance: "CURRENT"
    })
    expect(report.objects.map(({ kind }) => kind)).toEqual(["status"])
    expect(report.limits).toContain("RECORD_NOT_ENCLOSED")
    expect(codesLeft(report)).toEqual(["status-subject RECORD_NOT_ENCLOSED", "status-nonce STATUS_NONCE"])
  })

  it("an expired status still verifies, with the current status unknown", () => {
    const report = verifyResultArtifact(sample.status, sample.trust, at(25))
    assert.strictEqual(report.exit, 0)
    assert.strictEqual(report.currentStatus.outcome, "UNKNOWN")
    assert.strictEqual(report.freshness.outcome, "stale")
  })

  it.each([
    ["valid for too long", (one: Members) => (one["expiresAt"] = at(25, 1)), "status-window STATUS_TIME"],
    ["of the live environment", (one: Members) => (one["environment"] = "LIVE"), "status-issuer ENVIRONMENT_MISMATCH"],
    ["of an unknown state", (one: Members) => (one["state"] = "ARCHIVED"), "status-issuer STATUS_VALUE"],
    ["of a record without its digest", (one: Members) => (one["recordDigest"] = null), "status-issuer STATUS_VALUE"],
    ["with a digest but no id of a record", (one: Members) => (one["recordId"] = null), "status-issuer STATUS_VALUE"],
    [
      "of a record without a reliance",
      (one: Members) => Object.assign(one, { state: "LOCKED", reliance: "NONE" }),
      "status-issuer STATUS_VALUE"
    ],
    [
      "of another reliance than its state's",
      (one: Members) => (one["reliance"] = "PAUSED"),
      "status-issuer STATUS_VALUE"
    ]
  ])("a status %s is refused", (_, edit, failure) => {
    const { status } = makeSample({ status: (one) => void edit(one) })
    const report = verifyResultArtifact(status, sample.trust, checkedAt)
    expect(failures(report)).toEqual([failure])
    assert.strictEqual(report.exit, 1)
  })

  it("a status file beside a status as the artifact is a usage error", () => {
    const report = verifyResultArtifact(sample.status, sample.trust, checkedAt, sample.status)
    expect(failures(report)).toEqual(["status-file USAGE"])
    assert.strictEqual(report.exit, 2)
    assert.isNull(report.currentStatus.state)
  })

  it("a status without a record satisfies no policy", () => {
    const policy = policyFor(sample.package)
    const report = verifyResultArtifact(sample.status, sample.trust, checkedAt, undefined, policy)
    expect(failures(report)).toEqual(["authority-anchor AUTHORITY_NOT_ENCLOSED"])
    assert.strictEqual(report.exit, 1)
  })
})
