/**
 * A document that stands in the clear beside its signature: `{schema, body, signature}`. The signature is a compact JWS
 * whose payload is left out (RFC 7515, appendix F); the payload is the canonical form of the body.
 */
import { toBase64url } from "../canonical/base64url.ts"
import { canonicalBytes } from "../canonical/jcs.ts"
import type { Json } from "../canonical/json.ts"
import { fail, type Failure, type Finding, pass } from "./ledger.ts"
import { anyObject, object, type SchemaType, text, version } from "./schema-kit.ts"
import { verifierLimits } from "./verifier-limits.ts"

/** The members of the envelope; the body is read once its signature is verified. */
export const signedDocument = (schema: string) => object({ schema: version(schema), body: anyObject, signature: text })

export type SignedDocument = SchemaType<ReturnType<typeof signedDocument>>

/** A failure where the canonical form is too large, which is never longer than the file. */
export const checkCanonicalSize = (json: Json, fileBytes: number): Failure | undefined => {
  const { portableBytesMax } = verifierLimits
  const bytes = fileBytes <= portableBytesMax ? fileBytes : canonicalBytes(json).length
  return bytes > portableBytesMax ? fail("LIMIT_SIZE", "", portableBytesMax, bytes) : undefined
}

/** The compact JWS of a document, with its payload put back; every later rule is that of a compact JWS. */
export const compactFormOf = ({ body, signature }: SignedDocument): Finding<string> => {
  const [header, payload, bytes, ...rest] = signature.split(".", 4)
  return payload === "" && bytes !== undefined && rest.length === 0
    ? pass(`${header}.${toBase64url(canonicalBytes(body))}.${bytes}`)
    : fail("JWS_FORM", "signature", "DETACHED")
}
