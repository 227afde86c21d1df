/** Reads of content in memory, for views and, with additional checks, for write transactions. */
import { Effect } from "effect"
import {
  indexColumns,
  noReadChecks,
  completeKey,
  normalizedRange,
  type ReadChecks
} from "../../../src/ports/storage/lookups.ts"
import type { FilterCondition, KeyValue, Range, Reader } from "../../../src/ports/storage.ts"
import type { StoredRow } from "../../../src/ports/storage/stored-values.ts"
import type { AnyTable, RowOf } from "../../../src/ports/table.ts"
import { rowAt, rowDigest, rowsIn, type Content } from "./content.ts"

export const makeReader = (visible: (table: AnyTable) => Content, checks: ReadChecks = noReadChecks): Reader => {
  const one = <T extends AnyTable>(table: T, index: string, values: ReadonlyArray<KeyValue>) =>
    Effect.sync((): RowOf<T> | undefined => {
      const columns = indexColumns(table, index)
      checks.before(table, columns, values)
      const wanted = completeKey(table, columns, values)
      const row = wanted === undefined ? undefined : rowAt(visible(table), table, index, wanted)
      return row === undefined ? undefined : checked(table, row)
    })

  const checked = <T extends AnyTable>(table: T, row: StoredRow): RowOf<T> => {
    checks.after(table, row)
    // Objects inside a row belong to the store, so callers get copies.
    const copy = copyOf(row) as RowOf<T>
    originals.set(copy, row)
    return copy
  }

  const matchingRows = (table: AnyTable, index: string, range: Range): ReadonlyArray<StoredRow> => {
    if (range.matching === undefined) return rowsIn(visible(table), table, index, range)
    const { own = [], related } = range.matching
    const rows = rowsIn(visible(table), table, index, { ...range, limit: Infinity })
    const isMatch = (row: StoredRow): boolean => {
      if (!meetsAll(own, row)) return false
      if (related === undefined) return true
      const other = rowAt(visible(related.table), related.table, "key", [row[related.by] as string])
      return other !== undefined && meetsAll(related.conditions, other)
    }
    return rows.filter(isMatch).slice(0, range.limit)
  }

  return {
    get: (table, key) => one(table, "key", key),
    find: (table, index, values) => one(table, index, values),
    range: (table, index, range) =>
      Effect.sync(() => {
        const columns = indexColumns(table, index)
        checks.before(table, columns, range.prefix)
        if (range.matching !== undefined) checks.filter(table)
        const wanted = normalizedRange(table, columns, range)
        const rows = wanted === undefined ? [] : matchingRows(table, index, wanted)
        return rows.map((row) => checked(table, row))
      })
  }
}

/** A digest of a row as the store returned it, kept with the stored row. */
export const digestOfRead = (row: object): string => rowDigest(originals.get(row) ?? (row as StoredRow))

/** The stored row of each copy. */
const originals = new WeakMap<object, StoredRow>()

/** Rows contain only JSON, so this is simpler than a general deep copy. */
const copyOf = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map(copyOf)
  const copy: { [member: string]: unknown } = {}
  for (const member of Object.keys(value)) copy[member] = copyOf(Reflect.get(value, member))
  return copy
}

/** True where every condition holds for a row. */
const meetsAll = (conditions: ReadonlyArray<FilterCondition>, row: StoredRow): boolean =>
  conditions.every((condition) => {
    const value = row[condition.column]
    if (typeof value !== "string") return false
    return "among" in condition ? condition.among.includes(value) : value.includes(condition.contains)
  })
