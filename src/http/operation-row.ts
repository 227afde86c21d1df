/** An operation that agents and people share, declared in one row: each caller's endpoint is derived from it. */
import type { Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import type { RefusalCode } from "../vocabulary/refusal-rules.ts"
import { refuses } from "./refuses.ts"
import { titled } from "./titled.ts"

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

/** What operations act on: the path before that of their rows, with its parameters and their query. */
export interface OperationSubject<Path extends `/${string}`, Params, Query = never> {
  readonly path: Path
  readonly params: Params
  readonly query?: Query
}

/** The endpoint of an operation for one kind of caller; `shared` are the refusals of all operations of these callers. */
export const operationEndpoint = <
  const Path extends `/${string}`,
  Params extends Schema.Struct.Fields,
  const Row extends OperationRow,
  const Caller extends CallerRow,
  Success extends Schema.Top,
  const Shared extends Codes,
  Query extends Schema.Struct.Fields = never
>(
  subject: OperationSubject<Path, Params, Query>,
  row: Row,
  caller: Caller,
  success: Success,
  shared: Shared
) =>
  HttpApiEndpoint.post(caller.name as Caller["name"], `${subject.path}/${row.path as Row["path"]}`, {
    params: subject.params,
    query: subject.query,
    payload: caller.payload as Caller["payload"],
    success,
    error: refuses(...shared, ...(row.refusals as Row["refusals"]), ...ownRefusals(caller))
  }).annotateMerge(titled(caller.summary ?? row.summary))

/** The `refusals` of a caller's row, none if it has none. */
const ownRefusals = <const Row extends { readonly refusals?: Codes }>({ refusals = [] }: Row) =>
  refusals as Row extends { readonly refusals: infer Own extends Codes } ? Own : readonly []
