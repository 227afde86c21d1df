/** An operation that agents and people share, declared in one row: each caller's endpoint is derived from it. */
import type { Schema } from "effect"
import type { RefusalCode } from "../vocabulary/refusal-rules.ts"

export type Codes = ReadonlyArray<RefusalCode>

export interface OperationRow {
  /** Below the path of the subject. */
  readonly path: string
  readonly summary: string
  /** Those that both callers can get, beside those of every operation of a caller. */
  readonly refusals: Codes
}

/** What differs for one kind of caller. */
export interface CallerRow {
  readonly name: string
  readonly payload: Schema.Top
  /** Replaces the summary of the row. */
  readonly summary?: string
  /** Those that only these callers can get. */
  readonly refusals?: Codes
}

/** The `refusals` of a caller's row, none if it has none. */
export const ownRefusals = <const Row extends { readonly refusals?: Codes }>({ refusals = [] }: Row) =>
  refusals as Row extends { readonly refusals: infer Own extends Codes } ? Own : readonly []
