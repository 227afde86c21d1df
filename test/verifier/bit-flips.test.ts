/**
 * Single bit flips: no changed record verifies, and flips in immaterial parts are counted separately. `bit-flips.whole.ts`
 * flips a bit in every byte of the signed texts.
 */
import { assert, describe, expect, it } from "vitest"
import type { Report } from "../../src/verifier/report.ts"
import { verifyResultFiles } from "../../src/verifier/verify.ts"
import { flipClosure, flippedClosure } from "./bit-flip-closure.ts"
import { flipCommerce, flippedCommerce } from "./bit-flip-commerce.ts"
import { flippedPassport, flipPassport, flipStatuses } from "./bit-flip-passport.ts"
import { flipReview } from "./bit-flip-review.ts"
import { bitFlipSample, keysViolation } from "./bit-flip-sample.ts"
import { everyBitOf, flipEach, oneBitPerByte, partsOf, statementsOf } from "./bit-flips.ts"
import { checkedAt } from "./sample.ts"

/** Each test runs thousands of verifications. */
const limitMs = 180_000

/** Steps that reach each of the four characters of a base64 group. */
const [inSignedText, inOtherText] = [31, 5]

describe("bit flips in an exported file", () => {
  it("one flipped bit in any byte around the signed texts, and in every thirty-first byte of them, is refused, except in the enclosed keys and the status", () => {
    const { tallies, wrong } = flipReview(JSON.stringify(bitFlipSample.review), (parts) =>
      oneBitPerByte(parts.length).filter(({ place }) => parts[place] !== "record" || place % inSignedText === 0)
    )
    expect(wrong).toEqual([])
    const { record, envelope, trust, status } = tallies
    expect([record!.verified, envelope!.verified]).toEqual([0, 0])
    assert.isAbove(record!.flips, 10_000 / inSignedText)
    expect([trust!.flips, status!.flips, envelope!.flips]).toEqual([
      JSON.stringify(bitFlipSample.review["trust"]).length,
      bitFlipSample.status.length + 2,
      Object.keys(tallies).length === 4 ? envelope!.flips : -1
    ])
    // Vacuity check: some flips do verify.
    assert.isAbove(trust!.verified, 100)
    assert.isAbove(status!.verified, 100)
  })

  it(
    "every flipped bit in every fifth byte outside the signed texts of an indented file is refused, except those that yield other white space",
    () => {
      const { tallies, wrong } = flipReview(JSON.stringify(bitFlipSample.review, null, "\t"), (parts) => [
        ...everyBitOf(
          parts.flatMap((part, place) =>
            (part === "white space" || part === "envelope") && place % inOtherText === 0 ? [place] : []
          )
        ),
        ...oneBitPerByte(parts.length, 16).filter(({ place }) => parts[place] === "record")
      ])
      expect(wrong).toEqual([])
      expect([tallies["record"]!.verified, tallies["envelope"]!.verified]).toEqual([0, 0])
      assert.isAbove(tallies["white space"]!.verified, 0)
    },
    limitMs
  )
})

describe("bit flips in a passport", () => {
  it("one flipped bit in every fifth byte of a passport is refused, except in the statements on its publications", () => {
    const { tallies, wrong } = flipPassport(JSON.stringify(flippedPassport.file), (parts) =>
      oneBitPerByte(parts.length).filter(({ place }) => place % inOtherText === 0)
    )
    expect(wrong).toEqual([])
    const { manifest, summaries, envelope, statuses } = tallies
    expect([manifest!.verified, summaries!.verified, envelope!.verified]).toEqual([0, 0, 0])
    expect(Object.keys(tallies)).toHaveLength(4)
    assert.isAbove(manifest!.flips + summaries!.flips, 2_000 / inOtherText)
    // Vacuity check: some flips do verify.
    assert.isAbove(statuses!.verified, 100 / inOtherText)
  })

  it("every flipped bit around the signed texts of an indented passport is refused, except those that yield other white space", () => {
    const { tallies, wrong } = flipPassport(JSON.stringify(flippedPassport.file, null, "\t"), (parts) =>
      everyBitOf(parts.flatMap((part, place) => (part === "white space" || part === "envelope" ? [place] : [])))
    )
    expect(wrong).toEqual([])
    assert.strictEqual(tallies["envelope"]!.verified, 0)
    assert.isAbove(tallies["white space"]!.verified, 0)
  })

  it("one flipped bit in any byte of a status file for a passport refuses nothing and proves no changed statement", () => {
    const { tallies, wrong } = flipStatuses(oneBitPerByte)
    expect(wrong).toEqual([])
    assert.strictEqual(tallies["statuses"]!.verified, tallies["statuses"]!.flips)
  })
})

