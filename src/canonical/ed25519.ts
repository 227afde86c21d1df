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

/**
 * The points whose order divides 8, in every encoding without the sign bit of x: 32 little-endian bytes of the y
 * coordinates 0, 1, p - 1, p, p + 1 and the two of order 8, for p = 2^255 - 19.
 */
const smallOrder: ReadonlySet<string> = new Set([
  "0000000000000000000000000000000000000000000000000000000000000000",
  "0100000000000000000000000000000000000000000000000000000000000000",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"
])

const isSmallOrder = (point: Uint8Array): boolean => smallOrder.has(hexOfY(point))

/** True for a y below p: a larger one is a second encoding of the same point. The 19 values from p to 2^255 - 1 end alike. */
const isReduced = (point: Uint8Array): boolean => point[0]! < 0xed || !hexOfY(point).endsWith(endOfPrime)

const endOfPrime = `${"ff".repeat(30)}7f`

/** The bytes of a point without the sign bit of x, in hexadecimal. */
const hexOfY = (point: Uint8Array): string => {
  const y = Buffer.from(point)
  y[pointBytes - 1]! &= 0x7f
  return y.toString("hex")
}
