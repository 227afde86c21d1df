/** Flips bits of the exported file of the sample, and verifies each result. */
import type { Report } from "../../src/verifier/report.ts"
import { verifyResultFiles } from "../../src/verifier/verify.ts"
import { bitFlipSample, partOfReview, reviewViolation } from "./bit-flip-sample.ts"
import { type Flip, flipEach, partsOf } from "./bit-flips.ts"
import { checkedAt } from "./sample.ts"

const trust = bitFlipSample.bytes(bitFlipSample.trust)
const verifyArtifact = (artifact: Uint8Array): Report => verifyResultFiles({ artifact, trust, checkedAt })

export const flipReview = (text: string, flipsOf: (parts: ReadonlyArray<string>) => ReadonlyArray<Flip>) => {
  const bytes = Buffer.from(text)
  const parts = partsOf(text).map(partOfReview)
  return flipEach(
    bytes,
    flipsOf(parts),
    (place) => parts[place]!,
    verifyArtifact,
    reviewViolation(verifyArtifact(bytes))
  )
}
