/**
 * Reads one key of the issuer's key file with jose: a private key as a JWK (RFC 8037) or PKCS #8 in PEM (RFC 8410), or the
 * public half of a retired key as a JWK.
 */
import { KeyObject } from "node:crypto"
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, importPKCS8 } from "jose"
import { Schema } from "effect"
import { jwsLimits } from "../canonical/jws.ts"
import { IssuerKey } from "../ports/signer.ts"

/** Exactly one of `jwk` and `pkcs8`; a `jwk` without `d` is a public half. A `kid` inside the JWK is ignored. */
export const privateKeyFields = {
  kid: Schema.optionalKey(Schema.NonEmptyString.check(Schema.isMaxLength(jwsLimits.nameCharactersMax))),
  jwk: Schema.optionalKey(
    Schema.Struct({ kty: Schema.String, crv: Schema.String, x: Schema.String, d: Schema.optionalKey(Schema.String) })
  ),
  pkcs8: Schema.optionalKey(Schema.String)
}

const StoredKey = Schema.Struct(privateKeyFields)
type StoredKey = typeof StoredKey.Type

/** States which member is wrong, as the end of a sentence that begins with the key's path; never key material. */
export class PrivateKeyError extends Error {
  readonly member: string
  readonly requirement: string
  constructor(member: string, requirement: string) {
    super(requirement)
    this.member = member
    this.requirement = requirement
  }
}

/** True for a key whose private half is not in the file. */
export const isPublicHalf = ({ jwk, pkcs8 }: StoredKey): boolean =>
  jwk !== undefined && jwk.d === undefined && pkcs8 === undefined

/** The public half with its id, determined as for a private key. Rejects with a PrivateKeyError. */
export const readPublicHalf = async ({ kid, jwk }: StoredKey) => {
  const { x } = jwk!
  const published = { kty: "OKP", crv: "Ed25519", x } as const
  const wrong = new PrivateKeyError(
    ".jwk",
    'is not an Ed25519 public key: kty "OKP", crv "Ed25519", and in base64url the 32 bytes x'
  )
  if (jwk!.kty !== published.kty || jwk!.crv !== published.crv || !isPublicKey(x)) throw wrong
  return { kid: kid ?? (await calculateJwkThumbprint(published)), jwk: published }
}

const isPublicKey = Schema.is(IssuerKey.fields.jwk.fields.x)

/**
 * The key with its id: the stored `kid`, else its RFC 7638 thumbprint, which is the id of every key in a file without one.
 * Rejects with a PrivateKeyError.
 */
export const readPrivateKey = async (
  stored: StoredKey
): Promise<{ readonly kid: string; readonly privateKey: KeyObject }> => {
  const key = await importKey(stored)
  return {
    kid: stored.kid ?? (await calculateJwkThumbprint(await exportJWK(key))),
    privateKey: KeyObject.from(key)
  }
}

/** A new key in the form that the file stores. */
export const generatePrivateKey = async () => {
  const { privateKey } = await generateKeyPair("EdDSA", { extractable: true })
  const jwk = await exportJWK(privateKey)
  return { kid: await calculateJwkThumbprint(jwk), jwk }
}

const importKey = async ({ jwk, pkcs8 }: StoredKey): Promise<CryptoKey> => {
  if (jwk !== undefined && pkcs8 === undefined) return importPair(jwk)
  if (pkcs8 !== undefined && jwk === undefined) return importPem(pkcs8)
  throw new PrivateKeyError("", "needs exactly one of jwk and pkcs8")
}

/** Some releases of Node do not compare the two halves of a pair. */
const importPair = async ({ d, ...publicHalf }: NonNullable<StoredKey["jwk"]>): Promise<CryptoKey> => {
  const wrong = new PrivateKeyError(
    ".jwk",
    'is not an Ed25519 private key: kty "OKP", crv "Ed25519", and in base64url the 32 bytes d with the public key x that belongs to it'
  )
  if (d === undefined || publicHalf.kty !== "OKP" || publicHalf.crv !== "Ed25519") throw wrong
  try {
    const key = await importJWK({ ...publicHalf, d }, "EdDSA", { extractable: true })
    if (key instanceof CryptoKey && (await exportJWK(key)).x === publicHalf.x) return key
  } catch {
    // The library's message may contain the key.
  }
  throw wrong
}

const importPem = async (pkcs8: string): Promise<CryptoKey> => {
  try {
    return await importPKCS8(pkcs8, "EdDSA", { extractable: true })
  } catch {
    throw new PrivateKeyError(
      ".pkcs8",
      'is not an unencrypted Ed25519 private key in PKCS #8 PEM, such as "openssl genpkey -algorithm ed25519" prints'
    )
  }
}
