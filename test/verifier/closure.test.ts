/** Reports on closures: what is proven of one transaction, its limits, and the status of its two halves. */
import { assert, describe, expect, it } from "vitest"
import type { Report } from "../../src/verifier/report.ts"
import { printText } from "../../src/verifier/text.ts"
import { verifyResultArtifact, verifyResultFiles } from "../../src/verifier/verify.ts"
import { failures } from "./forgeries.ts"
import { checkedAt } from "./sample.ts"
import { type ClosureForgery, closureIds, makeClosure } from "./sample-closure.ts"
import { allObservations, charge, observed, opened, payment, refund } from "./sample-commerce.ts"
import { at, detach, digest, jcs, type Members, signPayload } from "./signing.ts"

const verify = (forgery: ClosureForgery = {}): Report => {
  const { file, trust } = makeClosure(forgery)
  return verifyResultArtifact(file, trust, checkedAt)
}

const verifyWith = (forgery: ClosureForgery = {}, time: string = checkedAt): Report => {
  const { file, trust, statusFile } = makeClosure(forgery)
  return verifyResultArtifact(file, trust, time, statusFile)
}

const returned: ClosureForgery = { payment: { observations: () => [...allObservations()] } }
const unpaid: ClosureForgery = { payment: { observations: () => [{ ...opened }] } }

/** The sentences on the transaction, which stand before the members of the report. */
const sentencesOf = (report: Report): string => /\nTransaction\n([^]*?)\n\n/.exec(printText(report))![1]!

describe("the report on a closure", () => {
  it("a closure verifies, and its report states the order, the attempt and the assurance", () => {
    const { body } = makeClosure()
    const report = verify()
    expect(failures(report)).toEqual([])
    assert.deepStrictEqual(
      [report.verdict, report.exit, report.historicalValidity, report.artifact.kind, report.artifact.schema],
      ["VERIFIED_WITH_LIMITATIONS", 0, "VERIFIED", "transaction-closure", body["schema"]]
    )
    const closure = report.closure as Members
    assert.deepStrictEqual([closure["version"], closure["closureDigest"]], [2, digest(body)])
    assert.deepStrictEqual(closure["references"], body["data"].references)
    assert.deepStrictEqual(closure["assurance"], body["data"].assurance)
    assert.deepStrictEqual(
      [closure["agreedAt"], closure["deliveredAt"], closure["acceptedAt"], closure["order"].approvedAt],
      [at(11), at(14), at(15), at(18, 3_000)]
    )
    assert.strictEqual(closure["attempt"].commerceOrderId, closureIds.attempt(1))
    assert.isNull(closure["currentStatus"])
  })

  it("the parts of a closure are reported as they are alone", () => {
    const { parts } = makeClosure(returned)
    const report = verify(returned)
    const alone = verifyResultArtifact(
      {
        schema: "service.commerce-record/v1",
        recordDigest: digest(parts.commerceRecord),
        record: signPayload("COMMERCE", parts.commerceRecord)
      },
      makeClosure().trust,
      checkedAt
    )
    expect(report.commerce).toEqual(alone.commerce)
    assert.strictEqual(report.record?.recordDigest, parts.resultOrder["terms"].record.digest)
    assert.strictEqual(report.completeness.journal, "pinned")
    const kinds = report.objects.map(({ kind }) => kind)
    expect(new Set(kinds)).toEqual(
      new Set([
        "closure",
        "package",
        "agreement",
        "event",
        "submission",
        "review",
        "record",
        "result-order",
        "commerce-record"
      ])
    )
    assert.deepStrictEqual([kinds[0], kinds.at(-1)], ["closure", "commerce-record"])
  })

  it("the report on a closure has the limits of its parts, and that later events of the payment are not asserted", () => {
    const { limits } = verify()
    for (const limit of [
      "DELIVERY_QUALITY_NOT_PROVEN",
      "PAYMENT_NOT_PROVEN",
      "AUTHORITY_POLICY_NOT_GIVEN",
      "BANK_RECEIPT_NOT_VERIFIED",
      "PROVIDER_READBACK_STATED_BY_ISSUER",
      "PRIOR_PAYMENT_HISTORY_NOT_ASSERTED",
      "PAYMENT_TEST_ENVIRONMENT",
      "LATER_PAYMENT_EVENTS_NOT_ASSERTED",
      "STATUS_NOT_PROVEN"
    ]) {
      expect(limits).toContain(limit)
    }
    expect(limits).not.toContain("NO_CAPTURED_PAYMENT")
    expect(verify(unpaid).limits).toContain("NO_CAPTURED_PAYMENT")
  })

  it("a refused closure states nothing of its transaction", () => {
    const report = verify({ body: ({ data }) => void (data.assurance.refundedMinor = 1) })
    expect(failures(report)).toEqual(["closure-assurance ASSURANCE_MISMATCH"])
    assert.deepStrictEqual([report.exit, report.closure, report.record, report.commerce], [1, null, null, null])
    expect(printText(report)).not.toContain("Transaction")
  })
})

