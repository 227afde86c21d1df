/**
 * Queued writes as SQL. Several are combined into one statement, because each statement costs an answer of its own; the
 * parts of a statement do not see each other's effects, so writes to the same rows stay separate and in order.
 */
import { PgTypes } from "@effect/sql-pg"
import type { KeyValue } from "../../ports/storage.ts"
import type { StoredRow } from "../../ports/storage/stored-values.ts"
import type { AnyTable } from "../../ports/table.ts"
import { columnName, columnsOf, parameter, quoted } from "./columns.ts"
import { equal, keyParameters, list, listed, numbered, type Statement } from "./statements.ts"

export interface Write extends Statement {
  readonly kind: "insert" | "change"
  /** The table's name in SQL. */
  readonly table: string
  /** Over the returned rows, here called `rows`: fails by a division by zero where a row is missing or not permitted. */
  readonly check?: string
  readonly many?: Batch
}

/** How several writes of the same text become one, with an array in the place of each row's own parameter. */
interface Batch {
  readonly sql: () => string
  readonly check?: string
  /** The number of parameters that belong to the row; those after them are shared. */
  readonly own: number
  /** The row to change: one statement can change a row only once. */
  readonly row?: string
  /** The ids of the locks under which the row may change. */
  readonly lockIds: ReadonlyArray<string>
}

/** COMMIT is sent without waiting for these answers: a forbidden write must fail inside the database. */
export const divisionByZero = "22012"

export const insertRow = (table: AnyTable, row: StoredRow): Write => {
  const columns = columnsOf(table)
  return {
    kind: "insert",
    table: columnName(table.name),
    sql: `insert into ${quoted(table.name)} (${listed(columns)}) values (${numbered(1, columns.length)})`,
    parameters: columns.map((column) => parameter(table, column, row[column])),
    label: `insert ${table.name}`,
    many: {
      sql: () =>
        `insert into ${quoted(table.name)} (${listed(columns)}) select * from unnest(${numbered(1, columns.length)})`,
      own: columns.length,
      lockIds: []
    }
  }
}

/** The row must exist, under one of the locks. */
export const updateRow = (
  table: AnyTable,
  key: ReadonlyArray<KeyValue>,
  changes: StoredRow,
  lockIds: ReadonlyArray<string>
): Write => {
  const changed = Object.keys(changes)
  const assignments = changed.map((column, index) => `${quoted(column)} = $${index + 1}`)
  const own = changed.length + key.length
  return {
    kind: "change",
    table: columnName(table.name),
    sql:
      `update ${quoted(table.name)} set ${assignments.join(", ")} where ${equal(table.key, changed.length + 1)}` +
      ` and ${guardColumn(table)} = any($${own + 1}) returning 1`,
    check: "select 1 / count(*) from rows",
    parameters: [
      ...changed.map((column) => parameter(table, column, changes[column])),
      ...keyParameters(table, key),
      texts(lockIds)
    ],
    label: `update ${table.name}`,
    many: {
      sql: () => updateRows(table, changed),
      check: "select 1 / (count(*) = cardinality($1))::int from rows",
      own,
      row: JSON.stringify(key),
      lockIds: [...lockIds]
    }
  }
}

const updateRows = (table: AnyTable, changed: ReadonlyArray<string>): string => {
  const columns = [...changed, ...table.key]
  const assignments = changed.map((column) => `${quoted(column)} = given.${quoted(column)}`)
  const same = table.key.map((column: string) => `changed.${quoted(column)} = given.${quoted(column)}`)
  return (
    `update ${quoted(table.name)} as changed set ${assignments.join(", ")}` +
    ` from unnest(${numbered(1, columns.length)}) as given (${listed(columns)})` +
    ` where ${same.join(" and ")} and changed.${guardColumn(table)} = any($${columns.length + 1}) returning 1`
  )
}

/** An existing row must belong to one of the locks. */
export const deleteRow = (table: AnyTable, key: ReadonlyArray<KeyValue>, lockIds: ReadonlyArray<string>): Write => ({
  kind: "change",
  table: columnName(table.name),
  sql:
    `delete from ${quoted(table.name)} where ${equal(table.key, 1)}` +
    ` returning ${guardColumn(table)} = any($${key.length + 1}) as held`,
  check: "select 1 / (case when bool_and(held) is false then 0 else 1 end) from rows",
  parameters: [...keyParameters(table, key), texts(lockIds)],
  label: `remove ${table.name}`
})

/** These writes in as few statements as preserve their meaning; the last answer contains the transaction's id. */
export const combineStatements = (writes: ReadonlyArray<Write>): ReadonlyArray<Statement> => {
  const statements: Array<Array<Part>> = []
  for (const write of writes) {
    const last = statements.at(-1)
    const part = last?.find((other) => canJoin(write, other))
    if (part !== undefined) part.push(write)
    else if (last === undefined || last.length >= partsMax || last.some(([other]) => conflict(other, write))) {
      statements.push([[write]])
    } else last.push([write])
  }
  return statements.map((parts) => combineWrites(parts.map(combineRows)))
}

/** Writes that differ only in their rows. */
type Part = [Write, ...Array<Write>]

// Well below the limit of 65,535 parameters in a statement.
const partsMax = 50

const canJoin = (write: Write, part: Part): boolean => {
  const [first] = part
  if (first.sql !== write.sql || first.many === undefined || write.many === undefined) return false
  const { row, lockIds } = write.many
  // A lock taken in between permits more rows: earlier writes must not benefit from it.
  return (
    first.many.lockIds.length === lockIds.length && (row === undefined || part.every(({ many }) => many?.row !== row))
  )
}

const conflict = (one: Write, other: Write): boolean =>
  one.table === other.table && (one.kind === "change" || other.kind === "change")

const combineRows = (part: Part): Write => {
  const [first] = part
  const { many } = first
  if (many === undefined || part.length === 1) return first
  const lists = first.parameters.slice(0, many.own).map(({ oid }, index) =>
    list(
      part.map(({ parameters }) => parameters[index]!.value),
      oid
    )
  )
  const { kind, table, label } = first
  const check = many.check === undefined ? {} : { check: many.check }
  return { kind, table, label, ...check, sql: many.sql(), parameters: [...lists, ...first.parameters.slice(many.own)] }
}

const combineWrites = (writes: ReadonlyArray<Write>): Statement => {
  const parts: Array<string> = []
  const results = ["pg_current_xact_id()::text"]
  const parameters: Array<PgTypes.Parameter> = []
  writes.forEach((write, index) => {
    const offset = parameters.length
    const shifted = (sql: string) => sql.replace(/\$(\d+)/g, (_, number: string) => `$${Number(number) + offset}`)
    parts.push(`write_${index} as (${shifted(write.sql)})`)
    if (write.check !== undefined) results.push(`(${shifted(write.check).replace("rows", `write_${index}`)})`)
    parameters.push(...write.parameters)
  })
  return {
    sql: `with ${parts.join(", ")} select ${results.join(", ")}`,
    parameters,
    label: writes.map((write) => write.label).join(", ")
  }
}

const guardColumn = (table: AnyTable): string => (table.guard === "append-only" ? "null" : quoted(table.guard.by))

const texts = (values: ReadonlyArray<string>): PgTypes.Parameter => list(values, PgTypes.OID.text)
