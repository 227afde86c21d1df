/** The authority policy: an organization's statement of its grants, compared with the authority that the issuer recorded. */
import { assert, describe, expect, it } from "vitest"
import { printReport, type Report } from "../../src/verifier/report.ts"
import { printText } from "../../src/verifier/text.ts"
import { verifyResultArtifact, verifyResultFiles } from "../../src/verifier/verify.ts"
import { failures, hex } from "./forgeries.ts"
import { policyFor } from "./policy.ts"
import { checkedAt, type Forgery, makeSample } from "./sample.ts"
import { ids } from "./sample-ids.ts"
import { at, jcs, type Members, sha256, uuid } from "./signing.ts"

const sample = makeSample()

const verifyUnder = (policy: Uint8Array | string, forgery?: Forgery, artifact?: string): Report => {
  const { review, trust, bytes } = forgery === undefined ? sample : makeSample(forgery)
  return verifyResultFiles({
    artifact: bytes(artifact ?? review),
    trust: bytes(trust),
    authority: Buffer.from(policy),
    checkedAt
  })
}

/** The policy of the sample after a change; the buyer's grant is the first, the supplier's the second. */
const changed = (edit: (anchors: Array<Members>, policy: Members) => unknown): string => {
  const policy = policyFor(sample.package)
  edit(policy["authorityAnchors"], policy)
  return jcs(policy)
}

const outcomes = (report: Report, id: string): ReadonlyArray<string> =>
  report.checks.filter((check) => check.id === id).map(({ outcome, code }) => `${outcome} ${code}`)

describe("a policy with anchors for all grants", () => {
  const report = verifyUnder(jcs(policyFor(sample.package)))

  it("a policy with all anchors is checked against every chain and every event", () => {
    assert.strictEqual(report.exit, 0)
    expect(outcomes(report, "authority-policy")).toEqual(["pass null"])
    expect(outcomes(report, "authority-anchor")).toEqual(["pass null", "pass null"])
    expect(outcomes(report, "event-anchor")).toEqual(sample.package["events"].map(() => "pass null"))
    expect(report.limits).not.toContain("AUTHORITY_POLICY_NOT_GIVEN")
    expect(report.limits).not.toContain("AUTHORITY_POLICY_NOT_APPLIED")
  })

  it("the report states the anchors separately from the grants that the issuer recorded", () => {
    const text = jcs(policyFor(sample.package))
    expect(report.recordedAuthority.policy).toEqual({ outcome: "HELD", sha256: sha256(text), bytes: text.length })
    expect(report.recordedAuthority.grants[0]).toMatchObject({
      grantId: ids.buyerGrant,
      revokedAt: null,
      anchor: {
        organizationId: ids.buyerOrganization,
        subjectId: ids.buyer,
        validFrom: at(0),
        validUntil: at(60),
        revokedAt: null
      }
    })
    expect(printText(report)).toMatch(/Recorded authority\n  policy\.outcome +HELD\n/)
  })

  it("a policy can be passed as a value in memory", () => {
    const { review, trust } = sample
    const inMemory = verifyResultArtifact(review, trust, checkedAt, undefined, policyFor(sample.package))
    assert.deepStrictEqual(inMemory.checks, report.checks)
    expect(
      failures(verifyResultArtifact(review, trust, checkedAt, undefined, new Proxy(policyFor(sample.package), {})))
    ).toEqual(["authority-policy INPUT_NOT_PLAIN"])
  })
})

describe("a verification without a policy", () => {
  it("without a policy, the report has a limit and no checks of a policy", () => {
    const report = verifyResultArtifact(sample.review, sample.trust, checkedAt)
    assert.deepStrictEqual(report.recordedAuthority.policy, { outcome: "NOT_GIVEN", sha256: null, bytes: null })
    assert.isNull(report.recordedAuthority.grants[0]?.anchor ?? null)
    expect(report.limits).toContain("AUTHORITY_POLICY_NOT_GIVEN")
    expect(report.checks.filter((check) => /policy|anchor/.test(check.id))).toEqual([])
  })
})

const refusals: ReadonlyArray<readonly [fault: string, policy: string, failure: string]> = [
  [
    "has no anchor",
    changed((_, policy) => (policy["authorityAnchors"] = [])),
    "authority-anchor AUTHORITY_NOT_ANCHORED"
  ],
  ["lacks the anchor of one grant", changed((anchors) => anchors.pop()), "authority-anchor AUTHORITY_NOT_ANCHORED"],
  [
    "has an anchor for another grant",
    changed(([buyer]) => (buyer!["grantDigest"] = hex("1"))),
    "authority-anchor AUTHORITY_NOT_ANCHORED"
  ],
  [
    "names another organization",
    changed(([buyer]) => (buyer!["organizationId"] = ids.supplierOrganization)),
    "authority-anchor AUTHORITY_ANCHOR_PARTY"
  ],
  [
    "names another person",
    changed(([buyer]) => (buyer!["subjectId"] = `person_${uuid(88)}`)),
    "authority-anchor AUTHORITY_ANCHOR_PARTY"
  ]
]

