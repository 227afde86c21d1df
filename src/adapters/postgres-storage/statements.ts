/**
 * The SQL that reads, locks and claims rows, derived from a table's declaration. A statement is text with a list of
 * parameters; the text depends only on the shape of the call, so that a connection prepares few statements.
 */
import { PgTypes } from "@effect/sql-pg"
import { Result } from "effect"
import { StorageMisuse } from "../../ports/storage/lock-discipline.ts"
import type { Claim, FilterCondition, KeyValue, Range, RangeFilter } from "../../ports/storage.ts"
import type { StoredRow } from "../../ports/storage/stored-values.ts"
import { partialColumn } from "../../ports/storage/lookups.ts"
import type { AnyTable } from "../../ports/table.ts"
import { never } from "../../vocabulary/instant.ts"
import { columnName, columnsOf, parameter, quoted } from "./columns.ts"
import { ByShape, TextBySequence } from "./sql-texts.ts"

export interface Statement {
  readonly sql: string
  readonly parameters: ReadonlyArray<PgTypes.Parameter>
  /** Describes the statement in messages, without values. */
  readonly label: string
}

const texts = new ByShape<string>()

/** The columns that determine one row at most; one object for each table declaration and index. */
export interface LookupShape {
  readonly table: AnyTable
  readonly columns: ReadonlyArray<string>
  /** True where every column is text. */
  readonly isText: boolean
}

export interface Lookup extends Pick<LookupShape, "table" | "columns"> {
  readonly values: ReadonlyArray<KeyValue>
}

const lookupShapes = new ByShape<LookupShape>()

export const lookupShape = (table: AnyTable, columns: ReadonlyArray<string>): LookupShape =>
  lookupShapes.get(table, columns.join(), () => ({
    table,
    columns,
    isText: columns.every((column) => table.columns[column].type === "text")
  }))

export const selectRow = ({ table, columns, values }: Lookup): Statement => ({
  sql: texts.get(table, `row ${columns.join()}`, () => rowText(table, columns, 1)),
  parameters: valueParameters(table, columns, values),
  label: `read ${table.name}`
})

const rowText = (table: AnyTable, columns: ReadonlyArray<string>, first: number): string =>
  `select ${listed(columnsOf(table))} from ${quoted(table.name)} where ${equal(columns, first)}`

const joinedTexts = new TextBySequence<LookupShape>()

/** The rows of several lookups side by side, as one row; the columns of a missing row are null. */
export const selectJoined = (lookups: ReadonlyArray<Lookup>): Statement => ({
  sql: joinedTexts.get(
    lookups.map(({ table, columns }) => lookupShape(table, columns)),
    () => joinedText(lookups)
  ),
  parameters: lookups.flatMap(({ table, columns, values }) => valueParameters(table, columns, values)),
  label: `read ${lookups.map(({ table }) => table.name).join(", ")}`
})

const joinedText = (lookups: ReadonlyArray<Lookup>): string => {
  let first = 1
  const joins = lookups.map(({ table, columns }, index) => {
    const join = ` left join (${rowText(table, columns, first)}) as read_${index} on true`
    first += columns.length
    return join
  })
  return `select * from (select) as asked${joins.join("")}`
}

/** The rows that exist among these, in any order. The limit makes Postgres use the index whatever number it estimates. */
export const selectRows = (
  { table, columns }: LookupShape,
  keys: ReadonlyArray<ReadonlyArray<KeyValue>>
): Statement => ({
  sql: texts.get(table, `rows ${columns.join()}`, () => {
    const same = columns.map((column, index) => `${quoted(column)} = asked.value_${index}`)
    return (
      `select ${listed(columnsOf(table))} from unnest(${numbered(1, columns.length)}) as asked` +
      ` (${columns.map((_, index) => `value_${index}`).join(", ")}),` +
      ` lateral (select * from ${quoted(table.name)} where ${same.join(" and ")} limit 1) as found`
    )
  }),
  parameters: columns.map((column, index) =>
    list(
      keys.map((key) => key[index]),
      parameter(table, column, keys[0]![index]).oid
    )
  ),
  label: `read ${table.name}`
})

