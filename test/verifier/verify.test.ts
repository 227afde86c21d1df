/** The whole verifier: damaged files, inputs that are not artifacts, values in memory, and the report. */
import fc from "fast-check"
import { assert, describe, expect, it } from "vitest"
import { printReport, type Report } from "../../src/verifier/report.ts"
import { printText } from "../../src/verifier/text.ts"
import { verifyResultArtifact, verifyResultFiles } from "../../src/verifier/verify.ts"
import { failures, verify } from "./forgeries.ts"
import { afterIssuance, buyer, concern } from "./sample-steps.ts"
import { checkedAt, makeSample } from "./sample.ts"
import { ids } from "./sample-ids.ts"
import { at, jcs, kid, type Members, signPayload } from "./signing.ts"

const sample = makeSample()
const trust = sample.bytes(sample.trust)
const verifyBytes = (artifact: Uint8Array | string, time: string = checkedAt): Report =>
  verifyResultFiles({ artifact: Buffer.from(artifact), trust, checkedAt: time })
const idsOf = (report: Report, outcome: string): ReadonlyArray<string> =>
  report.checks.filter((check) => check.outcome === outcome).map((check) => check.id)

const flipped = (text: string, place: number, bit: number): string => {
  const code = text.charCodeAt(place) ^ (1 << bit)
  return text.slice(0, place) + String.fromCharCode(code) + text.slice(place + 1)
}

describe("one flipped bit", () => {
  const { record } = sample.review as { record: string }
  const segments = record.split(".") as [string, string, string]

  it("one flipped bit in the characters of a package is refused by the check of its signature", () => {
    fc.assert(
      fc.property(fc.nat({ max: record.length - 1 }), fc.nat({ max: 6 }), (place, bit) => {
        const report = verifyResultArtifact(
          { ...sample.review, record: flipped(record, place, bit) },
          sample.trust,
          checkedAt
        )
        assert.strictEqual(report.verdict, "REFUSED")
        expect(failures(report)[0]).toMatch(/^package-signature /)
      }),
      { numRuns: 400 }
    )
  })

  it("one flipped bit in the decoded header, payload or signature is refused", () => {
    fc.assert(
      fc.property(fc.nat({ max: 2 }), fc.nat(), fc.nat({ max: 7 }), (segment, place, bit) => {
        const bytes = Buffer.from(segments[segment]!, "base64url")
        bytes[place % bytes.length]! ^= 1 << bit
        const damaged = segments.with(segment, bytes.toString("base64url")).join(".")
        const enclosed = verifyResultArtifact({ ...sample.review, record: damaged }, sample.trust, checkedAt)
        assert.strictEqual(enclosed.verdict, "REFUSED")
        expect(failures(enclosed)).not.toEqual([])
        // A file whose first character is not a letter is not a JWS.
        assert.strictEqual(verifyBytes(damaged).verdict, /^[A-Za-z]/.test(damaged) ? "REFUSED" : "UNREADABLE")
      }),
      { numRuns: 400 }
    )
  })

  it("one flipped bit in a file never verifies a changed record", () => {
    const file = jcs(sample.review)
    const outcomes = new Set<string>()
    fc.assert(
      fc.property(fc.nat({ max: file.length - 1 }), fc.nat({ max: 7 }), (place, bit) => {
        const bytes = Buffer.from(file)
        bytes[place]! ^= 1 << bit
        const report = verifyBytes(bytes)
        outcomes.add(report.verdict)
        if (report.exit !== 0) return
        const read = JSON.parse(bytes.toString()) as Members
        assert.strictEqual(read["record"], record)
        assert.notStrictEqual(jcs(read), file)
      }),
      { numRuns: 1_000 }
    )
    expect([...outcomes].toSorted()).toEqual(["REFUSED", "UNREADABLE", "VERIFIED_WITH_LIMITATIONS"])
  })

  it("one changed bit in the enclosed keys, in the status or in white space leaves the record verified", () => {
    const whole = verifyBytes(jcs(sample.review))
    const keys = verifyBytes(
      jcs({ ...sample.review, trust: { ...sample.review["trust"], issuer: "Countersign Tesu" } })
    )
    const status = verifyBytes(jcs({ ...sample.review, status: flipped(sample.status, sample.status.length - 9, 0) }))
    const space = verifyBytes(`${jcs(sample.review)}\n`)
    for (const report of [whole, keys, status, space]) {
      assert.strictEqual(report.verdict, "VERIFIED_WITH_LIMITATIONS")
      assert.deepStrictEqual(report.record, whole.record)
    }
    expect(whole.limits).not.toContain("EMBEDDED_KEYS_DIFFER")
    expect(keys.limits).toContain("EMBEDDED_KEYS_DIFFER")
    assert.strictEqual(keys.currentStatus.outcome, "PROVEN")
    expect(failures(status)).toEqual(["status-signature SIGNATURE_INVALID"])
    assert.strictEqual(status.currentStatus.outcome, "FAILED")
    const { artifact: _, ...same } = whole
    expect(space).toMatchObject(same)
    assert.notStrictEqual(space.artifact.sha256, whole.artifact.sha256)
  })
})

