/**
 * Validates values before they reach any store, and normalizes them to the form in which they are read back. The memory
 * store and the database agree because both pass through here.
 */
import { isInstant } from "../../vocabulary/instant.ts"
import { StorageMisuse } from "./lock-discipline.ts"
import type { KeyValue } from "../storage.ts"
import type { AnyTable, Column } from "../table.ts"

/** Text in a key or an index is at most this long in UTF-8. */
const indexedTextBytesMax = 512

export type StoredRow = Readonly<Record<string, unknown>>

/** The row as it is read back, or a defect that names the column; exactly the declared columns must be present. */
export const storedRow = (table: AnyTable, row: StoredRow): StoredRow => {
  const stored: Record<string, unknown> = {}
  for (const column of Object.keys(table.columns)) stored[column] = storedValue(table, column, row[column])
  for (const column of Object.keys(row)) if (!(column in stored)) refuse(table, column, "is no column")
  return stored
}

/** The changes as they are read back. Columns of the key and of the partition, and the one that names a row's lock, never change. */
export const storedChanges = (table: AnyTable, changes: StoredRow): StoredRow => {
  const stored: Record<string, unknown> = {}
  for (const [column, value] of Object.entries(changes)) {
    if (!(column in table.columns)) refuse(table, column, "is no column")
    const isLock = table.guard !== "append-only" && table.guard.by === column
    if (table.key.includes(column) || table.partition === column || isLock) {
      refuse(table, column, "belongs to the key or the partition or names the lock, and never changes")
    }
    stored[column] = storedValue(table, column, value)
  }
  return stored
}

/** The values, normalized for comparison with stored ones; undefined where no row can match. */
export const lookupValues = (
  table: AnyTable,
  columns: ReadonlyArray<string>,
  values: ReadonlyArray<KeyValue>
): ReadonlyArray<KeyValue> | undefined => {
  const wanted = values.map((value, index) => {
    const column: Column<unknown> | undefined = table.columns[columns[index] ?? ""]
    if (column === undefined) throw new StorageMisuse(`${table.name}: more values than columns in the index`)
    const problem = problemWith(column, value)
    if (problem === undefined) return typeof value === "number" ? value + 0 : value
    if (typeof value === "string" && column.type === "text") return undefined
    return refuse(table, columns[index]!, problem)
  })
  return wanted.includes(undefined) ? undefined : (wanted as ReadonlyArray<KeyValue>)
}

/** The order of the UTF-8 bytes, which is the order of code points and not that of JavaScript's code units. */
export const compareText = (a: string, b: string): number => {
  const shorter = Math.min(a.length, b.length)
  for (let at = 0; at < shorter; at++) {
    const left = a.charCodeAt(at)
    const right = b.charCodeAt(at)
    if (left !== right) return rank(left) - rank(right)
  }
  return a.length - b.length
}

// Surrogates encode code points above every other code unit.
const rank = (codeUnit: number): number => (codeUnit >= 0xd800 && codeUnit <= 0xdfff ? codeUnit + 0x10000 : codeUnit)

const encoder = new TextEncoder()

const bytesOf = (text: string): number => encoder.encode(text).length

const storedValue = (table: AnyTable, name: string, value: unknown): unknown => {
  const column: Column<unknown> = table.columns[name]
  if (value === null && column.nullable) return null
  const problem = problemWith(column, value)
  if (problem !== undefined) return refuse(table, name, problem)
  if (column.type === "json") return storedJson(value)
  if (column.type === "integer") return (value as number) + 0
  if (column.type === "text" && isIndexed(table, name) && bytesOf(value as string) > indexedTextBytesMax) {
    return refuse(table, name, `is indexed and longer than ${indexedTextBytesMax} bytes`)
  }
  return value
}

const problemWith = (column: Column<unknown>, value: unknown): string | undefined => {
  switch (column.type) {
    case "text":
      if (typeof value !== "string") return "is not text"
      return isStorable(value) ? undefined : "holds NUL or a lone surrogate"
    case "integer":
      return Number.isSafeInteger(value) ? undefined : "is no whole number within 2^53 - 1"
    case "boolean":
      return typeof value === "boolean" ? undefined : "is no boolean"
    case "instant":
      return typeof value === "string" && isInstant(value) ? undefined : "is no instant"
    case "json":
      if (value === null || value === undefined) return "is no JSON value"
      return everyText(value, isStorable) ? undefined : "holds NUL or a lone surrogate"
  }
}

const isStorable = (text: string): boolean => !text.includes("\0") && text.isWellFormed()

const everyText = (value: unknown, holds: (text: string) => boolean): boolean => {
  if (typeof value === "string") return holds(value)
  if (typeof value !== "object" || value === null) return true
  return Object.entries(value).every(([name, inner]) => holds(name) && everyText(inner, holds))
}

/** Members in a fixed order, and nothing that JSON lacks, as a database column returns it. */
const storedJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value), (_, inner) => inMemberOrder(inner))

const inMemberOrder = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => compareMembers(a, b)))
}

const compareMembers = (a: string, b: string): number => bytesOf(a) - bytesOf(b) || compareText(a, b)

const indexedColumns = new WeakMap<AnyTable, ReadonlySet<string>>()

const isIndexed = (table: AnyTable, column: string): boolean => {
  const known = indexedColumns.get(table)
  if (known !== undefined) return known.has(column)
  const indexes: ReadonlyArray<ReadonlyArray<string>> = [
    table.key,
    ...Object.values<ReadonlyArray<string>>(table.unique),
    ...Object.values<ReadonlyArray<string>>(table.ordered)
  ]
  const columns: ReadonlySet<string> = new Set(indexes.flat())
  indexedColumns.set(table, columns)
  return columns.has(column)
}

const refuse = (table: AnyTable, column: string, problem: string): never => {
  throw new StorageMisuse(`${table.name}.${column} ${problem}`)
}
