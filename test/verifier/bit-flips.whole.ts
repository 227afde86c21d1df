/** A bit flip in every byte of an exported file; `npm run soak:verifier` flips every bit. */
import { assert, expect, it } from "vitest"
import { flipReview } from "./bit-flip-review.ts"
import { bitFlipSample } from "./bit-flip-sample.ts"
import { oneBitPerByte } from "./bit-flips.ts"

it("one flipped bit in any byte of an exported file is refused, except in the enclosed keys and the status", () => {
  const { tallies, wrong } = flipReview(JSON.stringify(bitFlipSample.review), (parts) => oneBitPerByte(parts.length))
  expect(wrong).toEqual([])
  const { record, envelope, trust, status } = tallies
  expect([record!.verified, envelope!.verified]).toEqual([0, 0])
  assert.isAbove(record!.flips, 10_000)
  expect([trust!.flips, status!.flips, envelope!.flips]).toEqual([
    JSON.stringify(bitFlipSample.review["trust"]).length,
    bitFlipSample.status.length + 2,
    Object.keys(tallies).length === 4 ? envelope!.flips : -1
  ])
  // Vacuity check: some flips do verify.
  assert.isAbove(trust!.verified, 100)
  assert.isAbove(status!.verified, 100)
})
