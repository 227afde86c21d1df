/** The mapping of declared columns to Postgres: names, parameters, values. */
import { PgTypes } from "@effect/sql-pg"
import type { AnyTable, Column } from "../../ports/table.ts"
import { fromMilliseconds, toMilliseconds, type Instant } from "../../vocabulary/instant.ts"
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

export const columnsOf = (table: AnyTable): ReadonlyArray<string> => Object.keys(table.columns)

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

/** A row from positional values in the order of `columnsOf`. */
export const decodeRow = (table: AnyTable, values: ReadonlyArray<unknown>): StoredRow => {
  const row: Record<string, unknown> = {}
  columnsOf(table).forEach((column, index) => {
    row[column] = decode(table.columns[column], values[index])
  })
  return row
}

const decode = (column: Column<unknown>, value: unknown): unknown => {
  if (value === null) return null
  if (column.type === "integer") return Number(value as bigint)
  if (column.type === "instant") return fromMilliseconds((value as Date).getTime())
  return value
}
