/** Builds cases from a forgery of the sample closure, or from its files with one of them replaced. */
import { type ClosureForgery, type ClosureSample, makeClosure } from "../sample-closure.ts"
import { at, type Members } from "../signing.ts"
import { bytesOf, type Content, verdictOf } from "./case-builders.ts"
import type { Case } from "./case.ts"

export interface ClosureInputs extends ClosureForgery {
  /** The file of the closure by default. */
  readonly artifact?: (sample: ClosureSample) => Content
  readonly status?: (sample: ClosureSample) => Content
  readonly policy?: (sample: ClosureSample) => Content
  readonly checkedAt?: string
}

/** A case in which no check fails; its name ends in `_ok`. */
export const closureOk = (name: string, why: string, inputs: ClosureInputs = {}): Case => ({
  ...closureCase(`closure/${name}_ok`, why, inputs),
  expected: { verdict: "VERIFIED_WITH_LIMITATIONS", first: null }
})

/** A case with this first failed check and code; its name ends in `_fail`. */
export const closureFail = (
  name: string,
  why: string,
  check: string,
  code: string,
  inputs: ClosureInputs = {}
): Case => ({
  ...closureCase(`closure/${name}_fail`, why, inputs),
  expected: { verdict: verdictOf(check), first: { check, code } }
})

export const closureCase = (name: string, why: string, inputs: ClosureInputs): Omit<Case, "expected"> => {
  const sample = makeClosure(inputs)
  return {
    name,
    why,
    checkedAt: inputs.checkedAt ?? at(21),
    artifact: bytesOf(inputs.artifact?.(sample) ?? sample.file),
    trust: bytesOf(sample.trust),
    ...(inputs.status === undefined ? {} : { status: bytesOf(inputs.status(sample)) }),
    ...(inputs.policy === undefined ? {} : { policy: bytesOf(inputs.policy(sample)) })
  }
}

export const body = (edit: (body: Members) => unknown): ClosureInputs => ({ body: (one) => void edit(one) })
export const terms = (edit: (terms: Members) => unknown): ClosureInputs => ({ terms: (one) => void edit(one) })
export const order = (edit: (order: Members) => unknown): ClosureInputs => ({ order: (one) => void edit(one) })
export const binding = (edit: (binding: Members) => unknown): ClosureInputs => ({
  payment: { binding: (one) => void edit(one) }
})
