/** Digests as the records contain them: SHA-256, 64 lower-case hexadecimal digits. */
import { hash } from "node:crypto"
import { canonicalText } from "./jcs.ts"

/** A text is hashed as its UTF-8 bytes. */
export const sha256Hex = (bytes: Uint8Array | string): string => hash("sha256", bytes, "hex")

/** The digest of a JSON value is the digest of its canonical form. */
export const digestOf = (value: unknown): string => sha256Hex(canonicalText(value))

/** True for a well-formed digest: no prefix, no capitals, no other length. */
export const isDigest = (value: unknown): value is string => typeof value === "string" && digestForm.test(value)

const digestForm = /^[0-9a-f]{64}$/
