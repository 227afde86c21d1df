/** Reports on closures with a lineage: who chose the supplier again, on what ground, and what none of it proves. */
import { assert, describe, expect, it } from "vitest"
import type { Report } from "../../src/verifier/report.ts"
import { printText } from "../../src/verifier/text.ts"
import { verifyResultArtifact } from "../../src/verifier/verify.ts"
import { failures } from "./forgeries.ts"
import { checkedAt } from "./sample.ts"
import { type ClosureForgery, makeClosure } from "./sample-closure.ts"
import { makeClosureV1 } from "./sample-closure-v1.ts"
import { ids } from "./sample-ids.ts"
import { type LineageForgery, lineageIds, manifestOf } from "./sample-lineage.ts"
import { passportIds } from "./sample-passport.ts"
import { at, detach, digest, type Members, signPayload } from "./signing.ts"

const verify = (lineage: LineageForgery = {}, forgery: ClosureForgery = {}): Report => {
  const { file, trust } = makeClosure({ ...forgery, lineage })
  return verifyResultArtifact(file, trust, checkedAt)
}

const lineageOf = (report: Report): Members => (report.closure as Members)["lineage"]

describe("the report on a closure with a lineage", () => {
  it("a closure with a lineage verifies, and its report states who chose the supplier again and on what ground", () => {
    const { body } = makeClosure({ lineage: {} })
    const report = verify()
    expect(failures(report)).toEqual([])
    assert.strictEqual(report.exit, 0)
    const { reference, passport, link, next } = lineageOf(report)
    assert.deepStrictEqual(reference.madeBy, {
      organizationId: lineageIds.buyerOrganization,
      personId: lineageIds.buyer
    })
    assert.deepStrictEqual([reference.referenceId, reference.madeAt], [lineageIds.reference, at(20, 1_000)])
    assert.deepStrictEqual(passport, {
      passportDigest: digest(manifestOf(body["lineage"].passport)),
      issuedAt: at(20),
      subject: { id: passportIds.subject, name: "Supplier Ltd" },
      publicationId: passportIds.publication(0),
      title: "A report in two languages, part 1"
    })
    assert.strictEqual(link.linkId, lineageIds.link)
    assert.deepStrictEqual(
      [next.projectId, next.buyer.name, next.supplier.organizationId, next.state, next.statedAt],
      [lineageIds.project, "Next Buyer AG", ids.supplierOrganization, "SUBMITTED", at(20, 3_000)]
    )
    assert.isNull(report.passport)
    const kinds = report.objects.map(({ kind }) => kind)
    expect(kinds.slice(-6)).toEqual([
      "passport",
      "summary",
      "summary",
      "history-reference",
      "agreement-link",
      "agreement-snapshot"
    ])
  })

  it("without a lineage a closure has no check, object or limit of one", () => {
    const { file, trust } = makeClosure()
    const plain = verifyResultArtifact(file, trust, checkedAt)
    assert.isNull(lineageOf(plain))
    const extended = verify()
    const added = (name: "limits" | "checks" | "objects") => extended[name].length - plain[name].length
    assert.deepStrictEqual(
      extended.limits.filter((limit) => !plain.limits.includes(limit)),
      [
        "SELECTION_NOT_ENDORSED",
        "ORIGINAL_RESULTS_NOT_ENCLOSED",
        "CHOICE_STATED_BY_BUYER",
        "NEXT_AGREEMENT_HISTORY_NOT_ENCLOSED"
      ]
    )
    assert.deepStrictEqual([added("checks"), added("objects")], [27, 6])
    const { lineage: _, closureDigest: __, ...ofTransaction } = extended.closure as Members
    const { lineage: ___, closureDigest: ____, ...ofPlain } = plain.closure as Members
    assert.deepStrictEqual(ofTransaction, ofPlain)
  })

  it("the statements in the passport of a lineage change nothing in the report but the digest of the closure", () => {
    const withoutDigests = (report: Report) => ({
      ...report,
      artifact: null,
      checks: report.checks.filter(({ object }) => object !== "artifact"),
      closure: { ...(report.closure as Members), closureDigest: null },
      objects: report.objects.slice(1)
    })
    const usual = withoutDigests(verify())
    for (const passport of [
      { statement: (one: Members) => void (one["status"] = "UNAVAILABLE") },
      { signStatement: (one: Members) => signPayload("STATUS", one, "stranger") },
      { file: (one: Members) => void (one["statuses"] = Array.from({ length: 10_000 }, () => "no statement")) }
    ]) {
      assert.deepStrictEqual(withoutDigests(verify({ passport })), usual)
    }
  })

  it("a refused lineage refuses the closure, and states neither its transaction nor the choice", () => {
    const report = verify({ link: (link) => void (link["original"].recordDigest = digest("another record")) })
    expect(failures(report)).toEqual(["lineage-original LINK_MISMATCH"])
    assert.deepStrictEqual([report.exit, report.closure, report.record], [1, null, null])
    expect(printText(report)).not.toContain("Chosen again")
  })

  it("a part of the lineage that fails leaves its comparisons not checked", () => {
    const report = verify({ signLink: (link) => signPayload("CLOSURE", link, "stranger") })
    expect(failures(report)).toEqual(["link-signature ISSUER_NOT_TRUSTED"])
    const waiting = report.checks.filter(({ because }) => because === "link-signature").map(({ id }) => id)
    assert.deepStrictEqual(waiting, [
      "link-form",
      "link-issuer",
      "lineage-original",
      "lineage-next",
      "lineage-supplier",
      "lineage-times"
    ])
  })

  it("the text report tells who chose the supplier again in sentences", () => {
    const text = printText(verify({ reference: (one) => void (one["reason"] = 'Good". It was "best') }))
    expect(text).toContain('Chosen again: "Next Buyer AG" and "Supplier Ltd", the same supplier')
    expect(text).toContain(`Its buyer stated at ${at(20, 1_000)} that this rests on ${ids.record}`)
    expect(text).toContain('gave as its reason "Good\\". It was \\"best"')
    expect(text).toContain(`The next agreement was in the state SUBMITTED at ${at(20, 3_000)}, as the issuer states.`)
  })
})

describe("a closure of the first version", () => {
  it("a closure of the first version never carries a lineage", () => {
    const { file, trust } = makeClosureV1()
    const { body } = makeClosure({ lineage: {} })
    const extended = { ...file["body"], lineage: body["lineage"] }
    const artifact = { ...file, body: extended, signature: detach(signPayload("CLOSURE", extended)) }
    const report = verifyResultArtifact(artifact, trust, checkedAt)
    expect(failures(report)).toEqual(["closure-form UNKNOWN_MEMBER"])
  })
})
