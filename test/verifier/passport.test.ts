/** Reports on Result Passports: what is proven of each entry, its status, and the limits. */
import { assert, describe, expect, it } from "vitest"
import type { Report } from "../../src/verifier/report.ts"
import { printText } from "../../src/verifier/text.ts"
import { verifyResultArtifact, verifyResultFiles } from "../../src/verifier/verify.ts"
import { failures } from "./forgeries.ts"
import { checkedAt } from "./sample.ts"
import { makePassport, passportIds, type PassportForgery, statementOf, summaryOf } from "./sample-passport.ts"
import { at, digest, signPayload } from "./signing.ts"

const verify = (forgery: PassportForgery = {}, statuses?: unknown, time: string = checkedAt): Report => {
  const { file, trust } = makePassport(forgery)
  return verifyResultArtifact(file, trust, time, statuses)
}

const statusesOf = ({ passport }: Report) => passport?.entries.map(({ status }) => status)

const codesOf = ({ checks }: Report) =>
  checks.flatMap(({ id, outcome, code }) => (id === "publication-status" ? `${outcome} ${code}` : []))

describe("the report on a passport", () => {
  it("a passport verifies with the statements of its summaries, in the requester's order", () => {
    const report = verify()
    assert.deepStrictEqual(
      [report.verdict, report.exit, report.historicalValidity],
      ["VERIFIED_WITH_LIMITATIONS", 0, "VERIFIED"]
    )
    assert.deepStrictEqual(report.passport?.entries[1], {
      publicationId: passportIds.publication(1),
      publicationDigest: digest(summaryOf(1)),
      status: "AVAILABLE",
      statusIssuedAt: at(20),
      statusExpiresAt: at(25),
      resultId: passportIds.result(1),
      resultDigest: summaryOf(1)["resultDigest"],
      completionTime: at(10, 1),
      issuedAt: at(19),
      subjectName: "Supplier Ltd",
      title: "A report in two languages, part 2",
      summary: "Text and table in German and English.",
      buyerName: null,
      criteriaMet: 2,
      specification: summaryOf(1)["specification"]
    })
    assert.deepStrictEqual(
      [report.record, report.completeness.journal, report.recordedAuthority.grants],
      [null, "not-proven", []]
    )
  })

  it("the report names the selection and the absence of the originals as limits, and no absent record", () => {
    const { limits } = verify()
    expect(limits).toContain("SELECTION_NOT_ENDORSED")
    expect(limits).toContain("ORIGINAL_RESULTS_NOT_ENCLOSED")
    for (const other of ["RECORD_NOT_ENCLOSED", "HISTORY_NOT_ENCLOSED", "STATUS_NOT_PROVEN"]) {
      expect(limits).not.toContain(other)
    }
  })

  it("the objects of the report are the manifest, the summaries and the statements that hold", () => {
    const { objects } = verify({}, makePassport().statuses.slice(1))
    expect(objects.map(({ id, kind }) => `${kind} ${id}`)).toEqual([
      "passport passport",
      `summary ${passportIds.publication(0)}`,
      `summary ${passportIds.publication(1)}`,
      `publication-status ${passportIds.publication(1)}`
    ])
  })

  it("the text report prints every result with its status", () => {
    const text = printText(verify())
    expect(text).toMatch(/^Passport$/m)
    expect(text).toMatch(/^Result 2 of 2$/m)
    expect(text).toMatch(/^ {2}title +A report in two languages, part 2$/m)
    expect(text.match(/^ {2}status +AVAILABLE$/gm)).toHaveLength(2)
  })

  it("a refused passport states nothing of its entries", () => {
    const report = verify({ file: (file) => void file["summaries"].reverse() })
    assert.strictEqual(report.exit, 1)
    expect([report.passport, report.objects, report.limits]).toEqual([null, [], []])
    assert.strictEqual(report.currentStatus.outcome, "NOT_CHECKED")
    expect(codesOf(report)).toEqual(["not-checked null"])
  })

  it("an invalid set of entries leaves the summaries unread", () => {
    const report = verify({ count: 21 })
    expect(failures(report)).toEqual(["passport-set PASSPORT_SET"])
    const summaries = report.checks.filter(({ object }) => object.startsWith("summary"))
    expect([...new Set(summaries.map(({ because }) => because))]).toEqual(["passport-set"])
  })
})

