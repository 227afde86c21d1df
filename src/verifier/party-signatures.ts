/** Checks of the signatures on the agreement and its acceptance: exactly those that the terms require, and in time. */
import { allOf, fail, pass, same, type Finding } from "./ledger.ts"
import type { CheckInputs } from "./check-inputs.ts"
import type { ProjectEvent, Signature } from "./schemas.ts"

const code = "SIGNING_MISMATCH"

/**
 * If the terms require signatures, each side signs the agreement once before the first submission, and the acceptance
 * carries the buyer's signature; otherwise there are none.
 */
export const checkSignatures = ({ history, agreement }: CheckInputs<"history" | "agreement">): Finding<null> => {
  const { signing } = agreement.content.terms
  const parties = new Set<string>()
  for (const [index, { content: event }] of history.entries()) {
    const { kind, payload } = event
    const at = `events[${index}].payload`
    let finding: Finding<null> = pass(null)
    if (kind === "SIGN") {
      finding = parties.has(payload.party)
        ? fail(code, `${at}.party`, "ONCE", payload.party)
        : checkSignature(event, payload.signature, signing?.method, agreement.digest, signing?.agreementSignBy, at)
      parties.add(payload.party)
    }
    if (kind === "SUBMIT" && signing !== undefined) finding = same(code, at, 2, parties.size)
    if (kind === "REVIEW" && payload.action === "ACCEPT") {
      const { signature, confirmationDigest } = payload
      finding = checkSignature(event, signature, signing?.method, confirmationDigest, signing?.acceptanceSignBy, at)
    }
    if (!finding.ok) return finding
  }
  return pass(null, signing?.method ?? null)
}

/** The method is that of the terms, the digest the expected one, the signer the actor, and the time within the terms. */
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
