/**
 * Builds cases from a forgery of a sample, or from the sample's files with one of them replaced. A case states its first
 * failed check and code; the verdict follows from the check, as docs/records.md specifies.
 */
import { checkedAt, type Forgery, type Sample } from "../sample.ts"
import type { Members } from "../signing.ts"
import { briefSample } from "./brief-sample.ts"
import type { Case, Expected } from "./case.ts"

/** The bytes of a file, its text, or the object that is serialized into it. */
export type Content = Uint8Array | string | Members

export interface CaseInputs {
  /** `briefSample` by default; `makeSample` for cases on agents or a second submission. */
  readonly base?: (forgery: Forgery) => Sample
  readonly forgery?: Forgery
  readonly checkedAt?: string
  /** The exported file by default. */
  readonly artifact?: (sample: Sample) => Content
  readonly trust?: (sample: Sample) => Content
  readonly status?: (sample: Sample) => Content
  readonly policy?: (sample: Sample) => Content
}

/** A case in which no check fails; its name ends in `_ok`. */
export const okCase = (name: string, why: string, making: CaseInputs = {}): Case => ({
  ...make(name, why, making),
  expected: { verdict: "VERIFIED_WITH_LIMITATIONS", first: null }
})

/** A case with this first failed check and code; its name ends in `_fail`. */
export const failCase = (name: string, why: string, check: string, code: string, making: CaseInputs = {}): Case => ({
  ...make(name, why, making),
  expected: { verdict: verdictOf(check), first: { check, code } }
})

/** The record alone, of 1 KB instead of 12 for the exported file: for cases on one signature and its key. */
export const recordAlone = (sample: Sample): string => sample.record

/** The verdict after a failure of this check: section 4 of docs/records.md. */
export const verdictOf = (check: string): Expected["verdict"] => {
  if (["checked-at", "trust-file", "authority-policy", "artifact-file"].includes(check)) return "UNREADABLE"
  return /^(?:publication-|commerce-)?status(?:-|$)/.test(check) ? "VERIFIED_WITH_LIMITATIONS" : "REFUSED"
}

const make = (name: string, why: string, making: CaseInputs): Omit<Case, "expected"> => {
  const sample = (making.base ?? briefSample)(making.forgery ?? {})
  return {
    name,
    why,
    checkedAt: making.checkedAt ?? checkedAt,
    artifact: bytesOf(making.artifact?.(sample) ?? sample.review),
    trust: bytesOf(making.trust?.(sample) ?? sample.trust),
    ...(making.status === undefined ? {} : { status: bytesOf(making.status(sample)) }),
    ...(making.policy === undefined ? {} : { policy: bytesOf(making.policy(sample)) })
  }
}

export const bytesOf = (content: Content): Uint8Array =>
  content instanceof Uint8Array
    ? content
    : Buffer.from(typeof content === "string" ? content : `${JSON.stringify(content, null, 1)}\n`)
