/** The issuer's public keys as a JWK Set (RFC 7517), for libraries that verify a JWS by the `kid` in its header. */
import type { IssuerKeys } from "../ports/signer.ts"

export const jwkSetMediaType = "application/jwk-set+json"

/**
 * All keys of the trust file, including expired and revoked ones: earlier signatures must stay verifiable. A JWK Set has
 * no member for validity, revocation or purpose; the trust file has.
 */
export const jwkSet = ({ keys }: IssuerKeys) => ({
  keys: keys.map(({ kid, jwk: { kty, crv, x } }) => ({ kty, crv, x, kid, use: "sig", alg: "EdDSA" }))
})
