/**
 * The rows of all tables as one immutable value: each index is a sorted array that a change replaces. Snapshots and
 * forks are references, and only changed tables are hashed again.
 */
import { hash } from "node:crypto"
import { compareKeys } from "../../../src/ports/storage/key-order.ts"
import { ownKey } from "../../../src/ports/storage/lookups.ts"
import type { KeyValue, Range } from "../../../src/ports/storage.ts"
import type { StoredRow } from "../../../src/ports/storage/stored-values.ts"
import { type AnyTable, changeGuard } from "../../../src/ports/table.ts"
import { never } from "../../../src/vocabulary/instant.ts"

/** By table name; a table without rows is absent. */
export type Content = ReadonlyMap<string, Indexes>

/** By index name: its rows in order. The primary key is the index `key`. */
type Indexes = ReadonlyMap<string, ReadonlyArray<StoredRow>>

export type Write =
  | { readonly kind: "insert"; readonly table: AnyTable; readonly row: StoredRow }
  | ({ readonly kind: "update"; readonly changes: StoredRow } & Change)
  | ({ readonly kind: "remove" } & Change)

interface Change {
  readonly table: AnyTable
  readonly key: ReadonlyArray<KeyValue>
  readonly lockIds: ReadonlyArray<string>
}

/** The error of a database for a write. */
export interface ConstraintViolation {
  readonly code: "23505" | "22012"
  readonly reason: string
  readonly raced: boolean
}

export const emptyContent: Content = new Map()

export const isViolation = (result: Content | ConstraintViolation): result is ConstraintViolation => "code" in result

/** The row with these values in the primary key or a unique index. */
export const rowAt = (
  content: Content,
  table: AnyTable,
  index: string,
  values: ReadonlyArray<KeyValue>
): StoredRow | undefined => {
  const columns = columnsOf(table, index)
  const rows = content.get(table.name)?.get(index) ?? []
  const found = rows[firstAtLeast(rows, columns, values)]
  return found !== undefined && compareKeys(valuesOf(found, columns), values) === 0 ? found : undefined
}

export const rowsIn = (content: Content, table: AnyTable, index: string, range: Range): ReadonlyArray<StoredRow> => {
  const columns = columnsOf(table, index)
  const rows = content.get(table.name)?.get(index) ?? []
  const prefix = columns.slice(0, range.prefix.length)
  const from = firstAtLeast(rows, prefix, range.prefix)
  const to = firstPast(rows, prefix, range.prefix)
  const bound = range.after === undefined ? undefined : [...range.prefix, ...range.after]
  if (range.direction !== "descending") {
    const start = bound === undefined ? from : Math.max(from, firstPast(rows, columns, bound))
    return rows.slice(start, Math.min(to, start + range.limit))
  }
  const end = bound === undefined ? to : Math.min(to, firstAtLeast(rows, columns, bound))
  return rows.slice(Math.max(from, end - range.limit), Math.max(from, end)).reverse()
}

/** The due rows, from an index of due times if the table has one. */
export const rowsDue = (content: Content, table: AnyTable, dueAt: string, dueBy: string): ReadonlyArray<StoredRow> => {
  const index = Object.keys(table.ordered).find((name) => table.ordered[name]?.[0] === dueAt)
  if (index !== undefined) {
    const rows = content.get(table.name)?.get(index) ?? []
    return rows.slice(0, firstPast(rows, [dueAt], [dueBy]))
  }
  return allRows(content, table).filter((row) => row[dueAt] !== null && String(row[dueAt]) <= dueBy)
}

/** All rows of a table in key order. */
export const allRows = (content: Content, table: AnyTable): ReadonlyArray<StoredRow> =>
  content.get(table.name)?.get("key") ?? []

/** The content after the writes, or the first constraint violation. */
export const applyWrites = (content: Content, writes: ReadonlyArray<Write>): Content | ConstraintViolation => {
  let after = content
  for (const write of writes) {
    const result = apply(after, write)
    if (isViolation(result)) return result
    after = result
  }
  return after
}

const apply = (content: Content, write: Write): Content | ConstraintViolation => {
  const { table } = write
  if (write.kind === "insert") return insertRow(content, table, write.row)
  const row = rowToChange(content, table, write.key)
  const guard = changeGuard(table, write.kind === "update" ? Object.keys(write.changes) : [])
  const isLocked = row !== undefined && guard !== undefined && write.lockIds.includes(String(row[guard.by]))
  if (row === undefined && write.kind === "remove") return content
  if (row === undefined || !isLocked) {
    const reason = `${write.kind} ${table.name}: no such row under an exclusive lock`
    return { code: "22012", reason, raced: false }
  }
  const without = replaceRow(content, table, row, undefined)
  return write.kind === "remove" ? without : insertRow(without, table, { ...row, ...write.changes })
}

