/** Signatures that satisfy the equation of Ed25519 and that no honest signer makes, computed from the secret scalar. */
import { createHash } from "node:crypto"

/** The order L of the prime-order subgroup. */
export const order = 2n ** 252n + 27742317777372353535851937790883648493n

/** Encodings of points of small order. */
export const smallPoints = {
  identity: "0100000000000000000000000000000000000000000000000000000000000000",
  identityWithSign: "0100000000000000000000000000000000000000000000000000000000000080",
  identityNotReduced: "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  orderTwo: "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  orderFour: "0000000000000000000000000000000000000000000000000000000000000000",
  orderEight: "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"
} as const

/**
 * A signature whose R is the neutral element: with S = k·a the equation of Ed25519 holds, so that only the rule on R
 * refuses it.
 */
export const signWithoutNonce = (seed: number, publicKey: Uint8Array, message: string): Uint8Array => {
  const r = Buffer.from(smallPoints.identity, "hex")
  const k = fromBytes(sha512(r, publicKey, Buffer.from(message))) % order
  return Buffer.concat([r, toBytes((k * secretScalar(seed)) % order)])
}

/** The same signature with S + L, which is equal modulo L and has other bytes. */
export const malleated = (signature: Uint8Array): Uint8Array =>
  Buffer.concat([signature.subarray(0, 32), toBytes(fromBytes(signature.subarray(32)) + order)])

const secretScalar = (seed: number): bigint => {
  const half = sha512(Buffer.alloc(32, seed)).subarray(0, 32)
  half.set([half.readUInt8(0) & 248], 0)
  half.set([(half.readUInt8(31) & 127) | 64], 31)
  return fromBytes(half)
}

const sha512 = (...parts: ReadonlyArray<Uint8Array>): Buffer => {
  const hash = createHash("sha512")
  for (const part of parts) hash.update(part)
  return hash.digest()
}

const fromBytes = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes.toReversed()).toString("hex")}`)

const toBytes = (number: bigint): Uint8Array => Buffer.from(number.toString(16).padStart(64, "0"), "hex").toReversed()