describe("inputs that are not artifacts", () => {
  it.each([
    ["no bytes", "", "INPUT_NOT_JSON"],
    ["a word", "nonsense", "INPUT_NOT_JSON"],
    ["half a file", jcs(sample.review).slice(0, 900), "INPUT_NOT_JSON"],
    ["two documents", jcs(sample.review).repeat(2), "INPUT_NOT_JSON"],
    ["a byte order mark", `\ufeff${jcs(sample.review)}`, "INPUT_ENCODING"],
    ["U+0000 in a text", jcs({ ...sample.review, trust: "\u0000" }), "INPUT_ENCODING"],
    ["a duplicate member", jcs(sample.review).replace("{", '{"record":"a",'), "DUPLICATE_KEY"],
    ["a fraction", "1.5", "NUMBER_FORM"],
    ["33 levels", "[".repeat(33) + "]".repeat(33), "LIMIT_DEPTH"],
    ["more bytes than the limit", " ".repeat(8_388_609), "LIMIT_SIZE"]
  ])("a file with %s is unreadable", (_, artifact, code) => {
    const report = verifyBytes(artifact)
    expect(failures(report)).toEqual([`artifact-file ${code}`])
    assert.strictEqual(report.verdict, "UNREADABLE")
    assert.strictEqual(report.exit, 2)
    assert.strictEqual(report.checks.find((check) => check.id === "record-head")?.because, "artifact-file")
  })

  it.each(["[]", "null", '"text"', "{}", jcs({ schema: "service.result-review/v1" }), jcs(sample.trust)])(
    "the artifact %j is refused by its envelope",
    (artifact) => {
      const report = verifyBytes(artifact)
      assert.strictEqual(report.exit, 1)
      assert.strictEqual(report.checks.find((check) => check.outcome === "fail")?.id, "artifact-envelope")
    }
  )

  it.each([
    "",
    "2026-11-21T09:21:00Z",
    "2026-11-21T09:21:00.000z",
    "2026-11-21t09:21:00.000Z",
    "2026-11-21T09:21:00.000+00:00",
    "2026-11-21T09:21:60.000Z",
    "2026-02-30T09:21:00.000Z",
    "2025-02-29T00:00:00.000Z",
    "10000-01-01T00:00:00.000Z",
    "2026-11-21T24:00:00.000Z",
    " 2026-11-21T09:21:00.000Z",
    "2026-11-21T09:21:00.000Z\n",
    "2026-11-21T09:21:00.0000Z",
    "now"
  ])("%j is not a valid time of the check", (time) => {
    const report = verifyBytes(jcs(sample.review), time)
    expect(failures(report)).toEqual(["checked-at USAGE"])
    assert.strictEqual(report.exit, 2)
    assert.isNull(report.checkedAt)
  })

  it("arbitrary bytes get a report and no exception", () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.uint8Array(), fc.uint8Array(), fc.string(), (artifact, keys, status, time) => {
        const report = verifyResultFiles({ artifact, trust: keys, status, checkedAt: time })
        assert.strictEqual(report.exit, 2)
        assert.isString(printText(report))
      }),
      { numRuns: 500 }
    )
  })
})

