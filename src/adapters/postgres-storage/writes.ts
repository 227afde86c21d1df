/**
 * Queued writes as SQL. Several are combined into one statement, because each statement costs an answer of its own; the
 * parts of a statement do not see each other's effects, so writes to the same rows stay separate and in order.
 */
import { PgTypes } from "@effect/sql-pg"
import { columnsOfChangedRow } from "../../ports/storage/lookups.ts"
import type { KeyValue } from "../../ports/storage.ts"
import type { StoredRow } from "../../ports/storage/stored-values.ts"
import type { AnyTable } from "../../ports/table.ts"
import { columnName, columnsOf, parameter, quoted } from "./columns.ts"
import { ByShape, TextBySequence } from "./sql-texts.ts"
import { equal, list, listed, numbered, transactionId, valueParameters, type Statement } from "./statements.ts"

/** What writes of one kind have in common; built once for each table declaration. */
export interface WriteShape {
  readonly kind: "insert" | "change"
  /** The table's name in SQL. */
  readonly table: string
  readonly sql: string
  /** Over the returned rows, here called `rows`: fails by a division by zero where a row is missing or not permitted. */
  readonly check?: string
  readonly label: string
  readonly many?: Batch
}

/** How several writes of one shape become one, with an array in the place of each row's own parameter. */
interface Batch {
  readonly shape: WriteShape
  /** The number of parameters that belong to the row; those after them are shared. */
  readonly own: number
}

export interface Write {
  readonly shape: WriteShape
  readonly parameters: ReadonlyArray<PgTypes.Parameter>
  /** The key of the row to change: one statement can change a row only once. */
  readonly key?: ReadonlyArray<KeyValue>
  /** The number of locks under which the row may change. */
  readonly locks?: number
}

/** COMMIT is sent without waiting for these answers: a forbidden write must fail inside the database. */
export const divisionByZero = "22012"

const shapes = new ByShape<WriteShape>()

export const insertRow = (table: AnyTable, row: StoredRow): Write => ({
  shape: shapes.get(table, "insert", () => insertShape(table)),
  parameters: columnsOf(table).map((column) => parameter(table, column, row[column]))
})

