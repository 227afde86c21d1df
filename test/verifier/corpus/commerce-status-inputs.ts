/** Builds cases from a forgery of the sample Commerce status beside its record, or with the status alone. */
import { charge, observed, payment, refund } from "../sample-commerce.ts"
import { makeCommerceStatus, type StatusForgery, type StatusSample } from "../sample-commerce-status.ts"
import { at, type Members } from "../signing.ts"
import { bytesOf, type Content } from "./case-builders.ts"
import type { Case, Expected } from "./case.ts"

export interface StatusInputs extends StatusForgery {
  /** The file of the record by default. */
  readonly artifact?: (sample: StatusSample) => Content
  /** The file of the status by default; null for none. */
  readonly given?: ((sample: StatusSample) => Content) | null
  readonly checkedAt?: string
  readonly policy?: Members
}

/** A case in which no check fails; its name ends in `_ok`. */
export const statusOk = (name: string, why: string, inputs: StatusInputs = {}): Case => ({
  ...make(name, why, inputs),
  expected: { verdict: "VERIFIED_WITH_LIMITATIONS", first: null }
})

/** A case with this first failed check and code, which leaves the verdict on the record as it is; ends in `_fail`. */
export const statusFail = (
  name: string,
  why: string,
  check: string,
  code: string,
  inputs: StatusInputs = {}
): Case => ({
  ...make(name, why, inputs),
  expected: { verdict: "VERIFIED_WITH_LIMITATIONS", first: { check, code } }
})

const alone: StatusInputs = { artifact: ({ statusFile }) => statusFile, given: null }

export const aloneOk = (name: string, why: string, inputs: StatusInputs = {}): Case =>
  statusOk(name, why, { ...alone, ...inputs })

/** Of a status alone, whose own checks decide the verdict, except those of freshness. */
export const aloneFail = (
  name: string,
  why: string,
  check: string,
  code: string,
  inputs: StatusInputs = {},
  verdict: Expected["verdict"] = check.endsWith("-fresh") ? "VERIFIED_WITH_LIMITATIONS" : "REFUSED"
): Case => ({
  ...make(name, why, { ...alone, ...inputs }),
  expected: { verdict, first: { check, code } }
})

const make = (name: string, why: string, inputs: StatusInputs): Omit<Case, "expected"> => {
  const sample = makeCommerceStatus(inputs)
  const given = inputs.given === undefined ? sample.statusFile : inputs.given?.(sample)
  return {
    name,
    why,
    checkedAt: inputs.checkedAt ?? at(21),
    artifact: bytesOf(inputs.artifact?.(sample) ?? sample.file),
    trust: bytesOf(sample.trust),
    ...(given === undefined ? {} : { status: bytesOf(given) }),
    ...(inputs.policy === undefined ? {} : { policy: bytesOf(inputs.policy) })
  }
}

export const status = (edit: (status: Members) => unknown): StatusInputs => ({ status: (one) => void edit(one) })

/** Edits the component at this index. */
export const component = (index: number, edit: (component: Members) => unknown): StatusInputs =>
  status((one) => edit(one["components"][index]))

/** Edits the one observation of the component at this index. */
export const observation = (index: number, changes: Members): StatusInputs =>
  component(index, (one) => Object.assign(one["observations"][0], changes))

export const notReplayed = "RECORDER_ATTESTATION_NOT_REPLAYED"

/** A refund in part, which the record does not show. */
export const later: StatusInputs = {
  later: [
    observed(10, "PAYMENT", payment({ charge: charge({ amountRefundedMinor: 25_000 }) }), "PROVIDER_VERIFIED_PAYMENT"),
    observed(10, "REFUND", refund(), "PROVIDER_VERIFIED_REFUND")
  ]
}
