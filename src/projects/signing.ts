/** Signatures under an agreement and its acceptance: who signs, what, and what the signature says. */
import type { Role } from "../access/actions.ts"
import type { ExternalEvidence, Signature } from "./event.ts"
import type { Project } from "./project.ts"

/** What a person sends to sign: the digest that the page showed, or where it was signed elsewhere. */
export type SignatureInput =
  | { readonly method: "NATIVE"; readonly digest: string }
  | { readonly method: "EXTERNAL"; readonly evidence: ExternalEvidence }

/** Part of the protocol and never rephrased: the event keeps it. */
const statements = {
  AGREEMENT: "I sign the agreement with this digest for my side.",
  ACCEPTANCE: "I sign the acceptance of exactly this submission for the buyer."
} as const

/** The person who signs for a side; null where nobody is named yet. */
export const signerFor = ({ agreement, supplier }: Project, side: Role): string | null => {
  const { signing } = agreement.terms
  if (signing === undefined) return null
  return side === "BUYER" ? signing.principal : (signing.counterparty ?? supplier.actorId)
}

export const hasSigned = ({ signatures }: Project, side: Role): boolean =>
  signatures.some(({ subject, party }) => subject === "AGREEMENT" && party === side)

/** The signature as the event keeps it. */
export const signatureOf = (
  subject: keyof typeof statements,
  input: SignatureInput,
  personId: string,
  digest: string
): Signature =>
  input.method === "NATIVE"
    ? { method: "NATIVE", personId, digest, statement: statements[subject] }
    : { method: "EXTERNAL", digest, evidence: input.evidence, label: "RECORDED_NOT_VERIFIED" }

/** What the page shows above the button that signs. */
export const statementOf = (subject: keyof typeof statements): string => statements[subject]
