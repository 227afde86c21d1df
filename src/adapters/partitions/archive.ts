/**
 * Moves partitions of the past to another tablespace while the service reads them. A partition is copied while it refuses
 * writes, which no program makes by then, and the copy takes its place in one short transaction.
 */
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { refuse, type Refusal } from "../../vocabulary/refusals.ts"
import { type Partition, type PartitionedTable, partitionedTables, readPartitions } from "./catalog.ts"
import { isMonth, type Month, monthAfter, startOf } from "./month.ts"
import { lockReferenced, type Statements, storageOptions, whileAlone } from "./statements.ts"

export interface ArchiveInput {
  /** Partitions move whose months are all before this one. */
  readonly before: string
  readonly tablespace: string
  readonly dryRun: boolean
}

export interface MovedPartition {
  readonly partition: string
  readonly from: string
  readonly bytes: number
}

export const archive = Effect.fnUntraced(function* (
  statements: Statements,
  { before, tablespace, dryRun }: ArchiveInput,
  current: Month
): Effect.fn.Return<ReadonlyArray<MovedPartition>, SqlError | Refusal> {
  if (!isMonth(before)) {
    return yield* refuse("INVALID_REQUEST", { detail: "--before is a month like 2026-09." })
  }
  const latest = monthAfter(current, -1)
  if (before > latest) {
    return yield* refuse("INVALID_REQUEST", {
      detail: `--before is ${latest} at the latest: the current and the previous month stay where they are.`
    })
  }
  yield* requireTablespace(statements, tablespace)
  const move = Effect.forEach(partitionedTables, (table) => moveOf(statements, table, { before, tablespace, dryRun }))
  return (yield* whileAlone(statements, move, anotherChanges)).flat()
})

const anotherChanges = refuse("STATE_CONFLICT", {
  detail: "Another process changes partitions now: run the command again in a minute."
})

/** A name that needs no quotes, so that it cannot be read as anything else. */
const requireTablespace = Effect.fnUntraced(function* ({ rows }: Statements, tablespace: string) {
  const isName = /^[a-z_][a-z0-9_]{0,62}$/.test(tablespace) && !/^pg_(?!default$)/.test(tablespace)
  if (!isName) {
    return yield* refuse("INVALID_REQUEST", {
      detail: "--tablespace is the name of a tablespace: lower-case letters, digits and _, not pg_global."
    })
  }
  const [found] = yield* rows(
    `select has_tablespace_privilege(oid, 'CREATE') from pg_tablespace where spcname = '${tablespace}'`
  )
  if (found?.[0] === true) return
  return yield* refuse("INVALID_REQUEST", {
    detail:
      found === undefined
        ? `There is no tablespace ${tablespace}: make it with \`create tablespace ${tablespace} location '…'\`.`
        : `The role of DATABASE_URL may not use the tablespace ${tablespace}: \`grant create on tablespace ${tablespace}\`.`
  })
})

const moveOf = Effect.fnUntraced(function* (
  statements: Statements,
  table: PartitionedTable,
  { before, tablespace, dryRun }: ArchiveInput
) {
  const { partitions } = yield* readPartitions(statements, table)
  const past = partitions.filter((one) => one.to <= before && one.tablespace !== tablespace)
  for (const partition of past) {
    yield* requireSettled(statements, partition)
    if (!dryRun) yield* movePartition(statements, table, partition, tablespace)
  }
  return past.map(({ name, tablespace, bytes }) => ({ partition: name, from: tablespace, bytes }))
})

/** An attempt is written again by the worker whose lease it was made under. */
const requireSettled = Effect.fnUntraced(function* ({ rows }: Statements, { name }: Partition) {
  const [row] = yield* rows(
    `select count(*) from ${name} as attempt join webhook_deliveries as delivery using (delivery_id)` +
      " where attempt.outcome is null and delivery.lease_token <> '' and attempt.lease_token = delivery.lease_token" +
      // Without a day's grace a worker that died would keep the partition for ever, where the subscription has ended since.
      " and delivery.leased_until > now() - interval '1 day'"
  )
  const count = Number(row![0])
  if (count === 0) return
  return yield* refuse("STATE_CONFLICT", {
    detail:
      `${name} has ${count} attempts whose deliveries are still leased, so they may still be written:` +
      " run the command again when a worker has settled them."
  })
})