describe("values in memory", () => {
  it("values in memory verify like their file", () => {
    const report = verifyResultArtifact(sample.review, sample.trust, checkedAt)
    expect(report.checks).toEqual(verifyBytes(jcs(sample.review)).checks)
    assert.strictEqual(
      verifyResultArtifact(sample.review["record"], sample.trust, checkedAt, sample.status).currentStatus.outcome,
      "PROVEN"
    )
  })

  const cyclic: Members = { ...sample.review }
  cyclic["trust"] = cyclic
  it.each([
    ["an inherited member", Object.create(sample.review)],
    [
      "an accessor",
      Object.defineProperty({ ...sample.review }, "record", { get: () => sample.review["record"], enumerable: true })
    ],
    ["a member that is not enumerable", Object.defineProperty({ ...sample.review }, "extra", { value: 1 })],
    ["a proxy", new Proxy(sample.review, {})],
    ["a toJSON", { ...sample.review, toJSON: () => sample.review }],
    ["a date", { ...sample.review, trust: new Date(0) }],
    ["a map", { ...sample.review, trust: new Map() }],
    ["a BigInt", { ...sample.review, trust: 1n }],
    ["a fraction", { ...sample.review, trust: 0.5 }],
    ["undefined", { ...sample.review, trust: undefined }],
    ["a symbol", { ...sample.review, [Symbol("x")]: 1 }],
    ["a list with a hole", { ...sample.review, trust: Array(1) }],
    ["a lone surrogate", { ...sample.review, trust: "\ud800" }],
    ["a cycle", cyclic],
    ["a function", () => sample.review]
  ])("%s is not plain JSON", (_, artifact) => {
    const report = verifyResultArtifact(artifact, sample.trust, checkedAt)
    expect(failures(report)).toEqual(["artifact-file INPUT_NOT_PLAIN"])
    assert.strictEqual(report.exit, 2)
  })

  it("inputs that are not bytes get a report", () => {
    const files = { artifact: null, trust: undefined, checkedAt: 7 } as unknown as Parameters<
      typeof verifyResultFiles
    >[0]
    expect(idsOf(verifyResultFiles(files), "fail")).toEqual(["checked-at", "trust-file", "artifact-file"])
  })
})

describe("a record without its package", () => {
  it("a record without its package verifies, with the limit that its history is not enclosed", () => {
    const report = verifyBytes(`${sample.record}\n`)
    assert.strictEqual(report.verdict, "VERIFIED_WITH_LIMITATIONS")
    assert.strictEqual(report.artifact.kind, "result-record")
    assert.deepStrictEqual(report.completeness, {
      journal: "declared",
      count: 6,
      head: report.completeness.head,
      laterEvents: null
    })
    expect(report.limits).toContain("HISTORY_NOT_ENCLOSED")
    assert.strictEqual(report.record?.recordId, ids.record)
  })
})

describe("the limits of a verified package", () => {
  it("the report flags a key that was revoked after it signed, and a key that expired", () => {
    const report = verify({
      trust: (file) => {
        file["keys"][0].revokedAt = at(19)
        file["keys"][2].validUntil = at(19)
      }
    })
    assert.strictEqual(report.exit, 0)
    expect(report.limits).toContain("KEY_REVOKED_SINCE")
    const status = (kind: string) => report.objects.find((one) => one.kind === kind)?.keyStatusNow
    expect([status("event"), status("record"), status("package")]).toEqual(["REVOKED", "EXPIRED", "VALID"])
  })

  it("the report flags a grant that was revoked after its last action", () => {
    const report = verify({
      head: 2,
      authority: (event, grant, index) =>
        void (
          index === 3 &&
          Object.assign(event, {
            occurredAt: at(19),
            issuedAt: at(19),
            ...(grant === "supplier" ? { kind: "REVOKE", change: {} } : {})
          })
        )
    })
    assert.strictEqual(report.exit, 0)
    expect(report.limits).toContain("AUTHORITY_REVOKED_SINCE")
    expect(report.recordedAuthority.grants.map((grant) => grant.revokedAt)).toEqual([null, at(19)])
  })

  it("the report counts the events after the issuance, which only the package binds", () => {
    const report = verify(afterIssuance(concern(buyer)))
    assert.strictEqual(report.exit, 0)
    assert.deepStrictEqual(report.completeness, {
      journal: "pinned",
      count: 6,
      head: report.completeness.head,
      laterEvents: 1
    })
    expect(report.limits).toContain("LATER_EVENTS_STATED_BY_PACKAGE")
    assert.strictEqual(verify({}).completeness.laterEvents, 0)
  })
})

