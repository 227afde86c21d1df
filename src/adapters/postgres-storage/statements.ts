/**
 * The SQL that reads, locks and claims rows, derived from a table's declaration. A statement is text with a list of
 * parameters; the text depends only on the shape of the call, so that a connection prepares few statements.
 */
import { PgTypes } from "@effect/sql-pg"
import { Result } from "effect"
import { StorageMisuse } from "../../ports/storage/lock-discipline.ts"
import type { Claim, KeyValue, Range } from "../../ports/storage.ts"
import type { StoredRow } from "../../ports/storage/stored-values.ts"
import type { AnyTable } from "../../ports/table.ts"
import { columnName, columnsOf, parameter, quoted } from "./columns.ts"

export interface Statement {
  readonly sql: string
  readonly parameters: ReadonlyArray<PgTypes.Parameter>
  /** Describes the statement in messages, without values. */
  readonly label: string
}

export const selectRow = (
  table: AnyTable,
  columns: ReadonlyArray<string>,
  values: ReadonlyArray<KeyValue>
): Statement => {
  const parameters = values.map((value, index) => parameter(table, columns[index]!, value))
  return {
    sql: `select ${listed(columnsOf(table))} from ${quoted(table.name)} where ${equal(columns, 1)}`,
    parameters,
    label: `read ${table.name}`
  }
}

/** The rows that exist among these, in any order. */
export const selectRows = (table: AnyTable, column: string, values: ReadonlyArray<KeyValue>): Statement => ({
  sql: `select ${listed(columnsOf(table))} from ${quoted(table.name)} where ${quoted(column)} = any($1)`,
  parameters: [list(values, parameter(table, column, values[0]).oid)],
  label: `read ${table.name}`
})

export const selectRange = (table: AnyTable, columns: ReadonlyArray<string>, range: Range): Statement => {
  const prefix = columns.slice(0, range.prefix.length)
  const rest = columns.slice(range.prefix.length)
  const after = range.after ?? []
  const parameters = [...range.prefix, ...after].map((value, index) => parameter(table, columns[index]!, value))
  const descending = range.direction === "descending"
  const past = `(${listed(rest)}) ${descending ? "<" : ">"} (${numbered(prefix.length + 1, after.length)})`
  const conditions = [equal(prefix, 1), after.length > 0 ? past : ""].filter((condition) => condition !== "")
  const order = rest.length > 0 ? rest : columns
  return {
    sql:
      `select ${listed(columnsOf(table))} from ${quoted(table.name)}` +
      (conditions.length > 0 ? ` where ${conditions.join(" and ")}` : "") +
      ` order by ${order.map((column) => quoted(column) + (descending ? " desc" : "")).join(", ")}` +
      ` limit $${parameters.length + 1}`,
    parameters: [...parameters, PgTypes.int8(BigInt(range.limit))],
    label: `range ${table.name}`
  }
}

export const list = (values: ReadonlyArray<unknown>, oid: number): PgTypes.Parameter =>
  Result.getOrThrow(PgTypes.array(values, oid))

/** A condition that the row with this row's key exists; its parameters start at `$first`. */
export const rowExists = (table: AnyTable, row: StoredRow, first: number): Omit<Statement, "label"> => ({
  sql: `exists (select from ${quoted(table.name)} where ${equal(table.key, first)})`,
  parameters: table.key.map((column: string) => parameter(table, column, row[column]))
})

/** The first rows for each of these values of the leading column, in the order of the columns. */
export const selectRanges = (
  table: AnyTable,
  columns: ReadonlyArray<string>,
  values: ReadonlyArray<KeyValue>,
  limit: number
): Statement => {
  const [leading = "", ...rest] = columns
  const own = quoted(leading)
  return {
    sql:
      `select ${listed(columnsOf(table))} from unnest($1) as asked (value), lateral (select * from ${quoted(table.name)}` +
      ` where ${own} = asked.value order by ${listed(rest)} limit $2) as found order by ${listed(columns)}`,
    parameters: [list(values, parameter(table, leading, values[0]).oid), PgTypes.int8(BigInt(limit))],
    label: `range ${table.name}`
  }
}

/** Locks a row, and returns the transaction's id. */
export const lockRow = (table: AnyTable, id: string): Statement => ({
  sql: `select pg_current_xact_id()::text from ${quoted(table.name)} where ${equal(table.key, 1)} for no key update`,
  parameters: keyParameters(table, [id]),
  label: `lock ${table.name}`
})

/** The keys are an array and not a join, so that Postgres uses the index whatever number of keys it estimates. */
export const claimRows = (table: AnyTable, claim: Claim): Statement => {
  if (table.lease === undefined) throw new StorageMisuse(`${table.name} declares no lease`)
  const [key = "", ...further]: ReadonlyArray<string> = table.key
  if (further.length > 0) throw new StorageMisuse(`${table.name} is claimed, and its key has several columns`)
  const { dueAt, leasedUntil, token } = table.lease
  return {
    sql:
      `update ${quoted(table.name)} set ${quoted(leasedUntil)} = $3, ${quoted(token)} = $4 where ${quoted(key)} = any(array(` +
      `select ${quoted(key)} from ${quoted(table.name)} where ${quoted(dueAt)} <= $1` +
      ` and (${quoted(leasedUntil)} is null or ${quoted(leasedUntil)} <= $1)` +
      ` order by ${listed([dueAt, key])} limit $2 for no key update skip locked))` +
      ` returning ${listed(columnsOf(table))}`,
    parameters: [
      parameter(table, dueAt, claim.dueBy),
      PgTypes.int8(BigInt(claim.limit)),
      parameter(table, leasedUntil, claim.leaseUntil),
      parameter(table, token, claim.token)
    ],
    label: `claim ${table.name}`
  }
}

/** The names that the constraints of the primary key and of the unique indexes carry. */
export const uniqueConstraints = (table: AnyTable): ReadonlyArray<string> =>
  ["pkey", ...Object.keys(table.unique).map(columnName)].map((index) => `${columnName(table.name)}_${index}`)

export const keyParameters = (table: AnyTable, key: ReadonlyArray<KeyValue>): ReadonlyArray<PgTypes.Parameter> =>
  key.map((value, index) => parameter(table, table.key[index]!, value))

export const listed = (columns: ReadonlyArray<string>): string => columns.map(quoted).join(", ")

export const equal = (columns: ReadonlyArray<string>, first: number): string =>
  columns.map((column, index) => `${quoted(column)} = $${first + index}`).join(" and ")

export const numbered = (first: number, count: number): string =>
  Array.from({ length: count }, (_, index) => `$${first + index}`).join(", ")