const movePartition = Effect.fnUntraced(function* (
  statements: Statements,
  table: PartitionedTable,
  partition: Partition,
  tablespace: string
) {
  const copy = yield* makeCopy(statements, table, partition, tablespace)
  // An expired lease can have been renewed since: from here on no statement writes the partition.
  yield* Effect.onError(
    Effect.andThen(
      requireSettled(statements, partition),
      Effect.andThen(fillCopy(statements, table, partition, copy), exchange(statements, table, partition, copy))
    ),
    () => Effect.ignore(statements.together([`alter table ${partition.name} drop constraint if exists ${barrier}`]))
  )
})

const barrier = "countersign_moving"

/** An empty copy of its columns, checks and indexes, and the barrier; those of an interrupted run are replaced. */
const makeCopy = Effect.fnUntraced(function* (
  statements: Statements,
  { by }: PartitionedTable,
  { name, from, to }: Partition,
  tablespace: string
) {
  const copy = `${name}_moving`
  const options = yield* storageOptions(statements, name)
  const months = `${by} < ${startOf(to)}` + (from === undefined ? "" : ` and ${by} >= ${startOf(from)}`)
  yield* statements.together([
    `drop table if exists ${copy}`,
    `alter table ${name} drop constraint if exists ${barrier}`,
    `create table ${copy} (like ${name} including all)${options} tablespace ${tablespace}`,
    `alter table ${copy} add constraint ${copy}_months check (${months})`
  ])
  for (const index of yield* indexesOf(statements, copy)) {
    yield* statements.run(`alter index ${index} set tablespace ${tablespace}`)
  }
  yield* statements.together([`alter table ${name} add constraint ${barrier} check (false) not valid`])
  return copy
})

const indexesOf = ({ rows }: Statements, table: string) =>
  Effect.map(
    rows(`select indexrelid::regclass::text from pg_index where indrelid = '${table}'::regclass order by 1`),
    (found) => found.map(([name]) => String(name))
  )

/** Its foreign keys are those of the table, so that the table takes them over without reading the rows again. */
const fillCopy = Effect.fnUntraced(function* (
  statements: Statements,
  { name }: PartitionedTable,
  partition: Partition,
  copy: string
) {
  yield* statements.run(`insert into ${copy} select * from ${partition.name}`)
  const keys = yield* statements.rows(
    `select conname, pg_get_constraintdef(oid) from pg_constraint where conrelid = '${name}'::regclass and contype = 'f'`
  )
  for (const [key, definition] of keys) {
    yield* statements.together([`alter table ${copy} add constraint ${String(key)} ${String(definition)} not valid`])
    yield* statements.run(`alter table ${copy} validate constraint ${String(key)}`)
  }
  yield* statements.run(`analyze ${copy}`)
})

const exchange = Effect.fnUntraced(function* (
  statements: Statements,
  { name }: PartitionedTable,
  { name: former, from, to }: Partition,
  copy: string
) {
  const indexes = yield* indexesOf(statements, copy)
  const start = from === undefined ? "minvalue" : startOf(from)
  yield* statements.together([
    // To drop a table with a foreign key, Postgres locks the one that it references.
    ...(yield* lockReferenced(statements, name, "access exclusive")),
    `lock table ${name} in access exclusive mode`,
    `alter table ${name} detach partition ${former}`,
    `drop table ${former}`,
    `alter table ${copy} rename to ${former}`,
    // By number, since Postgres shortens the names that it makes.
    ...indexes.map(
      (index, place) =>
        `alter index ${index} rename to ${former}_${index === `${copy}_pkey` ? "pkey" : `index_${place + 1}`}`
    ),
    `alter table ${name} attach partition ${former} for values from (${start}) to (${startOf(to)})`,
    `alter table ${former} drop constraint ${copy}_months`
  ])
})