describe("a policy that contradicts the recorded authority", () => {
  it.each(refusals)("an artifact is refused if the policy %s", (_, policy, failure) => {
    const report = verifyUnder(policy)
    expect([report.verdict, report.exit]).toEqual(["REFUSED", 1])
    expect(failures(report)).toContain(failure)
    expect(new Set(outcomes(report, "event-anchor"))).toEqual(new Set(["not-checked null"]))
    expect([report.objects, report.recordedAuthority.grants, report.record, report.limits]).toEqual([[], [], null, []])
    assert.strictEqual(report.recordedAuthority.policy.outcome, "FAILED")
    assert.strictEqual(report.historicalValidity, "VERIFIED")
    assert.strictEqual(report.currentStatus.outcome, "NOT_CHECKED")
  })
})

/** The buyer's agent acted at minutes 10, 13 and 18, and its person at 15. */
const buyerMinutes: ReadonlyArray<
  readonly [bound: string, edit: (buyer: Members, policy: Members) => unknown, failed: ReadonlyArray<string>]
> = [
  ["begins when the first act happened", (buyer) => (buyer["validFrom"] = at(10)), []],
  ["begins 1 ms later", (buyer) => (buyer["validFrom"] = at(10, 1)), ["event/1 AUTHORITY_ANCHOR_TIME"]],
  ["ends 1 ms after the last act", (buyer) => (buyer["validUntil"] = at(18, 1)), []],
  ["ends when the last act happened", (buyer) => (buyer["validUntil"] = at(18)), ["event/7 AUTHORITY_ANCHOR_TIME"]],
  ["is revoked 1 ms after the last act", (buyer) => (buyer["revokedAt"] = at(18, 1)), []],
  [
    "is revoked when the last act happened",
    (buyer) => (buyer["revokedAt"] = at(18)),
    ["event/7 AUTHORITY_ANCHOR_REVOKED"]
  ],
  [
    "is revoked between two acts, around the act of a person",
    (buyer) => (buyer["revokedAt"] = at(14)),
    ["event/7 AUTHORITY_ANCHOR_REVOKED"]
  ],
  [
    "has a revocation of its own 1 ms after the last act",
    (buyer, policy) => policy["authorityRevocations"].push(revocation(buyer, at(18, 1))),
    []
  ],
  [
    "has a revocation of its own when an act happened",
    (buyer, policy) => policy["authorityRevocations"].push(revocation(buyer, at(13))),
    ["event/4 AUTHORITY_ANCHOR_REVOKED", "event/7 AUTHORITY_ANCHOR_REVOKED"]
  ],
  [
    "has several ends, of which the earliest counts",
    (buyer, policy) => {
      buyer["revokedAt"] = at(18, 1)
      policy["authorityRevocations"].push(
        revocation(buyer, at(40)),
        revocation(buyer, at(18)),
        revocation(buyer, at(50))
      )
    },
    ["event/7 AUTHORITY_ANCHOR_REVOKED"]
  ],
  [
    "has a revocation of another grant",
    (_, policy) => policy["authorityRevocations"].push({ grantDigest: hex("1"), revokedAt: at(0) }),
    []
  ]
]

const revocation = (anchor: Members, revokedAt: string): Members => ({ grantDigest: anchor["grantDigest"], revokedAt })

describe("the validity of an anchor", () => {
  it.each(buyerMinutes)("only acts within its validity verify under an anchor that %s", (_, edit, failed) => {
    const report = verifyUnder(changed(([buyer], policy) => edit(buyer!, policy)))
    const found = report.checks.filter((check) => check.outcome === "fail")
    expect(found.map((check) => `${check.object} ${check.code}`)).toEqual(failed)
    assert.strictEqual(report.exit, failed.length === 0 ? 0 : 1)
  })

  it("an anchor that was revoked after the last act is reported as a limit", () => {
    const report = verifyUnder(changed(([buyer]) => (buyer!["revokedAt"] = at(18, 1))))
    expect(report.limits).toContain("AUTHORITY_REVOKED_SINCE")
    expect(report.recordedAuthority.grants.map((grant) => grant.anchor?.revokedAt)).toEqual([at(18, 1), null])
  })
})

