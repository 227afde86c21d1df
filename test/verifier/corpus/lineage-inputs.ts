/** Builds cases of closures with a lineage, from a forgery of the sample's. */
import type { LineageForgery } from "../sample-lineage.ts"
import type { Members } from "../signing.ts"
import { verdictOf } from "./case-builders.ts"
import type { Case } from "./case.ts"
import { closureCase, type ClosureInputs } from "./closure-inputs.ts"

export interface LineageInputs extends LineageForgery {
  readonly closure?: ClosureInputs
}

/** A case in which no check fails. */
export const lineageOk = (name: string, why: string, inputs: LineageInputs = {}): Case => ({
  ...make(`lineage/${name}_ok`, why, inputs),
  expected: { verdict: "VERIFIED_WITH_LIMITATIONS", first: null }
})

/** A case with this first failed check and code. */
export const lineageFail =
  (check: string, code: string) =>
  (name: string, why: string, inputs: LineageInputs): Case => ({
    ...make(`lineage/${name}_fail`, why, inputs),
    expected: { verdict: verdictOf(check), first: { check, code } }
  })

const make = (name: string, why: string, { closure, ...lineage }: LineageInputs): Omit<Case, "expected"> =>
  closureCase(name, why, { ...closure, lineage })

type Edit = (value: Members) => unknown

export const file = (edit: Edit): LineageInputs => ({ file: (one) => void edit(one) })
export const agreement = (edit: Edit): LineageInputs => ({ agreement: (one) => void edit(one) })
export const reference = (edit: Edit): LineageInputs => ({ reference: (one) => void edit(one) })
export const link = (edit: Edit): LineageInputs => ({ link: (one) => void edit(one) })
export const snapshot = (edit: Edit): LineageInputs => ({ snapshot: (one) => void edit(one) })
export const manifest = (edit: Edit): LineageInputs => ({ passport: { manifest: (one) => void edit(one) } })
export const closureAt = (time: string): LineageInputs => ({
  closure: { body: (one) => void (one["issuedAt"] = time) }
})
