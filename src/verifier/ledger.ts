/**
 * The ledger of one verification: every check that ran with its evidence, and every check that could not run with the
 * name of the one that kept it from running.
 *
 * A check receives only what earlier checks have proven, so nothing can be read from a part that failed.
 */
import type { Code } from "./codes.ts"
import { type Shown, shown, shownWish } from "./shown.ts"

export interface Check {
  readonly id: string
  readonly object: string
  readonly outcome: "pass" | "fail" | "not-checked"
  readonly code: Code | null
  readonly at?: string
  readonly expected?: Shown
  readonly actual?: Shown
  readonly because?: string
}

export interface Evidence {
  /** The member concerned, in the words of the format: `payload.items[0].files`; empty for the object itself. */
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

/** Passes when both sides are the same text, number or null. */
export const same = (code: Code, at: string, expected: unknown, actual: unknown): Finding<null> =>
  expected === actual ? pass(null, actual) : fail(code, at, expected, actual)

export const sameDigest = (at: string, expected: unknown, actual: unknown): Finding<null> =>
  same("DIGEST_MISMATCH", at, expected, actual)

export const andThen = <A, B>(finding: Finding<A>, next: (value: A) => Finding<B>): Finding<B> =>
  finding.ok ? next(finding.value) : finding

/** The first failure among several findings, else the value. */
export const allOf = <T>(value: T, findings: ReadonlyArray<Finding<unknown>>, actual?: unknown): Finding<T> => {
  for (const finding of findings) if (!finding.ok) return finding
  return pass(value, actual)
}

/** What a check left behind: a value to build on, or the id of the check that failed. */
export type Proven<T> =
  | { readonly known: true; readonly value: T }
  | { readonly known: false; readonly because: string }

/** Derives a value from a proven one; this proves nothing and so leaves no entry. */
export const derive = <A, B>(proven: Proven<A>, from: (value: A) => B): Proven<B> =>
  proven.known ? { known: true, value: from(proven.value) } : proven

/** Proven when all are. */
export const together = <T>(provens: ReadonlyArray<Proven<T>>): Proven<ReadonlyArray<T>> => {
  const values: Array<T> = []
  for (const proven of provens) {
    if (!proven.known) return proven
    values.push(proven.value)
  }
  return { known: true, value: values }
}

type Needs = Readonly<Record<string, Proven<unknown>>>
type Values<N extends Needs> = { readonly [K in keyof N]: N[K] extends Proven<infer T> ? T : never }

/** The same under their names; what is not proven is so because of the first of them. */
export const gathered = <N extends Needs>(needs: N): Proven<Values<N>> => {
  const values: Record<string, unknown> = {}
  for (const [name, need] of Object.entries(needs)) {
    if (!need.known) return need
    values[name] = need.value
  }
  return { known: true, value: values as Values<N> }
}

export class Ledger {
  readonly checks: Array<Check> = []

  /** Runs a check once everything it needs is proven. */
  check<N extends Needs, T>(id: string, object: string, needs: N, prove: (values: Values<N>) => Finding<T>): Proven<T> {
    const values = this.#values(id, object, needs)
    if (!values.known) return values
    return this.#enter(id, object, prove(values.value))
  }

  /** Runs a check on each item of a proven list; proven when every item passed. */
  each<I, N extends Needs, T>(
    id: string,
    object: string,
    items: Proven<ReadonlyArray<I>>,
    needs: N,
    prove: (item: I, values: Values<N>, index: number) => Finding<T>
  ): Proven<ReadonlyArray<T>> {
    const values = this.#values(id, object, { ...needs, items })
    if (!values.known) return values
    const found: Array<T> = []
    let complete = true
    const { items: list, ...rest } = values.value as Values<N> & { readonly items: ReadonlyArray<I> }
    for (const [index, item] of list.entries()) {
      const one = this.#enter(id, `${object}/${index + 1}`, prove(item, rest as unknown as Values<N>, index))
      if (one.known) found.push(one.value)
      else complete = false
    }
    return complete ? { known: true, value: found } : { known: false, because: id }
  }

  /** Enters something that this verifier leaves to its reader. */
  leave(id: string, object: string, code: Code, actual?: unknown): void {
    this.checks.push({ id, object, outcome: "not-checked", code, ...printed({ actual }) })
  }

  get hasFailure(): boolean {
    return this.checks.some((check) => check.outcome === "fail")
  }

  #values<N extends Needs>(id: string, object: string, needs: N): Proven<Values<N>> {
    const values = gathered(needs)
    if (!values.known) this.checks.push({ id, object, outcome: "not-checked", code: null, because: values.because })
    return values
  }

  #enter<T>(id: string, object: string, finding: Finding<T>): Proven<T> {
    if (finding.ok) {
      this.checks.push({ id, object, outcome: "pass", code: null, ...printed(finding) })
      return { known: true, value: finding.value }
    }
    this.checks.push({ id, object, outcome: "fail", code: finding.code, ...printed(finding) })
    return { known: false, because: id }
  }
}

const printed = ({ at, expected, actual }: Evidence): Pick<Check, "at" | "expected" | "actual"> => {
  const found: { at?: string; expected?: Shown; actual?: Shown } = {}
  if (at) found.at = at
  if (expected !== undefined) found.expected = shownWish(expected)
  if (actual !== undefined) found.actual = shown(actual)
  return found
}
