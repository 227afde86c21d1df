/** Builds cases from a forgery of the sample Commerce Record, or from its files with one of them replaced. */
import { type CommerceForgery, type CommerceSample, makeCommerceRecord } from "../sample-commerce.ts"
import { at, type Members } from "../signing.ts"
import { bytesOf, type Content, verdictOf } from "./case-builders.ts"
import type { Case } from "./case.ts"

export interface CommerceInputs extends CommerceForgery {
  /** The file of the record by default. */
  readonly artifact?: (sample: CommerceSample) => Content
  readonly status?: (sample: CommerceSample) => Content
  readonly policy?: Members
}

/** A case in which no check fails; its name ends in `_ok`. */
export const commerceOk = (name: string, why: string, inputs: CommerceInputs = {}): Case => ({
  ...make(name, why, inputs),
  expected: { verdict: "VERIFIED_WITH_LIMITATIONS", first: null }
})

/** A case with this first failed check and code; its name ends in `_fail`. */
export const commerceFail = (
  name: string,
  why: string,
  check: string,
  code: string,
  inputs: CommerceInputs = {}
): Case => ({
  ...make(name, why, inputs),
  expected: { verdict: verdictOf(check), first: { check, code } }
})

const make = (name: string, why: string, inputs: CommerceInputs): Omit<Case, "expected"> => {
  const sample = makeCommerceRecord(inputs)
  return {
    name,
    why,
    checkedAt: at(21),
    artifact: bytesOf(inputs.artifact?.(sample) ?? sample.file),
    trust: bytesOf(sample.trust),
    ...(inputs.status === undefined ? {} : { status: bytesOf(inputs.status(sample)) }),
    ...(inputs.policy === undefined ? {} : { policy: bytesOf(inputs.policy) })
  }
}

export const record = (edit: (record: Members) => unknown): CommerceInputs => ({ record: (one) => void edit(one) })

/** Edits the facts of the observation at this index. */
export const facts = (index: number, changes: Members): CommerceInputs => ({
  observations: (all) => void Object.assign(all[index]!["facts"], changes)
})