const insertShape = (table: AnyTable): WriteShape => {
  const columns = columnsOf(table)
  const into = `insert into ${quoted(table.name)} (${listed(columns)})`
  const values = numbered(1, columns.length)
  const shape = { kind: "insert", table: columnName(table.name), label: `insert ${table.name}` } as const
  return {
    ...shape,
    sql: `${into} values (${values})`,
    many: { shape: { ...shape, sql: `${into} select * from unnest(${values})` }, own: columns.length }
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
  return {
    shape: shapes.get(table, `update ${changed.join()}`, () => updateShape(table, changed)),
    parameters: [
      ...changed.map((column) => parameter(table, column, changes[column])),
      ...valueParameters(table, columnsOfChangedRow(table), key),
      texts(lockIds)
    ],
    key,
    locks: lockIds.length
  }
}

const updateShape = (table: AnyTable, changed: ReadonlyArray<string>): WriteShape => {
  const assignments = changed.map((column, index) => `${quoted(column)} = $${index + 1}`)
  const key = columnsOfChangedRow(table)
  const own = changed.length + key.length
  const shape = { kind: "change", table: columnName(table.name), label: `update ${table.name}` } as const
  return {
    ...shape,
    sql:
      `update ${quoted(table.name)} set ${assignments.join(", ")} where ${equal(key, changed.length + 1)}` +
      ` and ${guardColumn(table)} = any($${own + 1}) returning 1`,
    check: "select 1 / count(*) from rows",
    many: {
      shape: {
        ...shape,
        sql: updateRows(table, changed),
        check: "select 1 / (count(*) = cardinality($1))::int from rows"
      },
      own
    }
  }
}

const updateRows = (table: AnyTable, changed: ReadonlyArray<string>): string => {
  const key = columnsOfChangedRow(table)
  const columns = [...changed, ...key]
  const assignments = changed.map((column) => `${quoted(column)} = given.${quoted(column)}`)
  const same = key.map((column) => `changed.${quoted(column)} = given.${quoted(column)}`)
  return (
    `update ${quoted(table.name)} as changed set ${assignments.join(", ")}` +
    ` from unnest(${numbered(1, columns.length)}) as given (${listed(columns)})` +
    ` where ${same.join(" and ")} and changed.${guardColumn(table)} = any($${columns.length + 1}) returning 1`
  )
}

/** An existing row must belong to one of the locks. */
export const deleteRow = (table: AnyTable, key: ReadonlyArray<KeyValue>, lockIds: ReadonlyArray<string>): Write => ({
  shape: shapes.get(table, "delete", () => deleteShape(table)),
  parameters: [...valueParameters(table, columnsOfChangedRow(table), key), texts(lockIds)]
})

const deleteShape = (table: AnyTable): WriteShape => {
  const key = columnsOfChangedRow(table)
  return {
    kind: "change",
    table: columnName(table.name),
    sql:
      `delete from ${quoted(table.name)} where ${equal(key, 1)}` +
      ` returning ${guardColumn(table)} = any($${key.length + 1}) as held`,
    check: "select 1 / (case when bool_and(held) is false then 0 else 1 end) from rows",
    label: `remove ${table.name}`
  }
}

/** These writes in as few statements as preserve their meaning; the first answer contains the transaction's id. */
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

const canJoin = ({ shape, key, locks }: Write, part: Part): boolean => {
  const [first] = part
  if (first.shape !== shape || shape.many === undefined) return false
  // A lock taken in between permits more rows: earlier writes must not benefit from it.
  return first.locks === locks && (key === undefined || part.every((other) => !isSameKey(other.key!, key)))
}

const isSameKey = (one: ReadonlyArray<KeyValue>, other: ReadonlyArray<KeyValue>): boolean =>
  one.every((value, index) => value === other[index])

const conflict = ({ shape: one }: Write, { shape: other }: Write): boolean =>
  one.table === other.table && (one.kind === "change" || other.kind === "change")

const combineRows = (part: Part): Write => {
  const [first] = part
  const { many } = first.shape
  if (many === undefined || part.length === 1) return first
  const lists = first.parameters.slice(0, many.own).map(({ oid }, index) =>
    list(
      part.map(({ parameters }) => parameters[index]!.value),
      oid
    )
  )
  return { shape: many.shape, parameters: [...lists, ...first.parameters.slice(many.own)] }
}

const combinedTexts = new TextBySequence<WriteShape>()

const combineWrites = (writes: ReadonlyArray<Write>): Statement => ({
  sql: combinedTexts.get(
    writes.map(({ shape }) => shape),
    () => combinedText(writes)
  ),
  parameters: writes.flatMap(({ parameters }) => parameters),
  label: writes.map(({ shape }) => shape.label).join(", ")
})

const combinedText = (writes: ReadonlyArray<Write>): string => {
  const parts: Array<string> = []
  const results = [transactionId]
  let offset = 0
  writes.forEach(({ shape, parameters }, index) => {
    const start = offset
    const shifted = (sql: string) => sql.replace(/\$(\d+)/g, (_, number: string) => `$${Number(number) + start}`)
    parts.push(`write_${index} as (${shifted(shape.sql)})`)
    if (shape.check !== undefined) results.push(`(${shifted(shape.check).replace("rows", `write_${index}`)})`)
    offset += parameters.length
  })
  return `with ${parts.join(", ")} select ${results.join(", ")}`
}

/** Of an append-only table the one of its erasure: no other change of it passes the lock discipline. */
const guardColumn = ({ guard, erasable }: AnyTable): string => {
  const column = guard === "append-only" ? erasable?.by : guard.by
  return column === undefined ? "null" : quoted(column)
}

const texts = (values: ReadonlyArray<string>): PgTypes.Parameter => list(values, PgTypes.OID.text)
