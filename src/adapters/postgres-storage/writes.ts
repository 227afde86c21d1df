/**
 * Queued writes as SQL. Several go out as one statement, because each statement costs an answer of its own; its parts
 * do not see each other, so writes that touch the same rows stay apart and in order.
 */
import { PgTypes } from "@effect/sql-pg"
import { Result } from "effect"
import type { KeyValue } from "../../ports/storage.ts"
import type { StoredRow } from "../../ports/stored-values.ts"
import type { AnyTable } from "../../ports/table.ts"
import { columnName, columnsOf, parameter, quoted } from "./columns.ts"
import { equal, keyParameters, listed, numbered, type Statement } from "./statements.ts"

export interface Write extends Statement {
  readonly kind: "insert" | "change"
  /** The name of its table in SQL. */
  readonly table: string
  /** Over the rows that it returned, here called `rows`: fails by a division by zero where they are not as they must be. */
  readonly check?: string
}

/** COMMIT is sent without waiting for these: what must not be committed has to fail inside the database. */
export const divisionByZero = "22012"

export const insertRow = (table: AnyTable, row: StoredRow): Write => {
  const columns = columnsOf(table)
  return {
    kind: "insert",
    table: columnName(table.name),
    sql: `insert into ${quoted(table.name)} (${listed(columns)}) values (${numbered(1, columns.length)})`,
    parameters: columns.map((column) => parameter(table, column, row[column])),
    label: `insert ${table.name}`
  }
}

/** The row must be there, under one of the roots. */
export const updateRow = (
  table: AnyTable,
  key: ReadonlyArray<KeyValue>,
  changes: StoredRow,
  rootIds: ReadonlyArray<string>
): Write => {
  const changed = Object.keys(changes)
  const assignments = changed.map((column, index) => `${quoted(column)} = $${index + 1}`)
  return {
    kind: "change",
    table: columnName(table.name),
    sql:
      `update ${quoted(table.name)} set ${assignments.join(", ")} where ${equal(table.key, changed.length + 1)}` +
      ` and ${rootColumn(table)} = any($${changed.length + key.length + 1}) returning 1`,
    check: "select 1 / count(*) from rows",
    parameters: [
      ...changed.map((column) => parameter(table, column, changes[column])),
      ...keyParameters(table, key),
      texts(rootIds)
    ],
    label: `update ${table.name}`
  }
}

/** A row that is there must hang on one of the roots. */
export const deleteRow = (table: AnyTable, key: ReadonlyArray<KeyValue>, rootIds: ReadonlyArray<string>): Write => ({
  kind: "change",
  table: columnName(table.name),
  sql:
    `delete from ${quoted(table.name)} where ${equal(table.key, 1)}` +
    ` returning ${rootColumn(table)} = any($${key.length + 1}) as held`,
  check: "select 1 / (case when bool_and(held) is false then 0 else 1 end) from rows",
  parameters: [...keyParameters(table, key), texts(rootIds)],
  label: `remove ${table.name}`
})

/** The statements that make these writes, in as few as keep their meaning; the last one names the transaction. */
export const together = (writes: ReadonlyArray<Write>): ReadonlyArray<Statement> => {
  const groups: Array<Array<Write>> = []
  for (const write of writes) {
    const last = groups.at(-1)
    const isFull = last === undefined || last.length >= writesTogetherMax
    if (isFull || last.some((other) => meet(other, write))) groups.push([write])
    else last.push(write)
  }
  return groups.map(asOne)
}

// Well below the 65,535 parameters that a statement can have.
const writesTogetherMax = 50

const meet = (one: Write, other: Write): boolean =>
  one.table === other.table && (one.kind === "change" || other.kind === "change")

const asOne = (writes: ReadonlyArray<Write>): Statement => {
  const parts: Array<string> = []
  const results = ["pg_current_xact_id()::text"]
  const parameters: Array<PgTypes.Parameter> = []
  writes.forEach((write, index) => {
    const offset = parameters.length
    const sql = write.sql.replace(/\$(\d+)/g, (_, number: string) => `$${Number(number) + offset}`)
    parts.push(`write_${index} as (${sql})`)
    if (write.check !== undefined) results.push(`(${write.check.replace("rows", `write_${index}`)})`)
    parameters.push(...write.parameters)
  })
  return {
    sql: `with ${parts.join(", ")} select ${results.join(", ")}`,
    parameters,
    label: writes.map((write) => write.label).join(", ")
  }
}

const rootColumn = (table: AnyTable): string => (table.guard === "append-only" ? "null" : quoted(table.guard.by))

const texts = (values: ReadonlyArray<string>): PgTypes.Parameter =>
  Result.getOrThrow(PgTypes.array(values, PgTypes.OID.text))
