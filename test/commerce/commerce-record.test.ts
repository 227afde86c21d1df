import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { CommerceRecord, commerceRecordPayload, exportGuard } from "../../src/commerce/commerce-record.ts"
import { appendEntries, emptyJournal } from "../../src/commerce/journal.ts"
import { addMilliseconds, type Instant } from "../../src/vocabulary/instant.ts"
import { binding, checkout, observed, paidCheckout, payment } from "../support/payment-facts.ts"

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
    assert.isUndefined(exportGuard({ count: 1_000, head: "" }))
    assert.strictEqual(exportGuard({ count: 1_001, head: "" })?.code, "COMMERCE_EXPORT_LIMIT")
  })
})