const unreadable: ReadonlyArray<readonly [fault: string, policy: string, code: string]> = [
  ["an unknown member", changed((_, policy) => (policy["note"] = 1)), "AUTHORITY_POLICY"],
  ["an unknown member of an anchor", changed(([buyer]) => (buyer!["note"] = 1)), "AUTHORITY_POLICY"],
  [
    "an unknown member of a revocation",
    changed(([buyer], policy) => (policy["authorityRevocations"] = [{ ...revocation(buyer!, at(1)), note: 1 }])),
    "AUTHORITY_POLICY"
  ],
  ["another schema", changed((_, policy) => (policy["schema"] = "service.authority-policy/v2")), "AUTHORITY_POLICY"],
  ["no revocations", changed((_, policy) => delete policy["authorityRevocations"]), "AUTHORITY_POLICY"],
  ["no revokedAt", changed(([buyer]) => delete buyer!["revokedAt"]), "AUTHORITY_POLICY"],
  [
    "a revocation without a time",
    changed(
      ([buyer], policy) => (policy["authorityRevocations"] = [{ ...revocation(buyer!, at(1)), revokedAt: null }])
    ),
    "AUTHORITY_POLICY"
  ],
  ["one grant twice", changed((anchors) => anchors.push({ ...anchors[0], validUntil: at(59) })), "AUTHORITY_POLICY"],
  ["a digest in capitals", changed(([buyer]) => (buyer!["grantDigest"] = hex("A"))), "AUTHORITY_POLICY"],
  ["an id of another kind", changed(([buyer]) => (buyer!["subjectId"] = `agent_${uuid(8)}`)), "AUTHORITY_POLICY"],
  [
    "a time without milliseconds",
    changed(([buyer]) => (buyer!["validFrom"] = "2026-01-01T00:00:00Z")),
    "AUTHORITY_POLICY"
  ],
  ["a validity that ends when it begins", changed(([buyer]) => (buyer!["validFrom"] = at(60))), "AUTHORITY_POLICY"],
  ["a member twice", changed(() => undefined).replace("{", '{"schema":"x",'), "DUPLICATE_KEY"],
  ["a fraction", '{"schema":1.5}', "NUMBER_FORM"],
  ["a byte order mark", `\ufeff${changed(() => undefined)}`, "INPUT_ENCODING"],
  ["no bytes", "", "INPUT_NOT_JSON"],
  ["a list in place of an object", "[]", "AUTHORITY_POLICY"],
  ["too many bytes", " ".repeat(262_145), "LIMIT_SIZE"]
]

describe("an invalid policy file", () => {
  it.each(unreadable)("a policy with %s is unreadable", (_, policy, code) => {
    const report = verifyUnder(policy)
    expect(failures(report)).toEqual([`authority-policy ${code}`])
    expect([report.verdict, report.exit]).toEqual(["UNREADABLE", 2])
    expect(report.checks.find((check) => check.id === "authority-anchor")?.because).toBe("authority-policy")
    assert.strictEqual(report.recordedAuthority.policy.outcome, "NOT_CHECKED")
    assert.isString(printText(report) + printReport(report))
  })
})

describe("a policy with other artifacts", () => {
  it("the anchors are not checked if the history is refused", () => {
    const report = verifyUnder(jcs(policyFor(sample.package)), { signAuthority: () => sample.status })
    assert.strictEqual(report.historicalValidity, "REFUSED")
    expect(report.checks.find((check) => check.id === "authority-anchor")?.because).toBe("authority-signature")
    assert.strictEqual(report.recordedAuthority.policy.outcome, "NOT_CHECKED")
  })

  it("a record without its package cannot satisfy a policy and is refused", () => {
    const report = verifyUnder(jcs(policyFor(sample.package)), undefined, sample.record)
    assert.strictEqual(report.exit, 1)
    expect(outcomes(report, "authority-anchor")).toEqual(["fail AUTHORITY_NOT_ENCLOSED"])
    assert.strictEqual(report.historicalValidity, "VERIFIED")
    assert.strictEqual(report.recordedAuthority.policy.outcome, "FAILED")
  })

  it("a history without agents satisfies a policy without anchors", () => {
    const people: Forgery = {
      history: (events) => events.forEach((event) => (event["actor"].execution = null)),
      event: (event) => void (event["actor"].execution = null),
      content: (content) => void (content["authority"] = []),
      package: (content) =>
        void (content["manifest"] = content["manifest"].filter((one: Members) => one["kind"] !== "authority-event"))
    }
    const report = verifyUnder(
      changed((_, policy) => (policy["authorityAnchors"] = [])),
      people
    )
    assert.deepStrictEqual(failures(report), [])
    assert.strictEqual(report.recordedAuthority.policy.outcome, "HELD")
    expect(new Set(report.checks.filter((check) => check.id === "event-anchor").map((check) => check.actual))).toEqual(
      new Set(["PERSON"])
    )
  })
})
