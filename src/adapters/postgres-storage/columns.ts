/** The mapping of declared columns to Postgres: names, parameters, values. */
import { PgTypes } from "@effect/sql-pg"
import type { AnyTable, Column, ColumnType } from "../../ports/table.ts"
import { toMilliseconds, type Instant } from "../../vocabulary/instant.ts"
import type { StoredRow } from "../../ports/storage/stored-values.ts"

export const columnName = (name: string): string => {
  const cached = columnNames.get(name)
  if (cached !== undefined) return cached
  const converted = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  columnNames.set(name, converted)
  return converted
}

const columnNames = new Map<string, string>()

export const quoted = (name: string): string => `"${columnName(name)}"`

export const columnsOf = (table: AnyTable): ReadonlyArray<string> => columnList(table).names

/** The parameter for a value that `stored-values.ts` has validated. */
export const parameter = (table: AnyTable, column: string, value: unknown): PgTypes.Parameter => {
  const declared: Column<unknown> = table.columns[column]
  switch (declared.type) {
    case "text":
      return PgTypes.text(value as string | null)
    case "integer":
      return PgTypes.int8(value === null ? null : BigInt(value as number))
    case "boolean":
      return PgTypes.bool(value as boolean | null)
    case "instant":
      return PgTypes.timestamptz(value === null ? null : toMilliseconds(value as Instant))
    case "json":
      return PgTypes.jsonb(value)
  }
}

/** A row from positional values, of which those from `first` on are in the order of `columnsOf`. */
export const decodeRow = (table: AnyTable, values: ReadonlyArray<unknown>, first = 0): StoredRow => {
  const { names, types } = columnList(table)
  const row: Record<string, unknown> = {}
  for (let index = 0; index < names.length; index++) row[names[index]!] = decode(types[index]!, values[first + index])
  return row
}

const decode = (type: ColumnType, value: unknown): unknown => {
  if (value === null) return null
  if (type === "integer") return Number(value as bigint)
  if (type === "instant") return (value as Date).toISOString()
  return value
}

interface ColumnList {
  readonly names: ReadonlyArray<string>
  readonly types: ReadonlyArray<ColumnType>
}

const columnLists = new WeakMap<AnyTable, ColumnList>()

const columnList = (table: AnyTable): ColumnList => {
  const known = columnLists.get(table)
  if (known !== undefined) return known
  const columns: Readonly<Record<string, Column<unknown>>> = table.columns
  const list = { names: Object.keys(columns), types: Object.values(columns).map(({ type }) => type) }
  columnLists.set(table, list)
  return list
}
