/**
 * The ledger of one verification: every check that ran, with its evidence, and every check that could not run, with the
 * name of the failed check before it.
 *
 * A check receives only values that earlier checks have proven, so that it cannot read from a part that failed.
 */
import type { Code } from "./codes.ts"
import { type PrintableValue, printable, printableExpectation } from "./printable.ts"

export interface Check {
  readonly id: string
  readonly object: string
  readonly outcome: "pass" | "fail" | "not-checked"
  readonly code: Code | null
  readonly at?: string
  readonly expected?: PrintableValue
  readonly actual?: PrintableValue
  readonly because?: string
}

export interface Evidence {
  /** The path of the member concerned: `payload.items[0].files`; empty for the object itself. */
  readonly at?: string
  readonly expected?: unknown
  readonly actual?: unknown
}

export type Failure = Evidence & { readonly ok: false; readonly code: Code }
export type Finding<T> = { readonly ok: true; readonly value: T; readonly actual?: unknown } | Failure

export const pass = <T>(value: T, actual?: unknown): Finding<T> => ({ ok: true, value, actual })

export const fail = (code: Code, at = "", expected?: unknown, actual?: unknown): Failure => ({
  ok: false,
  code,
  at,
  expected,
  actual
})

/** Passes when both are the same text, number or null. */
export const same = (code: Code, at: string, expected: unknown, actual: unknown): Finding<null> =>
  expected === actual ? pass(null, actual) : fail(code, at, expected, actual)

export const sameDigest = (at: string, expected: unknown, actual: unknown): Finding<null> =>
  same("DIGEST_MISMATCH", at, expected, actual)

/** Passes when the second time is not earlier than the first. */
export const inOrder = (at: string, before: string, after: string): Finding<null> =>
  before <= after ? pass(null, after) : fail("JOURNAL_TIME", at, before, after)

export const andThen = <A, B>(finding: Finding<A>, next: (value: A) => Finding<B>): Finding<B> =>
  finding.ok ? next(finding.value) : finding

/** The first failure among several findings, else the value. */
export const allOf = <T>(value: T, findings: ReadonlyArray<Finding<unknown>>, actual?: unknown): Finding<T> => {
  for (const finding of findings) if (!finding.ok) return finding
  return pass(value, actual)
}

/** The result of a check: a proven value, or the id of the check that failed. */
export type CheckResult<T> =
  | { readonly known: true; readonly value: T }
  | { readonly known: false; readonly because: string }

/** Derives a value from a proven one, without a check and so without an entry. */
export const derive = <A, B>(proven: CheckResult<A>, from: (value: A) => B): CheckResult<B> =>
  proven.known ? { known: true, value: from(proven.value) } : proven

/** Proven when every item is; otherwise because of the first that is not. */
export const combineList = <T>(provens: ReadonlyArray<CheckResult<T>>): CheckResult<ReadonlyArray<T>> => {
  const values: Array<T> = []
  for (const proven of provens) {
    if (!proven.known) return proven
    values.push(proven.value)
  }
  return { known: true, value: values }
}

type Inputs = Readonly<Record<string, CheckResult<unknown>>>
type Values<N extends Inputs> = { readonly [K in keyof N]: N[K] extends CheckResult<infer T> ? T : never }

/** The same for named values. */
export const combineRecord = <N extends Inputs>(needs: N): CheckResult<Values<N>> => {
  const values: Record<string, unknown> = {}
  for (const [name, need] of Object.entries(needs)) {
    if (!need.known) return need
    values[name] = need.value
  }
  return { known: true, value: values as Values<N> }
}

export class Ledger {
  readonly checks: Array<Check> = []

  /** Runs a check if every value that it needs is proven. */
  check<N extends Inputs, T>(
    id: string,
    object: string,
    needs: N,
    prove: (values: Values<N>) => Finding<T>
  ): CheckResult<T> {
    const values = this.#values(id, object, needs)
    if (!values.known) return values
    return this.#add(id, object, prove(values.value))
  }

  /** Runs a check on each item of a proven list; proven when every item passed. */
  each<I, N extends Inputs, T>(
    id: string,
    object: string,
    items: CheckResult<ReadonlyArray<I>>,
    needs: N,
    prove: (item: I, values: Values<N>, index: number) => Finding<T>
  ): CheckResult<ReadonlyArray<T>> {
    const values = this.#values(id, object, { ...needs, items })
    if (!values.known) return values
    const proven: Array<T> = []
    let complete = true
    const { items: list, ...rest } = values.value as Values<N> & { readonly items: ReadonlyArray<I> }
    for (const [index, item] of list.entries()) {
      const result = this.#add(id, `${object}/${index + 1}`, prove(item, rest as unknown as Values<N>, index))
      if (result.known) proven.push(result.value)
      else complete = false
    }
    return complete ? { known: true, value: proven } : { known: false, because: id }
  }

  /** Adds an entry for a check that this verifier leaves to the reader of the report. */
  leaveToReader(id: string, object: string, code: Code, actual?: unknown): void {
    this.checks.push({ id, object, outcome: "not-checked", code, ...evidenceOf({ actual }) })
  }

  get hasFailure(): boolean {
    return this.checks.some((check) => check.outcome === "fail")
  }

  #values<N extends Inputs>(id: string, object: string, needs: N): CheckResult<Values<N>> {
    const values = combineRecord(needs)
    if (!values.known) this.checks.push({ id, object, outcome: "not-checked", code: null, because: values.because })
    return values
  }

  #add<T>(id: string, object: string, finding: Finding<T>): CheckResult<T> {
    if (finding.ok) {
      this.checks.push({ id, object, outcome: "pass", code: null, ...evidenceOf(finding) })
      return { known: true, value: finding.value }
    }
    this.checks.push({ id, object, outcome: "fail", code: finding.code, ...evidenceOf(finding) })
    return { known: false, because: id }
  }
}

const evidenceOf = ({ at, expected, actual }: Evidence): Pick<Check, "at" | "expected" | "actual"> => {
  const evidence: { at?: string; expected?: PrintableValue; actual?: PrintableValue } = {}
  if (at) evidence.at = at
  if (expected !== undefined) evidence.expected = printableExpectation(expected)
  if (actual !== undefined) evidence.actual = printable(actual)
  return evidence
}
