/** Lookups of a table, validated before any store runs them. */
import { StorageMisuse } from "./lock-discipline.ts"
import type { FilterCondition, KeyValue, Range, RangeFilter } from "../storage.ts"
import { lookupValues, type StoredRow } from "./stored-values.ts"
import type { AnyTable } from "../table.ts"

/** Checks of a transaction before and after each read. */
export interface ReadChecks {
  before(table: AnyTable, columns: ReadonlyArray<string>, values: ReadonlyArray<KeyValue>): void
  after(table: AnyTable, row: StoredRow): void
  /** Before a range of this table that leaves rows out. */
  filter(table: AnyTable): void
}

export const noReadChecks: ReadChecks = { before: () => {}, after: () => {}, filter: () => {} }

/** The columns of an index; the primary key is the index `key`. */
export const indexColumns = (table: AnyTable, index: string): ReadonlyArray<string> => {
  const columns = index === "key" ? table.key : (table.ordered[index] ?? table.unique[index])
  if (columns === undefined) throw new StorageMisuse(`${table.name} has no index ${index}`)
  return columns
}

/** The column in which `never` keeps a row out of the index of these columns; undefined where it has every row. */
export const partialColumn = (table: AnyTable, columns: ReadonlyArray<string>): string | undefined => {
  const index = Object.keys(table.partial).find((name) => table.ordered[name] === columns)
  return index === undefined ? undefined : table.partial[index]
}

/** One value for each column, normalized; undefined where no row can match. */
export const completeKey = (
  table: AnyTable,
  columns: ReadonlyArray<string>,
  values: ReadonlyArray<KeyValue>
): ReadonlyArray<KeyValue> | undefined => {
  if (columns.length !== values.length) {
    throw new StorageMisuse(`${table.name}: ${values.length} values for ${columns.length} columns`)
  }
  return lookupValues(table, columns, values)
}

/** The columns that find a row to be changed: its key, and the column by which its table is partitioned. */
export const columnsOfChangedRow = ({ key, partition }: AnyTable): ReadonlyArray<string> =>
  partition === undefined ? key : [...key, partition]

/** Of the values of those columns, the primary key. */
export const ownKey = (table: AnyTable, key: ReadonlyArray<KeyValue>): ReadonlyArray<KeyValue> =>
  key.slice(0, table.key.length)

/** The values of those columns, normalized. */
export const keyOfChangedRow = (table: AnyTable, key: ReadonlyArray<KeyValue>): ReadonlyArray<KeyValue> => {
  const whole = completeKey(table, columnsOfChangedRow(table), key)
  if (whole === undefined) throw new StorageMisuse(`${table.name}: a key that no row can have`)
  return whole
}

/** A normalized range; undefined where no row can match. */
export const normalizedRange = (table: AnyTable, columns: ReadonlyArray<string>, range: Range): Range | undefined => {
  if (!Number.isSafeInteger(range.limit) || range.limit < 0) {
    throw new StorageMisuse(`${table.name}: a limit of ${range.limit} rows`)
  }
  const related = range.matching?.related
  if (related !== undefined && (related.table.key.length !== 1 || related.conditions.length === 0)) {
    throw new StorageMisuse(
      `${table.name}: filtered by ${related.table.name} without a key of one column or a condition`
    )
  }
  const prefix = lookupValues(table, columns, range.prefix)
  if (prefix === undefined || (range.matching !== undefined && !canMatch(table, range.matching))) return undefined
  if (range.after === undefined) return { ...range, prefix }
  const after = completeKey(table, columns.slice(prefix.length), range.after)
  if (after === undefined) throw new StorageMisuse(`${table.name}: rows after a text that no row can hold`)
  return { ...range, prefix, after }
}

/** False where a condition has no value that a row can hold. */
const canMatch = (table: AnyTable, { own = [], related }: RangeFilter): boolean =>
  canHold(table, own) && (related === undefined || canHold(related.table, related.conditions))

const canHold = (table: AnyTable, conditions: ReadonlyArray<FilterCondition>): boolean =>
  conditions.every((condition) => {
    const values = "among" in condition ? condition.among : [condition.contains]
    return values.length > 0 && values.every((value) => lookupValues(table, [condition.column], [value]) !== undefined)
  })
