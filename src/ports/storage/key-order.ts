/** The order of keys, index values and claimed rows: a database may return these in any order. */
import type { KeyValue } from "../storage.ts"
import { compareText, type StoredRow } from "./stored-values.ts"
import type { AnyTable, RowOf } from "../table.ts"

export const inDueOrder = <T extends AnyTable>(table: T, rows: ReadonlyArray<RowOf<T>>): ReadonlyArray<RowOf<T>> => {
  const columns: ReadonlyArray<string> = table.lease === undefined ? table.key : [table.lease.dueAt, ...table.key]
  const values = (row: RowOf<T>) => columns.map((column) => (row as StoredRow)[column] as KeyValue)
  return [...rows].sort((a, b) => compareKeys(values(a), values(b)))
}

/** Compares two lists of equal length by their first difference. */
export const compareKeys = (a: ReadonlyArray<KeyValue>, b: ReadonlyArray<KeyValue>): number => {
  for (let at = 0; at < a.length; at++) {
    const order = compareValues(a[at]!, b[at]!)
    if (order !== 0) return order
  }
  return 0
}

const compareValues = (a: KeyValue, b: KeyValue): number =>
  typeof a === "string" ? compareText(a, b as string) : Number(a) - Number(b)