export const selectRange = (table: AnyTable, columns: ReadonlyArray<string>, range: Range): Statement => {
  const { prefix, after = [], limit, direction, matching } = range
  const shape = `range ${columns.join()} ${prefix.length} ${after.length} ${direction} ${filterShape(matching)}`
  return {
    sql: texts.get(table, shape, () => rangeText(table, columns, range)),
    parameters: [
      ...valueParameters(table, columns, prefix),
      ...valueParameters(table, columns.slice(prefix.length), after),
      PgTypes.int8(BigInt(limit)),
      ...filterParameters(matching)
    ],
    label: `range ${table.name}`
  }
}

const rangeText = (
  table: AnyTable,
  columns: ReadonlyArray<string>,
  { prefix: { length }, after = [], direction, matching }: Range
): string => {
  const rest = columns.slice(length)
  const descending = direction === "descending"
  const past = `(${listed(rest)}) ${descending ? "<" : ">"} (${numbered(length + 1, after.length)})`
  const conditions = [
    equal(columns.slice(0, length), 1),
    after.length > 0 ? past : "",
    partialCondition(partialColumn(table, columns)),
    filterText(table, matching, length + after.length + 2)
  ].filter((one) => one !== "")
  const order = rest.length > 0 ? rest : columns
  return (
    `select ${listed(columnsOf(table))} from ${quoted(table.name)}` +
    (conditions.length > 0 ? ` where ${conditions.join(" and ")}` : "") +
    ` order by ${order.map((column) => quoted(column) + (descending ? " desc" : "")).join(", ")}` +
    ` limit $${length + after.length + 1}`
  )
}

/**
 * Empty without a condition. A scalar subquery and not a join or `exists`: Postgres looks the other row of each candidate
 * up by its key, in the order of the range, and never reads the whole other table.
 */
const filterText = (table: AnyTable, filter: RangeFilter | undefined, first: number): string => {
  const { own = [], related } = filter ?? {}
  const tests = conditionTexts(quoted(table.name), own, first)
  if (related === undefined) return tests.join(" and ")
  const others = conditionTexts("related", related.conditions, first + own.length)
  const lookup =
    `(select ${others.join(" and ")} from ${quoted(related.table.name)} as related` +
    ` where related.${quoted(related.table.key[0]!)} = ${quoted(table.name)}.${quoted(related.by)})`
  return [...tests, lookup].join(" and ")
}

const conditionTexts = (
  source: string,
  conditions: ReadonlyArray<FilterCondition>,
  first: number
): ReadonlyArray<string> =>
  conditions.map((condition, index) =>
    "among" in condition
      ? `${source}.${quoted(condition.column)} = any($${first + index})`
      : `position($${first + index} in ${source}.${quoted(condition.column)}) > 0`
  )

const filterParameters = (filter: RangeFilter | undefined): ReadonlyArray<PgTypes.Parameter> =>
  conditionsOf(filter).map((condition) =>
    "among" in condition ? list(condition.among, PgTypes.text("").oid) : PgTypes.text(condition.contains)
  )

const filterShape = (filter: RangeFilter | undefined): string =>
  [filter?.own?.length, filter?.related?.table.name, filter?.related?.by]
    .concat(conditionsOf(filter).map((one) => `${"among" in one ? "among" : "contains"} ${one.column}`))
    .join()

const conditionsOf = (filter: RangeFilter | undefined): ReadonlyArray<FilterCondition> => [
  ...(filter?.own ?? []),
  ...(filter?.related?.conditions ?? [])
]

/** The condition of a partial index as its migration writes it: Postgres uses the index only where it is repeated. */
export const partialCondition = (column: string | undefined): string =>
  column === undefined ? "" : `${quoted(column)} < '${never}'`

export const list = (values: ReadonlyArray<unknown>, oid: number): PgTypes.Parameter =>
  Result.getOrThrow(PgTypes.array(values, oid))

/** A condition that this row exists, equal in every column; its parameters start at `$first`. */
export const rowExists = (table: AnyTable, row: StoredRow, first: number): Omit<Statement, "label"> => {
  const others = columnsOf(table).filter((column) => !table.key.includes(column))
  const start = first + table.key.length
  const same = others.map((column, index) => ` and ${quoted(column)} is not distinct from $${start + index}`)
  return {
    sql: `exists (select from ${quoted(table.name)} where ${equal(table.key, first)}${same.join("")})`,
    parameters: [...table.key, ...others].map((column: string) => parameter(table, column, row[column]))
  }
}

