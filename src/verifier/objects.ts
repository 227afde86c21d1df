/** The parts of a package after their signatures and forms are proven, with the digests everything else refers to. */
import { chainHashOf } from "../canonical/chain.ts"
import { sha256Hex } from "../canonical/digest.ts"
import { fit, type Form } from "./forms.ts"
import { pass, type Finding } from "./ledger.ts"
import type { Signed } from "./signed.ts"

/** A signed object in its form. */
export interface Opened<T> {
  readonly content: T
  readonly signed: Signed
}

/** An event in its chain: `hash` is the digest of its payload without `issuedAt`. */
export interface Linked<T> extends Opened<T> {
  readonly hash: string
}

/** A member of a signed object that is named elsewhere by its digest. */
export interface Enclosed<T> {
  readonly content: T
  readonly digest: string
  readonly bytes: number
}

export const openAs = <T>(form: Form<T>, signed: Signed): Finding<Opened<T>> => {
  const fitting = fit(form, signed.payload)
  return fitting.ok ? pass({ content: fitting.value, signed }) : fitting
}

export const openLinked = <T>(form: Form<T>, signed: Signed): Finding<Linked<T>> => {
  const opened = openAs(form, signed)
  if (!opened.ok) return opened
  const hash = chainHashOf(signed.texts)
  return pass({ ...opened.value, hash }, hash)
}

/** A member as it stands in the signed bytes. */
export const enclose = <T, K extends keyof T & string>(opened: Opened<T>, member: K): Enclosed<T[K]> => {
  const text = opened.signed.texts.get(member) ?? ""
  return { content: opened.content[member], digest: sha256Hex(text), bytes: Buffer.byteLength(text) }
}

/** The digest of what an event carries. */
export const payloadDigest = (event: Opened<unknown>): string => sha256Hex(event.signed.texts.get("payload") ?? "")
