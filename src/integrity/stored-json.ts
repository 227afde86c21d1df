/** Stored JSON, parsed and hashed without the code that wrote it. */
import { hash } from "node:crypto"
import canonicalize from "canonicalize"

export interface JsonValues {
  readonly [member: string]: unknown
}

/** The SHA-256 of the canonical form. */
export const digestOf = (value: unknown): string => hash("sha256", canonicalize(value) ?? "")

/** A stored text of canonical JSON. Rows are immutable, so that each text is parsed once. */
export const parsed = <A = JsonValues>(text: string): A => {
  if (!texts.has(text)) {
    if (texts.size >= textsMax) texts.clear()
    texts.set(text, JSON.parse(text))
  }
  return texts.get(text) as A
}

const texts = new Map<string, unknown>()
const textsMax = 20_000

/** The `payload` of a signed event, without a check of its signature. */
export const payloadOf = ({ jws }: { readonly jws: string }): JsonValues => {
  const event: unknown = JSON.parse(Buffer.from(jws.split(".")[1] ?? "", "base64url").toString("utf8"))
  return (event as { readonly payload?: JsonValues }).payload ?? {}
}
