/** One bit of every byte flipped: no changed record verifies, and what may change without harm is counted apart. */
import { assert, describe, expect, it } from "vitest"
import type { Report } from "../../src/verifier/report.ts"
import { verifyResultFiles } from "../../src/verifier/verify.ts"
import { everyBitOf, type Flip, flipEach, oneBitOfEach, partsOf, stated } from "./flips.ts"
import { partOfReview, plainLife, wrongInKeys, wrongInReview } from "./flipped-life.ts"
import { checkedAt } from "./sample.ts"

/** Thousands of verifications each, which take as long as the machine is busy. */
const limitMs = 180_000

const trust = plainLife.bytes(plainLife.trust)
const ofArtifact = (artifact: Uint8Array): Report => verifyResultFiles({ artifact, trust, checkedAt })

const flipReview = (text: string, flipsOf: (parts: ReadonlyArray<string>) => ReadonlyArray<Flip>) => {
  const bytes = Buffer.from(text)
  const parts = partsOf(text).map(partOfReview)
  return flipEach(bytes, flipsOf(parts), (place) => parts[place]!, ofArtifact, wrongInReview(ofArtifact(bytes)))
}

describe("flipping bits of an exported file", () => {
  it(
    "one of every byte of it in one line: nothing else than the carried keys and the status can change",
    () => {
      const { tallies, wrong } = flipReview(JSON.stringify(plainLife.review), (parts) => oneBitOfEach(parts.length))
      expect(wrong).toEqual([])
      const { record, envelope, trust, status } = tallies
      expect([record!.verified, envelope!.verified]).toEqual([0, 0])
      assert.isAbove(record!.flips, 10_000)
      expect([trust!.flips, status!.flips, envelope!.flips]).toEqual([
        JSON.stringify(plainLife.review["trust"]).length,
        plainLife.status.length + 2,
        Object.keys(tallies).length === 4 ? envelope!.flips : -1
      ])
      // Without these the rows above would say nothing.
      assert.isAbove(trust!.verified, 100)
      assert.isAbove(status!.verified, 100)
    },
    limitMs
  )

  it(
    "all of them outside the signed texts, with white space: one space for another is no change",
    () => {
      const { tallies, wrong } = flipReview(JSON.stringify(plainLife.review, null, "\t"), (parts) => [
        ...everyBitOf(parts.flatMap((part, place) => (part === "white space" || part === "envelope" ? [place] : []))),
        ...oneBitOfEach(parts.length, 16).filter(({ place }) => parts[place] === "record")
      ])
      expect(wrong).toEqual([])
      expect([tallies["record"]!.verified, tallies["envelope"]!.verified]).toEqual([0, 0])
      assert.isAbove(tallies["white space"]!.verified, 0)
    },
    limitMs
  )
})

describe("flipping bits of the key file", () => {
  const text = JSON.stringify(plainLife.trust, null, "\t")
  const parts = partsOf(text)
  const verify = (keys: Uint8Array): Report =>
    verifyResultFiles({ artifact: Buffer.from(JSON.stringify(plainLife.review)), trust: keys, checkedAt })

  it(
    "one of every byte: what verifies still was a validity that still covers, or a key that signed nothing of it",
    () => {
      const original = verify(Buffer.from(text))
      const bytes = Buffer.from(text)
      const flips = oneBitOfEach(bytes.length)
      const { tallies, wrong } = flipEach(bytes, flips, (place) => parts[place]!, verify, wrongInKeys(original))
      expect(wrong).toEqual([])
      assert.strictEqual(stated(original), stated(verify(Buffer.from(JSON.stringify(plainLife.trust)))))
      const verified = Object.keys(tallies).filter((part) => tallies[part]!.verified > 0)
      // The second key is that of authority events, and no agent acted; the fifth signs the status alone.
      for (const expected of ["keys.0.validFrom", "keys.0.validUntil", "keys.1.kid", "keys.1.jwk.x", "keys.4.kid"]) {
        assert.include(verified, expected)
      }
    },
    limitMs
  )
})
