/** Reads over a connection: the same for a view and, with lock checks, for a write transaction. */
import { Effect } from "effect"
import { indexColumns, noReadChecks, completeKey, normalizedRange } from "../../ports/storage/lookups.ts"
import type { ReadChecks } from "../../ports/storage/lookups.ts"
import type { KeyValue, Reader } from "../../ports/storage.ts"
import type { AnyTable, RowOf } from "../../ports/table.ts"
import { decodeRow } from "./columns.ts"
import type { Read, Rows } from "./combined-reads.ts"

/** Answers a read with its rows, or dies where the transaction has failed. */
export type RowSource = (read: Read) => Effect.Effect<Rows>

export const makeReader = (rowsOf: RowSource, checks: ReadChecks = noReadChecks): Reader => {
  const one = <T extends AnyTable>(table: T, columns: ReadonlyArray<string>, values: ReadonlyArray<KeyValue>) =>
    Effect.suspend((): Effect.Effect<RowOf<T> | undefined> => {
      checks.before(table, columns, values)
      const wanted = completeKey(table, columns, values)
      if (wanted === undefined) return Effect.undefined
      return Effect.map(rowsOf({ table, columns, wanted }), ([found]) =>
        found === undefined ? undefined : checked(table, found)
      )
    })

  const checked = <T extends AnyTable>(table: T, values: ReadonlyArray<unknown>): RowOf<T> => {
    const row = decodeRow(table, values)
    checks.after(table, row)
    return row as RowOf<T>
  }

  return {
    get: (table, key) => one(table, table.key, key),
    find: (table, index, values) => one(table, table.unique[index], values),
    range: (table, index, range) =>
      Effect.suspend(() => {
        const columns = indexColumns(table, index)
        checks.before(table, columns, range.prefix)
        if (range.matching !== undefined) checks.filter(table)
        const wanted = normalizedRange(table, columns, range)
        if (wanted === undefined) return Effect.succeed([])
        return Effect.map(rowsOf({ table, columns, wanted }), (found) => found.map((values) => checked(table, values)))
      })
  }
}
