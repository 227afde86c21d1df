/** Flips bits of a closure, and verifies each result. */
import { verifyResultFiles } from "../../src/verifier/verify.ts"
import { type Flip, flipEach, partsOf, statementsOf } from "./bit-flips.ts"
import { checkedAt } from "./sample.ts"
import { makeClosure } from "./sample-closure.ts"
import { allObservations } from "./sample-commerce.ts"

export const flippedClosure = makeClosure({
  payment: { observations: () => [...allObservations()] },
  lineage: {}
})

const trust = flippedClosure.bytes(flippedClosure.trust)
const verify = (artifact: Uint8Array) => verifyResultFiles({ artifact, trust, checkedAt })

/** The enclosed artifacts with the lineage, the signature, the white space, and the rest of the body and the file. */
const partOfClosure = (part: string): string => {
  if (part === "white space" || part === "signature") return part
  return part.startsWith("body.data.artifacts.") || part.startsWith("body.lineage.") ? "artifacts" : "clear text"
}

/** White space belongs to no signed byte; in the clear, one character has only its own spelling. */
export const flipClosure = (text: string, flipsOf: (parts: ReadonlyArray<string>) => ReadonlyArray<Flip>) => {
  const bytes = Buffer.from(text)
  const parts = partsOf(text).map(partOfClosure)
  const original = statementsOf(verify(bytes))
  return flipEach(
    bytes,
    flipsOf(parts),
    (place) => parts[place]!,
    verify,
    (verified, part) => {
      if (part !== "white space") return "it verifies"
      return statementsOf(verified) === original ? undefined : "another closure verifies"
    }
  )
}
