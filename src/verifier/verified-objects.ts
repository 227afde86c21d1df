/** The parts of a package with verified signatures and schemas, and the digests by which other objects refer to them. */
import { chainHashOf } from "../canonical/chain.ts"
import { sha256Hex } from "../canonical/digest.ts"
import { validate, type Schema } from "./schema-kit.ts"
import { pass, type Finding } from "./ledger.ts"
import type { VerifiedPayload } from "./verified-jws.ts"

/** A verified JWS whose payload matches its schema. */
export interface VerifiedJws<T> {
  readonly content: T
  readonly signed: VerifiedPayload
}

/** An event of a hash chain: `hash` is the digest of its payload without `issuedAt`. */
export interface ChainedEvent<T> extends VerifiedJws<T> {
  readonly hash: string
}

/** A member of a signed object to which other objects refer by its digest. */
export interface EnclosedPart<T> {
  readonly content: T
  readonly digest: string
  readonly bytes: number
}

export const readContent = <T>(form: Schema<T>, signed: VerifiedPayload): Finding<VerifiedJws<T>> => {
  const content = validate(form, signed.payload)
  return content.ok ? pass({ content: content.value, signed }) : content
}

export const readChainedEvent = <T>(form: Schema<T>, signed: VerifiedPayload): Finding<ChainedEvent<T>> => {
  const opened = readContent(form, signed)
  if (!opened.ok) return opened
  const hash = chainHashOf(signed.texts)
  return pass({ ...opened.value, hash }, hash)
}

/** A member with the digest of its canonical text in the signed bytes. */
export const enclosedPart = <T, K extends keyof T & string>(opened: VerifiedJws<T>, member: K): EnclosedPart<T[K]> => {
  const text = opened.signed.texts.get(member) ?? ""
  return { content: opened.content[member], digest: sha256Hex(text), bytes: Buffer.byteLength(text) }
}

/** The digest of an event's payload. */
export const payloadDigest = (event: VerifiedJws<unknown>): string => sha256Hex(event.signed.texts.get("payload") ?? "")
