/**
 * How the cases are made: from a forgery of a sample, or from the sample's files with one of them exchanged. The author
 * of a case writes its first failed check and code; the verdict follows from the check, as docs/records.md has it.
 */
import { checkedAt, type Forgery, type Sample } from "../sample.ts"
import type { Members } from "../signing.ts"
import { briefSample } from "./brief.ts"
import type { Case, Expected } from "./case.ts"

/** The bytes of a file, its text, or the object that is printed into it. */
export type Content = Uint8Array | string | Members

export interface Making {
  /** `briefSample` where nothing is said; `makeSample` where agents or a second submission matter. */
  readonly base?: (forgery: Forgery) => Sample
  readonly forgery?: Forgery
  readonly checkedAt?: string
  /** The exported file where nothing is said. */
  readonly artifact?: (sample: Sample) => Content
  readonly trust?: (sample: Sample) => Content
  readonly status?: (sample: Sample) => Content
  readonly policy?: (sample: Sample) => Content
}

/** A case in which no check fails; its name ends in `_ok`. */
export const okCase = (name: string, why: string, making: Making = {}): Case => ({
  ...make(name, why, making),
  expected: { verdict: "VERIFIED_WITH_LIMITATIONS", first: null }
})

/** A case whose first failed check is this one, with this code; its name ends in `_fail`. */
export const failCase = (name: string, why: string, check: string, code: string, making: Making = {}): Case => ({
  ...make(name, why, making),
  expected: { verdict: verdictOf(check), first: { check, code } }
})

/** The record alone, which is 1 KB where the exported file is 12: for what concerns one signature and its key. */
export const recordAlone = (sample: Sample): string => sample.record

/** What a failure of this check means for the verdict: section 4 of docs/records.md. */
const verdictOf = (check: string): Expected["verdict"] => {
  if (["checked-at", "trust-file", "authority-policy", "artifact-file"].includes(check)) return "UNREADABLE"
  return check.startsWith("status-") ? "VERIFIED_WITH_LIMITATIONS" : "REFUSED"
}

const make = (name: string, why: string, making: Making): Omit<Case, "expected"> => {
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