/** The range of each of these values of the leading column, each in the order of the range. */
export const selectRanges = (
  table: AnyTable,
  columns: ReadonlyArray<string>,
  values: ReadonlyArray<KeyValue>,
  range: Omit<Range, "prefix">
): Statement => {
  const { after = [], limit, direction, matching } = range
  const [leading = "", ...rest] = columns
  const shape = `ranges ${columns.join()} ${after.length} ${direction} ${filterShape(matching)}`
  return {
    sql: texts.get(table, shape, () => rangesText(table, columns, range)),
    parameters: [
      list(values, parameter(table, leading, values[0]).oid),
      PgTypes.int8(BigInt(limit)),
      ...valueParameters(table, rest, after),
      ...filterParameters(matching)
    ],
    label: `range ${table.name}`
  }
}

const rangesText = (
  table: AnyTable,
  columns: ReadonlyArray<string>,
  { after = [], direction, matching }: Omit<Range, "prefix">
): string => {
  const [leading = "", ...rest] = columns
  const afterLength = after.length
  const descending = direction === "descending"
  const partial = partialCondition(partialColumn(table, columns))
  const filter = filterText(table, matching, afterLength + 3)
  const past = ` and (${listed(rest)}) ${descending ? "<" : ">"} (${numbered(3, afterLength)})`
  const order = rest.map((column) => quoted(column) + (descending ? " desc" : "")).join(", ")
  return (
    `select ${listed(columnsOf(table))} from unnest($1) as asked (value), lateral (select * from ${quoted(table.name)}` +
    ` where ${quoted(leading)} = asked.value${afterLength > 0 ? past : ""}${partial && ` and ${partial}`}${filter && ` and ${filter}`} order by ${order} limit $2) as found` +
    ` order by ${quoted(leading)}, ${order}`
  )
}

/** Assigns an id where the transaction has none yet. */
export const transactionId = "pg_current_xact_id()::text"

/** Locks a row and returns the transaction's id, then the row as it is once the lock is granted. */
export const lockRow = (table: AnyTable, id: string): Statement => ({
  sql: texts.get(
    table,
    "lock",
    () =>
      `select ${transactionId}, ${listed(columnsOf(table))} from ${quoted(table.name)}` +
      ` where ${equal(table.key, 1)} for no key update`
  ),
  parameters: keyParameters(table, [id]),
  label: `lock ${table.name}`
})

/** The keys are an array and not a join, so that Postgres uses the index whatever number of keys it estimates. */
export const claimRows = (table: AnyTable, claim: Claim): Statement => {
  if (table.lease === undefined) throw new StorageMisuse(`${table.name} declares no lease`)
  const [key = "", ...further]: ReadonlyArray<string> = table.key
  if (further.length > 0) throw new StorageMisuse(`${table.name} is claimed, and its key has several columns`)
  const { dueAt, leasedUntil, token } = table.lease
  const partial = partialCondition(Object.values(table.partial).find((column) => column === dueAt))
  return {
    sql: texts.get(
      table,
      "claim",
      () =>
        `update ${quoted(table.name)} set ${quoted(leasedUntil)} = $3, ${quoted(token)} = $4 where ${quoted(key)} = any(array(` +
        `select ${quoted(key)} from ${quoted(table.name)} where ${quoted(dueAt)} <= $1` +
        ` and (${quoted(leasedUntil)} is null or ${quoted(leasedUntil)} <= $1)${partial && ` and ${partial}`}` +
        ` order by ${listed([dueAt, key])} limit $2 for no key update skip locked))` +
        ` returning ${listed(columnsOf(table))}`
    ),
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
  valueParameters(table, table.key, key)

export const valueParameters = (
  table: AnyTable,
  columns: ReadonlyArray<string>,
  values: ReadonlyArray<KeyValue>
): ReadonlyArray<PgTypes.Parameter> => values.map((value, index) => parameter(table, columns[index]!, value))

export const listed = (columns: ReadonlyArray<string>): string => columns.map(quoted).join(", ")

export const equal = (columns: ReadonlyArray<string>, first: number): string =>
  columns.map((column, index) => `${quoted(column)} = $${first + index}`).join(" and ")

export const numbered = (first: number, count: number): string =>
  Array.from({ length: count }, (_, index) => `$${first + index}`).join(", ")
