/** Signatures of an agreement and its acceptance: the signers, the digest and the statement. */
import { Schema } from "effect"
import type { Role } from "../access/actions.ts"
import { Digest } from "../vocabulary/ids.ts"
import { Instant } from "../vocabulary/instant.ts"
import { Title } from "../vocabulary/text.ts"
import type { Signature } from "./event.ts"
import type { Progress } from "./progress.ts"
import type { Project } from "./project.ts"

/** The signature input of a person: the digest shown by the page, or evidence of an external signature. */
export const SignatureInput = Schema.Union([
  Schema.Struct({ method: Schema.Literal("NATIVE"), digest: Digest }),
  Schema.Struct({
    method: Schema.Literal("EXTERNAL"),
    evidence: Schema.Struct({ provider: Title, reference: Title, fileName: Title, sha256: Digest, signedAt: Instant })
  })
])
export type SignatureInput = typeof SignatureInput.Type

/** Part of the protocol and never rephrased: events contain it. */
const statements = {
  AGREEMENT: "I sign the agreement with this digest for my side.",
  ACCEPTANCE: "I sign the acceptance of exactly this submission for the buyer."
} as const

/** The person who signs for a side; null if none is named yet. */
export const signerFor = ({ agreement, supplier }: Project, side: Role): string | null => {
  const { signing } = agreement.terms
  if (signing === undefined) return null
  return side === "BUYER" ? signing.principal : (signing.counterparty ?? supplier.actorId)
}

export const hasSigned = ({ signatures }: Pick<Progress, "signatures">, side: Role): boolean =>
  signatures.some(({ subject, party }) => subject === "AGREEMENT" && party === side)

/** The signature in the event. */
export const signatureOf = (
  subject: keyof typeof statements,
  input: SignatureInput,
  personId: string,
  digest: string
): Signature =>
  input.method === "NATIVE"
    ? { method: "NATIVE", personId, digest, statement: statements[subject] }
    : { method: "EXTERNAL", digest, evidence: input.evidence, label: "RECORDED_NOT_VERIFIED" }

/** The statement that the page shows to the signer. */
export const statementOf = (subject: keyof typeof statements): string => statements[subject]
