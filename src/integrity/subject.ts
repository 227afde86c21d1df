/** One kind of thing that `admin check` looks at: a row, the rows that belong to it, and what must hold of them. */
import type { Effect } from "effect"
import type { IssuerKeys } from "../ports/signer.ts"
import type { Reader } from "../ports/storage.ts"
import type { AnyTable, RowOf } from "../ports/table.ts"
import type { Instant } from "../vocabulary/instant.ts"

export interface CheckContext {
  /** The issuer's public keys, also those that no longer sign. */
  readonly keys: IssuerKeys
  /** The time before the snapshot. */
  readonly at: Instant
}

/** What a check found: `problem` holds ids and numbers, never text of customers. */
export interface Problem {
  readonly check: string
  readonly problem: string | undefined
}

export interface Subject {
  readonly name: string
  readonly table: AnyTable
  /** What to look at after a finding. */
  readonly look: string
  /** Reads what belongs to the row on the snapshot of the row, and gives the checks, which run without the snapshot. */
  readonly load: (
    reader: Reader,
    row: Readonly<Record<string, unknown>>,
    context: CheckContext
  ) => Effect.Effect<() => ReadonlyArray<Problem>>
}

/** Types the rows at the definition and erases them for the pass. The table has a key of one id. */
export const subject = <T extends AnyTable>(
  name: string,
  table: T,
  look: string,
  load: (reader: Reader, row: RowOf<T>, context: CheckContext) => Effect.Effect<() => ReadonlyArray<Problem>>
): Subject => ({ name, table, look, load: load as unknown as Subject["load"] })
