/** Recognizes what this installation signed: a file that comes back proves nothing until its signature is verified. Pure. */
import { importEd25519, parseSigned, readJws, verifyEd25519 } from "../canonical/jws.ts"
import type { IssuerKeys, KeyPurpose } from "../ports/signer.ts"
import type { Instant } from "../vocabulary/instant.ts"

/** True where one of these keys signed a payload of this schema for the purpose, within the key's validity. */
export const isOwnSignature = (
  jws: string,
  { schema, purpose }: { readonly schema: string; readonly purpose: KeyPurpose },
  { keys }: IssuerKeys
): boolean => {
  const reading = readJws(jws)
  if (!reading.ok || reading.header.typ !== schema) return false
  const own = keys.find(({ kid }) => kid === reading.header.kid)
  if (own === undefined || !own.purposes.includes(purpose)) return false
  const imported = importEd25519(own.jwk)
  if (!imported.ok || !verifyEd25519(imported.key, reading.signingInput, reading.signature)) return false
  const { issuedAt } = parseSigned<{ readonly issuedAt: Instant }>(jws)
  const { validFrom, validUntil, revokedAt } = own
  return validFrom <= issuedAt && issuedAt < validUntil && (revokedAt === null || issuedAt < revokedAt)
}