describe("bit flips in a Commerce Record", () => {
  it("one flipped bit in every fifth byte of a Commerce Record is refused", () => {
    const { tallies, wrong } = flipCommerce(JSON.stringify(flippedCommerce.file), (parts) =>
      oneBitPerByte(parts.length).filter(({ place }) => place % inOtherText === 0)
    )
    expect(wrong).toEqual([])
    assert.deepStrictEqual(Object.keys(tallies).toSorted(), ["envelope", "record"])
    assert.isAbove(tallies["record"]!.flips, 5_000 / inOtherText)
  })

  it("every flipped bit around the signed text of an indented Commerce Record is refused, except those that yield other white space", () => {
    const { tallies, wrong } = flipCommerce(JSON.stringify(flippedCommerce.file, null, "\t"), (parts) =>
      everyBitOf(parts.flatMap((part, place) => (part === "record" ? [] : [place])))
    )
    expect(wrong).toEqual([])
    assert.strictEqual(tallies["envelope"]!.verified, 0)
    // Vacuity check: some flips do verify.
    assert.isAbove(tallies["white space"]!.verified, 0)
  })
})

describe("bit flips in a closure", () => {
  it("one flipped bit in any byte of a closure in the clear, and in every thirty-first byte of its artifacts, is refused", () => {
    const { tallies, wrong } = flipClosure(JSON.stringify(flippedClosure.file), (parts) =>
      oneBitPerByte(parts.length).filter(({ place }) => parts[place] !== "artifacts" || place % inSignedText === 0)
    )
    expect(wrong).toEqual([])
    assert.deepStrictEqual(Object.keys(tallies).toSorted(), ["artifacts", "clear text", "signature"])
    assert.isAbove(tallies["artifacts"]!.flips, 25_000 / inSignedText)
    assert.isAbove(tallies["clear text"]!.flips, 1_500)
  })

  it("every flipped bit in every fifth byte of the white space of an indented closure is refused, except those that yield other white space", () => {
    const { tallies, wrong } = flipClosure(JSON.stringify(flippedClosure.file, null, "\t"), (parts) =>
      everyBitOf(parts.flatMap((part, place) => (part === "white space" && place % inOtherText === 0 ? [place] : [])))
    )
    expect(wrong).toEqual([])
    // Vacuity check: some flips do verify.
    assert.isAbove(tallies["white space"]!.verified, 0)
  })
})

describe("bit flips in the key file", () => {
  const text = JSON.stringify(bitFlipSample.trust, null, "\t")
  const parts = partsOf(text)
  const verify = (keys: Uint8Array): Report =>
    verifyResultFiles({ artifact: Buffer.from(JSON.stringify(bitFlipSample.review)), trust: keys, checkedAt })

  it(
    "one flipped bit in any byte of the key file is refused, except in dates that still cover and in keys that signed no part",
    () => {
      const original = verify(Buffer.from(text))
      const bytes = Buffer.from(text)
      const flips = oneBitPerByte(bytes.length)
      const { tallies, wrong } = flipEach(bytes, flips, (place) => parts[place]!, verify, keysViolation(original))
      expect(wrong).toEqual([])
      assert.strictEqual(statementsOf(original), statementsOf(verify(Buffer.from(JSON.stringify(bitFlipSample.trust)))))
      const verified = Object.keys(tallies).filter((part) => tallies[part]!.verified > 0)
      // The second key signs authority events, and no agent acted; the fifth signs only the status.
      for (const expected of ["keys.0.validFrom", "keys.0.validUntil", "keys.1.kid", "keys.1.jwk.x", "keys.4.kid"]) {
        assert.include(verified, expected)
      }
    },
    limitMs
  )
})