describe("the status of publications", () => {
  it("an unavailable publication leaves the verdict and every status known", () => {
    const report = verify({ statement: (one, index) => void (index === 1 && (one["status"] = "UNAVAILABLE")) })
    expect(statusesOf(report)).toEqual(["AVAILABLE", "UNAVAILABLE"])
    assert.strictEqual(report.currentStatus.outcome, "PROVEN")
    assert.deepStrictEqual(report.freshness, { outcome: "fresh", ageMs: 60_000, boundMs: 300_000 })
  })

  it("an empty list replaces the statements in the passport", () => {
    const report = verify({}, [])
    expect(statusesOf(report)).toEqual(["UNKNOWN", "UNKNOWN"])
    assert.strictEqual(report.exit, 0)
    assert.deepStrictEqual([report.currentStatus.outcome, report.currentStatus.source], ["UNKNOWN", "file"])
    assert.deepStrictEqual(report.freshness, { outcome: "absent", ageMs: null, boundMs: 300_000 })
    expect(report.limits).toContain("STATUS_NOT_PROVEN")
    expect(codesOf(report)).toEqual(["not-checked STATUS_ABSENT", "not-checked STATUS_ABSENT"])
  })

  it("a statement counts for its own publication alone", () => {
    const report = verify({}, makePassport().statuses.slice(1))
    expect(statusesOf(report)).toEqual(["UNKNOWN", "AVAILABLE"])
    assert.strictEqual(report.currentStatus.outcome, "UNKNOWN")
    assert.strictEqual(report.passport?.entries[0]?.statusExpiresAt, null)
  })

  it.each([
    [at(24, 59_999), "AVAILABLE", "PROVEN", "fresh"],
    [at(25), "UNKNOWN", "UNKNOWN", "stale"]
  ])("the statements of 09:20 at %s: %s", (time, status, outcome, freshness) => {
    const report = verify({}, undefined, time)
    expect(statusesOf(report)).toEqual([status, status])
    expect([report.currentStatus.outcome, report.freshness.outcome]).toEqual([outcome, freshness])
    assert.strictEqual(report.historicalValidity, "VERIFIED")
  })

  it("a forged statement is refuted, and the passport stays verified", () => {
    const forged = signPayload("STATUS", { ...statementOf(summaryOf(0)), status: "UNAVAILABLE" }).slice(0, -4)
    const report = verify({}, [`${forged}AAAA`, makePassport().statuses[1]])
    expect(statusesOf(report)).toEqual(["UNKNOWN", "AVAILABLE"])
    assert.strictEqual(report.currentStatus.outcome, "FAILED")
    assert.strictEqual(report.verdict, "VERIFIED_WITH_LIMITATIONS")
  })

  it("a status file of another kind refuses nothing, and no status is known", () => {
    const report = verify({}, { status: makePassport().statuses[0] })
    expect(codesOf(report)).toEqual(["fail STATUS_KIND", "fail STATUS_KIND"])
    expect(statusesOf(report)).toEqual(["UNKNOWN", "UNKNOWN"])
    assert.strictEqual(report.exit, 0)
  })

  it.each([
    [2_097_152, "pass null"],
    [2_097_153, "fail LIMIT_SIZE"]
  ])("a status file for a passport of %i bytes: %s", (bytes, outcome) => {
    const { file, trust, statuses, bytes: bytesOf } = makePassport({ count: 1 })
    const status = Buffer.alloc(bytes, " ")
    status.write(JSON.stringify(statuses))
    const report = verifyResultFiles({ artifact: bytesOf(file), trust: bytesOf(trust), checkedAt, status })
    expect(codesOf(report)).toEqual([outcome])
  })
})