describe("the text report on a closure", () => {
  it("a paid closure is told in sentences from the agreement to the payment", () => {
    const told = sentencesOf(verify())
    expect(told).toContain(`Agreed at ${at(11)}: version 1`)
    expect(told).toContain('the buyer "Buyer GmbH" and the supplier "Supplier Ltd"')
    expect(told).toContain(`Delivered at ${at(14)}`)
    expect(told).toContain(`Accepted at ${at(15)}`)
    expect(told).toContain("for 125000 in the minor unit of EUR, and approved by the buyer")
    expect(told).toMatch(/^ {2}Paid, as the issuer states that the provider answered: 125000 /m)
    expect(told).toContain("No refund is shown.")
    expect(told).toContain("No dispute is shown.")
  })

  it("an unpaid closure is told without a payment", () => {
    expect(sentencesOf(verify(unpaid))).toMatch(/^ {2}Not shown as paid: the checkout of /m)
    const unobserved = sentencesOf(verify({ payment: { observations: () => [] } }))
    expect(unobserved).toMatch(/^ {2}Not shown as paid: no answer of the provider /m)
    for (const told of [sentencesOf(verify(unpaid)), unobserved]) expect(told).not.toContain("Paid,")
  })

  it("refunds, reversals and disputes are told with their sums", () => {
    const told = sentencesOf(verify(returned))
    expect(told).toContain("Refunded, by the same answers: 25000 in the minor unit of EUR.")
    expect(told).toContain("Reversed of the transfer to the supplier, by the same answers: 25000 ")
    expect(told).toContain("Disputed, by the same answers.")
  })

  it("the name of a party cannot end its own quotation marks", () => {
    const name = 'Buyer" and the supplier "Nobody". Paid, as the issuer states'
    const told = sentencesOf(
      verify({
        result: {
          agreement: (agreement) => void (agreement["terms"].buyerName = name),
          record: (record) => void (record["parties"].buyer.name = name)
        }
      })
    )
    expect(told).toContain(`the buyer ${JSON.stringify(name)} and the supplier "Supplier Ltd"`)
  })
})

