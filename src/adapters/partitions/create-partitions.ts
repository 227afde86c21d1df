/** Makes the partitions of coming months, and those of rows that were written without one. */
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { limits } from "../../vocabulary/limits.ts"
import { hasPartition, monthsAhead, type PartitionedTable, partitionedTables, readPartitions } from "./catalog.ts"
import { type Month, monthAfter, startOf } from "./month.ts"
import { lockReferenced, type Statements, storageOptions, whileAlone } from "./statements.ts"

export interface TableState {
  readonly table: string
  /** The coming months that have a partition. */
  readonly monthsAhead: number
  /** The partitions that were made. */
  readonly created: ReadonlyArray<string>
  /** Rows without a partition of their month; counted up to one more than `limits.partitionRowsMoved`. */
  readonly rowsWithoutPartition: number
}

/** `everyRow` moves rows without a partition of their month whatever their number. */
export const createPartitions = (
  statements: Statements,
  current: Month,
  everyRow: boolean
): Effect.Effect<ReadonlyArray<TableState>, SqlError> =>
  whileAlone(
    statements,
    Effect.forEach(partitionedTables, (table) => createFor(statements, table, current, everyRow)),
    readStates(statements, current)
  )

/** What partitions there are, without a change. */
export const readStates = (statements: Statements, current: Month) =>
  Effect.forEach(partitionedTables, (table) => stateOf(statements, table, current, []))

const createFor = Effect.fnUntraced(function* (
  statements: Statements,
  table: PartitionedTable,
  current: Month,
  everyRow: boolean
) {
  const created: Array<string> = []
  const before = yield* readPartitions(statements, table)
  for (let months = 0; months <= limits.partitionMonthsAhead; months++) {
    const month = monthAfter(current, months)
    if (hasPartition(before, month)) continue
    const [from, to] = [startOf(month), startOf(monthAfter(month, 1))]
    const rows = everyRow
      ? 0
      : yield* countOf(statements, before.rest, `${table.by} >= ${from} and ${table.by} < ${to}`)
    if (rows <= limits.partitionRowsMoved) created.push(yield* createPartition(statements, table, before.rest, month))
  }
  for (;;) {
    const month = yield* oldestMonthOf(statements, before.rest, table.by)
    if (month === undefined) break
    const rows = everyRow
      ? 0
      : yield* countOf(statements, before.rest, `${table.by} < ${startOf(monthAfter(month, 1))}`)
    if (rows > limits.partitionRowsMoved) break
    created.push(yield* createPartition(statements, table, before.rest, month))
  }
  return yield* stateOf(statements, table, current, created)
})

/** It takes the rows of its month out of the default partition, whose columns, indexes and storage options it gets. */
const createPartition = Effect.fnUntraced(function* (
  statements: Statements,
  { name, by }: PartitionedTable,
  rest: string,
  month: Month
) {
  const partition = `${name}_${month.replace("-", "_")}`
  const [from, to] = [startOf(month), startOf(monthAfter(month, 1))]
  const options = yield* storageOptions(statements, rest)
  yield* statements.together([
    // In the order in which the service locks them.
    ...(yield* lockReferenced(statements, name)),
    `lock table ${rest} in access exclusive mode`,
    `create table ${partition} (like ${rest} including all)${options}`,
    `with moved as (delete from ${rest} where ${by} >= ${from} and ${by} < ${to} returning *)` +
      ` insert into ${partition} select * from moved`,
    `alter table ${name} attach partition ${partition} for values from (${from}) to (${to})`
  ])
  return partition
})

const stateOf = Effect.fnUntraced(function* (
  statements: Statements,
  table: PartitionedTable,
  current: Month,
  created: ReadonlyArray<string>
) {
  const found = yield* readPartitions(statements, table)
  return {
    table: table.name,
    monthsAhead: monthsAhead(found, current),
    created,
    rowsWithoutPartition: yield* countOf(statements, found.rest, "true")
  } satisfies TableState
})

const countOf = ({ rows }: Statements, partition: string, condition: string) =>
  Effect.map(
    rows(
      `select count(*) from (select from ${partition} where ${condition} limit ${limits.partitionRowsMoved + 1}) as found`
    ),
    ([row]) => Number(row![0])
  )

/** Undefined also for a month after the last that a bound can name. */
const oldestMonthOf = ({ rows }: Statements, partition: string, by: string) =>
  Effect.map(
    rows(
      `select to_char(min(${by}) at time zone 'UTC', 'YYYY-MM') from ${partition} where ${by} < '9999-12-01T00:00:00Z'`
    ),
    ([row]) => (row?.[0] == null ? undefined : (String(row[0]) as Month))
  )
