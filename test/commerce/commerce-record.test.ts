import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { digestOf } from "../../src/canonical/digest.ts"
import { canonicalText } from "../../src/canonical/jcs.ts"
import { CommerceRecord, commerceRecordPayload, exportGuard } from "../../src/commerce/commerce-record.ts"
import {
  appendEntries,
  emptyJournal,
  journalAfter,
  type JournalEntry,
  type Observation
} from "../../src/commerce/journal.ts"
import { verifyResultArtifact } from "../../src/verifier/verify.ts"
import { addMilliseconds, type Instant } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { binding, checkout, dispute, observed, paidCheckout, payment, transfer } from "../support/payment-facts.ts"
import { trustFile } from "../verifier/sample.ts"
import { signPayload } from "../verifier/signing.ts"

const issuer = { issuer: "https://example.org", environment: "test" }
const observedAt = "2026-01-02T09:00:05.000Z" as Instant

describe("the Commerce Record", () => {
  it("A record without entries names no capture and ends at the digest of its binding.", () => {
    const record = commerceRecordPayload(binding, [], issuer, observedAt)
    assert.isTrue(Schema.is(CommerceRecord)(record))
    assert.deepStrictEqual(
      [record.firstCapturedAt, record.journal, record.labels],
      [null, { ...emptyJournal(binding), entries: [] }, []]
    )
  })

  it("A record holds every entry with its label, and is not issued before its last observation.", () => {
    const first = appendEntries(emptyJournal(binding), observedAt, [observed("CHECKOUT", checkout())])
    const later = addMilliseconds(observedAt, 60_000)
    const rest = appendEntries({ count: 1, head: first[0]!.hash }, later, [
      observed("CHECKOUT", paidCheckout()),
      observed("PAYMENT", payment())
    ])
    const record = commerceRecordPayload(binding, [...first, ...rest], issuer, observedAt)
    assert.isTrue(Schema.is(CommerceRecord)(record))
    assert.deepStrictEqual(
      [record.issuedAt, record.firstCapturedAt, record.journal.count, record.journal.head],
      [later, observedAt, 3, rest[1]!.hash]
    )
    assert.deepStrictEqual(record.labels, ["PAYMENT_NOT_CONFIRMED", null, "PROVIDER_VERIFIED_PAYMENT"])
  })

  it("A journal of 1,000 entries is exported, and one of 1,001 is refused.", () => {
    assert.isUndefined(exportGuard({ journalCount: 1_000, journalBytes: 0 }))
    assert.strictEqual(exportGuard({ journalCount: 1_001, journalBytes: 0 })?.code, "COMMERCE_EXPORT_LIMIT")
  })

  it("Entries of 1,400,000 bytes are exported, and one byte more is refused with the limit.", () => {
    const journalBytes = limits.commerceEntryBytes
    assert.isUndefined(exportGuard({ journalCount: 1, journalBytes }))
    const refused = exportGuard({ journalCount: 1, journalBytes: journalBytes + 1 })
    assert.strictEqual(refused?.code, "COMMERCE_EXPORT_LIMIT")
    assert.include(refused?.facts.detail, "1400000 bytes")
  })

  const longest = (first: string) => first.padEnd(limits.providerTextCharacters, "x")
  const reversals = Array.from({ length: limits.paymentEntities }, () => ({
    id: "x",
    amountMinor: 0,
    refundId: null,
    createdAt: observedAt
  }))

  it.each<[string, (index: number) => Observation]>([
    [
      "1,000 disputes with the longest texts",
      (index) => {
        const texts = { status: longest(String(index)), reason: longest(""), chargeId: longest("") }
        return observed("DISPUTE", dispute(texts), longest("dp"))
      }
    ],
    [
      "transfers with 200 reversals each",
      (index) => observed("TRANSFER", transfer({ amountMinor: index, reversals }), "tr")
    ]
  ])("The largest record of %s verifies, and its file has at most 2 MiB.", (_, observation) => {
    const entries: Array<JournalEntry> = []
    let [position, bytes] = [emptyJournal(binding), 0]
    while (entries.length < limits.commerceEntries) {
      const [entry] = appendEntries(position, observedAt, [observation(entries.length)])
      bytes += Buffer.byteLength(canonicalText(entry!))
      if (bytes > limits.commerceEntryBytes) break
      entries.push(entry!)
      position = journalAfter(position, [entry!])
    }
    const trust = trustFile(["COMMERCE"])
    const record = commerceRecordPayload(binding, entries, { issuer: trust.issuer, environment: "TEST" }, observedAt)
    const file = {
      schema: record.schema,
      recordDigest: digestOf(record),
      record: signPayload("COMMERCE", record)
    }
    assert.isAtMost(Buffer.byteLength(canonicalText(file)), limits.canonicalExportBytes)
    const report = verifyResultArtifact(file, trust, "2026-01-10T00:00:00.000Z")
    assert.deepStrictEqual([report.exit, report.commerce?.journal.count], [0, entries.length])
  })
})