/** Undefined also where the row exists and is not in the partition that the write names. */
const rowToChange = (content: Content, table: AnyTable, key: ReadonlyArray<KeyValue>): StoredRow | undefined => {
  const row = rowAt(content, table, "key", ownKey(table, key))
  return table.partition === undefined || row?.[table.partition] === key.at(-1) ? row : undefined
}

const insertRow = (content: Content, table: AnyTable, row: StoredRow): Content | ConstraintViolation => {
  for (const index of ["key", ...Object.keys(table.unique)]) {
    const values = valuesOf(row, columnsOf(table, index))
    // As in SQL, NULL equals nothing.
    if (values.includes(null as never) || rowAt(content, table, index, values) === undefined) continue
    return { code: "23505", reason: `insert ${table.name}: duplicate ${index}`, raced: table.raced }
  }
  return replaceRow(content, table, undefined, row)
}

/** The content with one row replaced by another; either may be undefined. */
export const replaceRow = (
  content: Content,
  table: AnyTable,
  old: StoredRow | undefined,
  next: StoredRow | undefined
): Content => {
  const indexes = new Map<string, ReadonlyArray<StoredRow>>()
  for (const index of indexesOf(table)) {
    const columns = columnsOf(table, index)
    let rows = content.get(table.name)?.get(index) ?? []
    if (old !== undefined && rows.includes(old)) rows = rows.toSpliced(rows.indexOf(old), 1)
    if (next !== undefined && isIndexed(table, index, next)) {
      rows = rows.toSpliced(firstAtLeast(rows, columns, valuesOf(next, columns)), 0, next)
    }
    indexes.set(index, rows)
  }
  return new Map(content).set(table.name, indexes)
}

const isIndexed = (table: AnyTable, index: string, row: StoredRow): boolean => {
  const { [index]: partial } = table.partial
  return (
    !valuesOf(row, columnsOf(table, index)).includes(null as never) && (partial === undefined || row[partial] !== never)
  )
}

/** A digest of all rows of all tables, independent of their history. */
export const hashOf = (content: Content): string => {
  const names = [...content.keys()].filter((name) => content.get(name)!.get("key")!.length > 0)
  return hash(
    "sha256",
    names
      .sort()
      .map((name) => `${name} ${tableHash(content.get(name)!)}\n`)
      .join("")
  )
}

/** A digest of one row, computed once: stored rows are immutable. */
export const rowDigest = (row: StoredRow): string => remembered(rowDigests, row, () => JSON.stringify(row))

const rowDigests = new WeakMap<StoredRow, string>()

const tableHash = (indexes: Indexes): string =>
  remembered(tableHashes, indexes, () => indexes.get("key")!.map(rowDigest).join(""))

const tableHashes = new WeakMap<Indexes, string>()

const remembered = <K extends object>(digests: WeakMap<K, string>, of: K, text: () => string): string => {
  const known = digests.get(of)
  if (known !== undefined) return known
  const digest = hash("sha256", text())
  digests.set(of, digest)
  return digest
}

const indexesOf = (table: AnyTable): ReadonlyArray<string> => [
  "key",
  ...Object.keys(table.unique),
  ...Object.keys(table.ordered)
]

const columnsOf = (table: AnyTable, index: string): ReadonlyArray<string> =>
  index === "key" ? table.key : (table.ordered[index] ?? table.unique[index])

const valuesOf = (row: StoredRow, columns: ReadonlyArray<string>): ReadonlyArray<KeyValue> =>
  columns.map((column) => row[column] as KeyValue)

/** The position of the first row at or after the bound in these columns. */
const firstAtLeast = (rows: ReadonlyArray<StoredRow>, columns: ReadonlyArray<string>, bound: ReadonlyArray<KeyValue>) =>
  firstWhere(rows, (row) => compareKeys(valuesOf(row, columns), bound) >= 0)

/** The position of the first row after the bound in these columns. */
const firstPast = (rows: ReadonlyArray<StoredRow>, columns: ReadonlyArray<string>, bound: ReadonlyArray<KeyValue>) =>
  firstWhere(rows, (row) => compareKeys(valuesOf(row, columns), bound) > 0)

const firstWhere = (rows: ReadonlyArray<StoredRow>, holds: (row: StoredRow) => boolean): number => {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(rows[middle]!)) high = middle
    else low = middle + 1
  }
  return low
}
