/** Hashing and signing as docs/records.md describes them, without code of the service or the verifier. */
import { createHash, createPrivateKey, createPublicKey, sign, type KeyObject } from "node:crypto"
import canonicalize from "canonicalize"

export type Members = Record<string, any>

export const jcs = (value: unknown): string => canonicalize(value) as string
export const sha256 = (value: string | Uint8Array): string => createHash("sha256").update(value).digest("hex")
export const digest = (value: unknown): string => sha256(jcs(value))
export const base64url = (bytes: string | Uint8Array): string => Buffer.from(bytes).toString("base64url")

export const uuid = (number: number): string => `00000000-0000-4000-8000-${number.toString(16).padStart(12, "0")}`
export const at = (minute: number, ms = 0): string => new Date(Date.UTC(2026, 10, 21, 9, minute, 0, ms)).toISOString()

/** Deterministic keys, each from one seed byte. */
export const keyPair = (seed: number) => {
  const pkcs8 = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), Buffer.alloc(32, seed)])
  const privateKey = createPrivateKey({ key: pkcs8, format: "der", type: "pkcs8" })
  const { x } = createPublicKey(privateKey).export({ format: "jwk" }) as { x: string }
  return { privateKey, jwk: { kty: "OKP", crv: "Ed25519", x } }
}

export const keys = {
  EVENT: keyPair(1),
  AUTHORITY: keyPair(2),
  RECORD: keyPair(3),
  PACKAGE: keyPair(4),
  STATUS: keyPair(5),
  stranger: keyPair(6),
  PUBLICATION: keyPair(7),
  COMMERCE: keyPair(8),
  CLOSURE: keyPair(9)
}
export type Purpose = Exclude<keyof typeof keys, "stranger">

export const kid = (purpose: string): string => `key-${purpose.toLowerCase()}`

/** Signs exactly these header and payload texts. */
export const signBytes = (header: string, payload: string | Uint8Array, key: KeyObject): string => {
  const input = `${base64url(header)}.${base64url(payload)}`
  return `${input}.${base64url(sign(null, Buffer.from(input), key))}`
}

/** The signature of a document in the clear: a compact JWS without its payload. */
export const detach = (jws: string): string => jws.replace(/\.[^.]*\./, "..")

export const signPayload = (purpose: Purpose, payload: Members, by: Purpose | "stranger" = purpose): string =>
  signBytes(jcs({ alg: "EdDSA", kid: kid(by), typ: payload["schema"] }), jcs(payload), keys[by].privateKey)
