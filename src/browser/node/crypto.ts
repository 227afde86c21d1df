/**
 * What the verifier calls of `node:crypto`, for browsers: SHA-256, and Ed25519 as OpenSSL verifies it. Web Crypto has both
 * as promises only, and its Ed25519 differs between browsers.
 */
import { ed25519 } from "@noble/curves/ed25519.js"
import { bytesToNumberLE } from "@noble/curves/utils.js"
import { sha256, sha512 } from "@noble/hashes/sha2.js"
import { bytesToHex, concatBytes, utf8ToBytes } from "@noble/hashes/utils.js"

/** The digest of the bytes, or of the UTF-8 bytes of a text, in hexadecimal. */
export const hash = (_algorithm: "sha256", data: Uint8Array | string, _encoding: "hex"): string =>
  bytesToHex(sha256(typeof data === "string" ? utf8ToBytes(data) : data))

/** A public key: its point, which OpenSSL does not decode before it verifies a signature. */
export interface KeyObject {
  readonly raw: Uint8Array
}

/** Imports the SubjectPublicKeyInfo of an Ed25519 key, as `src/canonical/ed25519.ts` writes it: its last 32 bytes are the point. */
export const createPublicKey = (pem: string): KeyObject => {
  const base64 = pem.replaceAll(/-----[A-Z ]+-----|\n/g, "")
  return { raw: Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)).slice(-pointBytes) }
}

const { Point } = ed25519
const pointBytes = 32

/**
 * True where [S]B - [k]A has exactly the bytes of R: without the cofactor, by which noble's own `verify` accepts more
 * signatures. Throws for a key that is no point of the curve.
 */
export const verify = (_algorithm: null, message: Uint8Array, { raw }: KeyObject, signature: Uint8Array): boolean => {
  const r = signature.subarray(0, pointBytes)
  const s = bytesToNumberLE(signature.subarray(pointBytes))
  const order = Point.Fn.ORDER
  if (s >= order) return false
  const key = Point.fromBytes(raw, true)
  const k = bytesToNumberLE(sha512(concatBytes(r, raw, message))) % order
  const expected = Point.BASE.multiplyUnsafe(s).subtract(key.multiplyUnsafe(k)).toBytes()
  return expected.every((byte, index) => byte === r[index])
}
