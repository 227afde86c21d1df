/** Flips bits of a Commerce Record, and verifies each result. */
import { verifyResultFiles } from "../../src/verifier/verify.ts"
import { type Flip, flipEach, partsOf, statementsOf } from "./bit-flips.ts"
import { checkedAt } from "./sample.ts"
import { makeCommerceRecord, allObservations } from "./sample-commerce.ts"

export const flippedCommerce = makeCommerceRecord({ observations: () => [...allObservations()] })

const trust = flippedCommerce.bytes(flippedCommerce.trust)
const verify = (artifact: Uint8Array) => verifyResultFiles({ artifact, trust, checkedAt })

/** The signed record, the white space, and the rest. */
const partOfFile = (part: string): string => (part === "white space" || part === "record" ? part : "envelope")

export const flipCommerce = (text: string, flipsOf: (parts: ReadonlyArray<string>) => ReadonlyArray<Flip>) => {
  const bytes = Buffer.from(text)
  const parts = partsOf(text).map(partOfFile)
  const original = statementsOf(verify(bytes))
  return flipEach(
    bytes,
    flipsOf(parts),
    (place) => parts[place]!,
    verify,
    (verified, part) => {
      if (part !== "white space") return "it verifies"
      return statementsOf(verified) === original ? undefined : "another record verifies"
    }
  )
}