describe("the report", () => {
  it("the same input gives a byte-identical report", () => {
    assert.strictEqual(printReport(verify({})), printReport(verify({})))
    assert.strictEqual(printText(verify({})), printText(verify({})))
  })

  const hostileName = "Buyer\n\u001b[2K\u202eVERIFIED\u200b\u2028\u00a0\u0085\u{e0041}\ufeff"
  const hostile = (): Report =>
    verify({
      agreement: (agreement) => void (agreement["terms"].buyerName = hostileName),
      record: (record) => void (record["parties"].buyer.name = hostileName)
    })

  it("the text report escapes invisible marks, and no name can forge a line", () => {
    const text = printText(hostile())
    expect(text).toContain("Buyer<U+000A><U+001B>[2K<U+202E>VERIFIED<U+200B><U+2028><U+00A0><U+0085><U+E0041><U+FEFF>")
    expect(text.split("\n").filter((line) => line.startsWith("VERIFIED"))).toEqual(["VERIFIED_WITH_LIMITATIONS"])
  })

  const printedName = (name: string): string | undefined => {
    const named = verify({
      agreement: (agreement) => void (agreement["terms"].buyerName = name),
      record: (record) => void (record["parties"].buyer.name = name)
    })
    assert.strictEqual(named.exit, 0)
    return /^ {2}parties\.buyer\.name +(.*)$/m.exec(printText(named))?.[1]
  }

  it.each([
    ["eight spaces as they are", `A${" ".repeat(8)}B`, `A${" ".repeat(8)}B`],
    ["nine spaces", `A${" ".repeat(9)}B`, "A[9 spaces]B"],
    ["10,000 spaces", `A${" ".repeat(10_000)}B${" ".repeat(500)}C`, "A[10000 spaces]B[500 spaces]C"],
    ["white space of many kinds", `A${" \u00a0\u3000\t\u200b\u2800".repeat(1_000)}B`, "A[6000 invisible characters]B"],
    ["tag characters", `A${"\u{e0041}".repeat(1_001)}B`, "A[1001 invisible characters]B"],
    ["two invisible marks, each escaped", "A\u00a0\u200bB", "A<U+00A0><U+200B>B"],
    ["5,000 combining marks", `a${"\u0301".repeat(5_000)}B`, "a[5000 combining marks]B"],
    ["eight combining marks as they are", `a${"\u0301".repeat(8)}B`, `a${"\u0301".repeat(8)}B`],
    ["combining marks of several planes", `a${"\u20dd\u{1d165}".repeat(20)}B`, "a[40 combining marks]B"],
    ["spaces that are spread as they are", `${"A    ".repeat(4)}B`, `${"A    ".repeat(4)}B`]
  ])("the text report prints a name with %s, and counts only long runs", (_, name, printed) =>
    assert.strictEqual(printedName(name), printed)
  )

  it("the text report counts half a million marks, and keeps every character of a long text", () => {
    assert.strictEqual(printedName(`A${"\u3000".repeat(500_000)}B`), "A[500000 invisible characters]B")
    const long = "😀é".repeat(50_000)
    assert.strictEqual(printedName(long), long)
  })

  it("the text report counts the spaces in the name of an issuer", () => {
    const issuer = `Example${" ".repeat(200)}VERIFIED`
    const named = verify({
      trust: (file) => void (file["issuer"] = issuer),
      record: (record) => void (record["issuer"] = issuer)
    })
    expect(printText(named)).toContain("  issuer       Example[200 spaces]VERIFIED, environment ")
  })

  it("the JSON report escapes invisible marks without a change of any value", () => {
    const json = printReport(hostile())
    expect(json).not.toMatch(/[\u007f-\u009f\u200b\u2028\u202e\ufeff]/)
    assert.strictEqual((JSON.parse(json) as Report).record?.parties.buyer.name, hostileName)
  })

  it("a report repeats no text of a refused artifact and no key material", () => {
    const secret = "PLEASE-TRUST-ME"
    const report = verify({
      record: (record) => {
        record["issuer"] = secret
        record["parties"].buyer.name = secret
      },
      review: (file) => ({ ...file, [secret]: 1 })
    })
    const envelope = `${printReport(report)}${printText(report)}`
    const inner = verify({ record: (record) => void (record["issuer"] = secret) })
    for (const printed of [envelope, `${printReport(inner)}${printText(inner)}`]) {
      expect(printed).not.toContain(secret)
      expect(printed).not.toContain(sample.trust["keys"][0].jwk.x)
    }
    assert.strictEqual(inner.exit, 1)
  })

  it("a check that could not run names the failed check", () => {
    const report = verify({ signPackage: (content) => signPayload("PACKAGE", content, "stranger") })
    const rest = report.checks.filter((check) => check.outcome === "not-checked" && check.code === null)
    expect(new Set(rest.map((check) => check.because))).toEqual(new Set(["package-signature"]))
    expect(idsOf(report, "fail")).toEqual(["package-signature"])
    expect(kid("PACKAGE")).toBe("key-package")
  })
})
