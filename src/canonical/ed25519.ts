/**
 * Ed25519 keys and signatures, verified identically on every machine.
 *
 * OpenSSL checks [S]B = R + [k]A, without the cofactor that RFC 8032 also allows, and compares the bytes of R. Its result
 * for points of small order depends on its version. With such a point as key or as R, one signature is valid for many
 * messages, and no honest signer produces one, so both are rejected before OpenSSL is called.
 */
import { createPublicKey, verify, type KeyObject } from "node:crypto"
import { fromBase64url } from "./base64url.ts"

export type KeyReading =
  | { readonly ok: true; readonly key: KeyObject; readonly raw: Uint8Array }
  | { readonly ok: false; readonly code: "KEY_FORM" | "KEY_WEAK" }

/** Imports a public key that is exactly `{kty: "OKP", crv: "Ed25519", x}`. Never throws. */
export const importEd25519 = (jwk: unknown): KeyReading => {
  if (jwk === null || typeof jwk !== "object" || Array.isArray(jwk)) return refused("KEY_FORM")
  if (Object.keys(jwk).toSorted().join() !== "crv,kty,x") return refused("KEY_FORM")
  const { kty, crv, x } = jwk as { readonly kty: unknown; readonly crv: unknown; readonly x: unknown }
  if (kty !== "OKP" || crv !== "Ed25519") return refused("KEY_FORM")
  const raw = typeof x === "string" ? fromBase64url(x) : undefined
  if (raw === undefined || raw.length !== pointBytes) return refused("KEY_FORM")
  if (!isReduced(raw) || isSmallOrder(raw)) return refused("KEY_WEAK")
  try {
    return { ok: true, key: createPublicKey(pemOf(raw)), raw }
  } catch {
    return refused("KEY_FORM")
  }
}

/** True where the holder of this key signed exactly these bytes. Never throws. */
export const verifyEd25519 = (key: KeyObject, signed: Uint8Array | string, signature: Uint8Array): boolean => {
  if (signature.length !== 2 * pointBytes || isSmallOrder(signature.subarray(0, pointBytes))) return false
  try {
    return verify(null, typeof signed === "string" ? Buffer.from(signed) : signed, key, signature)
  } catch {
    return false
  }
}

const refused = (code: "KEY_FORM" | "KEY_WEAK") => ({ ok: false, code }) as const

/** SubjectPublicKeyInfo (RFC 8410): Node imports it in half the time of a JWK. */
const pemOf = (raw: Uint8Array): string =>
  `-----BEGIN PUBLIC KEY-----\n${Buffer.concat([keyInfo, raw]).toString("base64")}\n-----END PUBLIC KEY-----\n`

const keyInfo = Buffer.from("302a300506032b6570032100", "hex")
const pointBytes = 32
const prime = 2n ** 255n - 19n

/** Little-endian bytes of a point with this y; the sign bit of x is the highest bit. */
const encodePoint = (y: bigint, sign: bigint): string =>
  Buffer.from(
    Buffer.from((y | (sign << 255n)).toString(16).padStart(2 * pointBytes, "0"), "hex").toReversed()
  ).toString("hex")

/**
 * The points whose order divides 8, in every encoding: the y coordinates 0, 1, p - 1, p, p + 1 and the two of order 8,
 * with either sign bit. These are 14 encodings.
 */
const smallOrder: ReadonlySet<string> = new Set(
  [
    0n,
    1n,
    prime - 1n,
    prime,
    prime + 1n,
    0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n,
    0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n
  ].flatMap((y) => [encodePoint(y, 0n), encodePoint(y, 1n)])
)

const isSmallOrder = (point: Uint8Array): boolean => smallOrder.has(Buffer.from(point).toString("hex"))

/** True for a y below p: a larger one is a second encoding of the same point. */
const isReduced = (point: Uint8Array): boolean => {
  const y = BigInt(`0x${Buffer.from(point.toReversed()).toString("hex")}`) & (2n ** 255n - 1n)
  return y < prime
}