describe("the status of a closure", () => {
  it("both halves that hold make the current status proven", () => {
    const report = verifyWith()
    expect(failures(report)).toEqual([])
    assert.deepStrictEqual(
      [report.currentStatus.outcome, report.currentStatus.source, report.currentStatus.state],
      ["PROVEN", "file", "BUYER_CONFIRMED"]
    )
    assert.deepStrictEqual(report.closure as Members, {
      ...(verify().closure as Members),
      currentStatus: {
        result: { outcome: "PROVEN", state: "BUYER_CONFIRMED", reliance: "CURRENT" },
        commerce: { outcome: "PROVEN" }
      }
    })
    assert.deepStrictEqual(report.freshness, { outcome: "fresh", ageMs: 60_000, boundMs: 300_000 })
    expect(report.objects.slice(-2).map(({ kind }) => kind)).toEqual(["status", "commerce-status"])
    expect(report.limits).not.toContain("STATUS_NOT_PROVEN")
  })

  it("a forged half on the result leaves the half on the payment proven", () => {
    const report = verifyWith({ result: { signStatus: (one) => signPayload("STATUS", one, "stranger") } })
    expect(failures(report)).toEqual(["status-signature ISSUER_NOT_TRUSTED"])
    assert.deepStrictEqual([report.exit, report.currentStatus.outcome, report.currentStatus.state], [0, "FAILED", null])
    assert.deepStrictEqual((report.closure as Members)["currentStatus"], {
      result: { outcome: "FAILED", state: null, reliance: null },
      commerce: { outcome: "PROVEN" }
    })
    assert.strictEqual(report.commerce?.status?.payment, "PROVIDER_VERIFIED_PAYMENT")
  })

  it("a forged half on the payment leaves the half on the result proven", () => {
    const report = verifyWith({
      paymentStatus: { signStatus: (one) => signPayload("COMMERCE", one, "stranger") }
    })
    expect(failures(report)).toEqual(["commerce-status-signature ISSUER_NOT_TRUSTED"])
    assert.deepStrictEqual([report.exit, report.currentStatus.outcome, report.currentStatus.state], [0, "FAILED", null])
    assert.deepStrictEqual((report.closure as Members)["currentStatus"], {
      result: { outcome: "PROVEN", state: "BUYER_CONFIRMED", reliance: "CURRENT" },
      commerce: { outcome: "FAILED" }
    })
    assert.isNull(report.commerce?.status)
  })

  it("a stale half makes the current status unknown, and leaves the other proven", () => {
    const report = verifyWith({}, at(25))
    expect(failures(report)).toEqual(["status-fresh STATUS_STALE"])
    assert.deepStrictEqual([report.exit, report.currentStatus.outcome], [0, "UNKNOWN"])
    expect((report.closure as Members)["currentStatus"]).toEqual({
      result: { outcome: "UNKNOWN", state: null, reliance: null },
      commerce: { outcome: "PROVEN" }
    })
  })

  it("a refund after the closure is told by the status, and not by the closure", () => {
    const later = [
      observed(
        30,
        "PAYMENT",
        payment({ charge: charge({ amountRefundedMinor: 25_000 }) }),
        "PROVIDER_VERIFIED_PAYMENT"
      ),
      observed(30, "REFUND", refund(), "PROVIDER_VERIFIED_REFUND")
    ]
    const report = verifyWith({ paymentStatus: { later } })
    expect(failures(report)).toEqual([])
    assert.strictEqual((report.closure as Members)["assurance"].refundedMinor, 0)
    const refunds = report.commerce?.status?.components[2]?.observations
    assert.strictEqual(refunds?.[0]?.label, "PROVIDER_VERIFIED_REFUND")
    expect(report.limits).toContain("COMMERCE_STATUS_NOT_REPLAYED")
  })

  it("without a status, both halves are absent", () => {
    const { checks, currentStatus, freshness } = verify()
    const absent = checks.filter(({ code }) => code === "STATUS_ABSENT").map(({ id }) => id)
    expect(absent).toEqual(["status-signature", "commerce-status-signature"])
    assert.deepStrictEqual([currentStatus.outcome, freshness.outcome], ["UNKNOWN", "absent"])
  })
})

const portableBytesMax = 2_097_152

describe("the size of a closure", () => {
  /** A closure whose canonical form has this many bytes, by the length of the delivery's summary. */
  const ofSize = (bytes: number) => {
    const make = (length: number) =>
      makeClosure({
        result: { history: (events) => void (events[0]!["requestId"] = "r".repeat(length)) }
      })
    // An event is encoded in base64url twice, for its own signature and for that of the package.
    const empty = Buffer.byteLength(jcs(make(1).file))
    let length = Math.floor((bytes - empty) * (9 / 16))
    for (;;) {
      const sample = make(length)
      const excess = Buffer.byteLength(jcs(sample.file)) - bytes
      if (excess <= 0) return sample
      length -= Math.max(1, Math.floor(excess / 2))
    }
  }

  it("a closure of at most 2,097,152 canonical bytes verifies, however much white space is in its file", () => {
    const { file, trust } = ofSize(portableBytesMax)
    assert.isAbove(Buffer.byteLength(jcs(file)), portableBytesMax - 8)
    const indented = Buffer.from(JSON.stringify(file, null, 10) + " ".repeat(1_000))
    assert.isAbove(indented.length, portableBytesMax)
    const report = verifyResultFiles({ artifact: indented, trust: Buffer.from(jcs(trust)), checkedAt })
    expect(failures(report)).toEqual([])
  })

  it("a closure of one canonical byte more than 2,097,152 is refused by its size", () => {
    const { file, body, trust } = ofSize(portableBytesMax)
    const missing = portableBytesMax + 1 - Buffer.byteLength(jcs(file))
    const longer = { ...body, issuer: body["issuer"] + "x".repeat(missing) }
    const artifact = { ...file, body: longer, signature: detach(signPayload("CLOSURE", longer)) }
    assert.strictEqual(Buffer.byteLength(jcs(artifact)), portableBytesMax + 1)
    const report = verifyResultFiles({
      artifact: Buffer.from(jcs(artifact)),
      trust: Buffer.from(jcs(trust)),
      checkedAt
    })
    expect(failures(report)).toEqual(["artifact-envelope LIMIT_SIZE"])
    assert.strictEqual(report.exit, 1)
  })
})
