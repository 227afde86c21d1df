/** Signatures under the agreement and its acceptance: exactly those that the terms ask for, and in time. */
import { allOf, fail, pass, same, type Finding } from "./ledger.ts"
import type { Given } from "./parts.ts"
import type { ProjectEvent, Signature } from "./shapes.ts"

const code = "SIGNING_MISMATCH"

/**
 * Where the terms ask for signatures, each side signs the agreement once, both before anything is submitted, and the
 * acceptance carries the buyer's; where they do not, nothing is signed.
 */
export const checkSignatures = ({ history, agreement }: Given<"history" | "agreement">): Finding<null> => {
  const { signing } = agreement.content.terms
  const parties = new Set<string>()
  for (const [index, { content: event }] of history.entries()) {
    const { kind, payload } = event
    const at = `events[${index}].payload`
    let found: Finding<null> = pass(null)
    if (kind === "SIGN") {
      found = parties.has(payload.party)
        ? fail(code, `${at}.party`, "ONCE", payload.party)
        : checkSignature(event, payload.signature, signing?.method, agreement.digest, signing?.agreementSignBy, at)
      parties.add(payload.party)
    }
    if (kind === "SUBMIT" && signing !== undefined) found = same(code, at, 2, parties.size)
    if (kind === "REVIEW" && payload.action === "ACCEPT") {
      const { signature, confirmationDigest } = payload
      found = checkSignature(event, signature, signing?.method, confirmationDigest, signing?.acceptanceSignBy, at)
    }
    if (!found.ok) return found
  }
  return pass(null, signing?.method ?? null)
}

/** By the method of the terms, over what was shown, by who acts, no later than agreed, and not signed in the future. */
const checkSignature = (
  { occurredAt, actor }: ProjectEvent,
  signature: Signature | undefined,
  method: string | undefined,
  digest: string | undefined,
  signBy: string | undefined,
  at: string
): Finding<null> => {
  const path = `${at}.signature`
  if (signature?.method !== method) {
    return fail(code, path, method ?? null, signature?.method ?? null)
  }
  if (signature === undefined) return pass(null)
  const signedAt = signature.method === "EXTERNAL" ? signature.evidence.signedAt : occurredAt
  return allOf(null, [
    same(code, `${path}.digest`, digest, signature.digest),
    same(code, `${path}.personId`, actor.id, signature.method === "NATIVE" ? signature.personId : actor.id),
    signedAt > occurredAt ? fail(code, `${path}.evidence`, occurredAt, signedAt) : pass(null),
    occurredAt > signBy! ? fail(code, path, signBy, occurredAt) : pass(null)
  ])
}
