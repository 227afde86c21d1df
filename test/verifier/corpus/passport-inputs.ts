/** Builds cases from a forgery of the sample passport, or from its files with one of them replaced. */
import { at, jcs, keys, kid, type Members, signBytes } from "../signing.ts"
import { makePassport, type PassportForgery, type PassportSample } from "../sample-passport.ts"
import { bytesOf, type Content, verdictOf } from "./case-builders.ts"
import type { Case } from "./case.ts"

export interface PassportInputs extends PassportForgery {
  readonly checkedAt?: string
  /** The passport's file by default. */
  readonly artifact?: (sample: PassportSample) => Content
  /** The list in the status file; without one, the statements in the passport count. */
  readonly statuses?: (sample: PassportSample) => ReadonlyArray<unknown>
  /** The status file, where it is not a list. */
  readonly status?: (sample: PassportSample) => Content
  readonly policy?: Members
}

/** A case in which no check fails; its name ends in `_ok`. */
export const passportOk = (name: string, why: string, inputs: PassportInputs = {}): Case => ({
  ...make(name, why, inputs),
  expected: { verdict: "VERIFIED_WITH_LIMITATIONS", first: null }
})

/** A case with this first failed check and code; its name ends in `_fail`. */
export const passportFail = (
  name: string,
  why: string,
  check: string,
  code: string,
  inputs: PassportInputs = {}
): Case => ({
  ...make(name, why, inputs),
  expected: { verdict: verdictOf(check), first: { check, code } }
})

const make = (name: string, why: string, inputs: PassportInputs): Omit<Case, "expected"> => {
  const sample = makePassport(inputs)
  const statuses = inputs.statuses?.(sample)
  const status = statuses === undefined ? inputs.status?.(sample) : `${JSON.stringify(statuses, null, 1)}\n`
  return {
    name,
    why,
    checkedAt: inputs.checkedAt ?? at(21),
    artifact: bytesOf(inputs.artifact?.(sample) ?? sample.file),
    trust: bytesOf(sample.trust),
    ...(status === undefined ? {} : { status: bytesOf(status) }),
    ...(inputs.policy === undefined ? {} : { policy: bytesOf(inputs.policy) })
  }
}

/** Signs with the key of another purpose, or with a key outside the key file under the name of a trusted one. */
export const signedBy =
  (signer: keyof typeof keys, name: string = signer) =>
  (payload: Members): string =>
    signBytes(jcs({ alg: "EdDSA", kid: kid(name), typ: payload["schema"] }), jcs(payload), keys[signer].privateKey)
