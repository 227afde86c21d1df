/** What the offline verifier says of a downloaded package. */
import { Effect } from "effect"
import { Signer } from "../../src/ports/signer.ts"
import { verifyResultFiles } from "../../src/verifier/verify.ts"
import { now } from "../../src/vocabulary/instant.ts"

/** The verdict with the issuer's keys. */
export const offlineVerdict = Effect.fnUntraced(function* (artifact: Uint8Array) {
  const { keys } = yield* Signer
  const trust = new TextEncoder().encode(JSON.stringify(keys))
  return verifyResultFiles({ artifact, trust, checkedAt: yield* now }).verdict
})
