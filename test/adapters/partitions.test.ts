/** Partitions of coming months, and of rows whose month has none. */
import { PgConnection } from "@effect/sql-pg"
import { assert, it } from "@effect/vitest"
import { Effect, Fiber, type Scope } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { monthsAhead, partitionedTables, readPartitions } from "../../src/adapters/partitions/catalog.ts"
import { createPartitions } from "../../src/adapters/partitions/create-partitions.ts"
import { type Month, monthAfter, monthOf } from "../../src/adapters/partitions/month.ts"
import * as Partitions from "../../src/adapters/partitions/layer.ts"
import { openStatements } from "../../src/adapters/partitions/statements.ts"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import { now } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { attemptsAt, deliveriesOfAttempts, rowsByPartition, withoutForeignKeys } from "../support/attempts-by-month.ts"
import { migratedDatabase, valuesOf } from "../support/postgres.ts"

const [attempts] = partitionedTables

interface Place {
  readonly database: ConnectionOptions
  readonly create: (current: Month, everyRow?: boolean) => ReturnType<typeof createPartitions>
  readonly ahead: (current: Month) => Effect.Effect<number, unknown>
}

const withDatabase = (use: (place: Place) => Effect.Effect<void, unknown, Scope.Scope>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const database = yield* migratedDatabase
      const statements = yield* openStatements(database)
      yield* use({
        database,
        create: (current, everyRow = false) => createPartitions(statements, current, everyRow),
        ahead: (current) => Effect.map(readPartitions(statements, attempts!), (found) => monthsAhead(found, current))
      })
    })
  )

const insert = Effect.fnUntraced(function* (database: ConnectionOptions, statement: string) {
  const session = yield* withoutForeignKeys(database)
  yield* session.query(statement)
  yield* session.query(deliveriesOfAttempts)
})

it.live("Three months after the current one have a partition, and a second pass makes none.", () =>
  withDatabase(({ create, ahead }) =>
    Effect.gen(function* () {
      const current = monthOf(yield* now)
      const [state] = yield* create(current)
      assert.deepInclude(state, { table: "webhook_attempts", monthsAhead: 3, rowsWithoutPartition: 0 })
      assert.strictEqual(yield* ahead(current), 3)
      assert.deepStrictEqual((yield* create(current))[0]!.created, [])
      assert.strictEqual((yield* create(monthAfter(current, 1)))[0]!.created.length, 1)
    })
  )
)

it.live("A new partition has the columns, keys, checks and storage options of the others.", () =>
  withDatabase(({ database, create }) =>
    Effect.gen(function* () {
      yield* create("2033-01" as Month)
      const shape = (table: string) =>
        valuesOf(
          database,
          `select reloptions, (select array_agg(contype::text || pg_get_constraintdef(c.oid) order by 1) from pg_constraint c
             where conrelid = r.oid and contype <> 'n'),
           (select array_agg(replace(pg_get_indexdef(indexrelid), indexrelid::regclass::text, '') order by indisprimary)::text
             from pg_index where indrelid = r.oid)
           from pg_class r where relname = '${table}'`
        )
      const [made] = yield* shape("webhook_attempts_2033_02")
      const [first] = yield* shape("webhook_attempts_before")
      const named = (value: unknown) =>
        JSON.stringify(value).replaceAll("webhook_attempts_2033_02", "webhook_attempts_before")
      assert.strictEqual(named(made), JSON.stringify(first))
      assert.include(named(made), "fillfactor=80")
    })
  )
)

it.live(
  "A row of a clock that runs ahead is found in the default partition, then moved to a partition of its month.",
  () =>
    withDatabase(({ database, create }) =>
      Effect.gen(function* () {
        yield* insert(database, attemptsAt("2131-05-03T00:00:00Z", "2131-05-31T23:59:59.999Z", "2140-01-01T00:00:00Z"))
        assert.deepStrictEqual(yield* rowsByPartition(database), { webhook_attempts_default: 3 })
        const [state] = yield* create(monthOf(yield* now))
        assert.includeMembers([...state!.created], ["webhook_attempts_2131_05", "webhook_attempts_2140_01"])
        assert.strictEqual(state!.rowsWithoutPartition, 0)
        assert.deepStrictEqual(yield* rowsByPartition(database), {
          webhook_attempts_2131_05: 2,
          webhook_attempts_2140_01: 1
        })
      })
    )
)

it.live(
  "A worker leaves more than 10,000 rows of a month where they are and reports them; an operator moves them.",
  () =>
    withDatabase(({ database, create }) =>
      Effect.gen(function* () {
        const many = limits.partitionRowsMoved + 1
        yield* insert(
          database,
          "insert into webhook_attempts select 'whd_' || n, 1, 's', '2131-05-03T00:00:00Z', '', null, 't', null, null, null" +
            ` from generate_series(1, ${many}) as n`
        )
        const current = monthOf(yield* now)
        assert.strictEqual((yield* create(current))[0]!.rowsWithoutPartition, many)
        assert.deepInclude((yield* create(current, true))[0], {
          created: ["webhook_attempts_2131_05"],
          rowsWithoutPartition: 0
        })
      })
    )
)

it.live("So does a worker in the current month, of which no partition was made in time.", () =>
  withDatabase(({ database, create }) =>
    Effect.gen(function* () {
      const many = limits.partitionRowsMoved + 1
      yield* insert(
        database,
        "insert into webhook_attempts select 'whd_' || n, 1, 's', '2131-05-03T00:00:00Z', '', null, 't', null, null, null" +
          ` from generate_series(1, ${many}) as n`
      )
      const current = "2131-05" as Month
      const [left] = yield* create(current)
      assert.notInclude(left!.created, "webhook_attempts_2131_05")
      assert.deepStrictEqual([left!.monthsAhead, left!.rowsWithoutPartition], [3, many])
      assert.deepStrictEqual((yield* create(current, true))[0]!.created, ["webhook_attempts_2131_05"])
    })
  )
)

it.live("Of two processes that make partitions at once one makes them, and the other reports what there is.", () =>
  withDatabase(({ database, create }) =>
    Effect.gen(function* () {
      const other = yield* openStatements(database)
      const current = monthOf(yield* now)
      const both = yield* Effect.all([create(current), createPartitions(other, current, false)], {
        concurrency: "unbounded"
      })
      const made = both.flatMap(([state]) => state!.created)
      assert.strictEqual(new Set(made).size, made.length)
      assert.strictEqual((yield* create(current))[0]!.monthsAhead, 3)
    })
  )
)

it.live("While a transaction of the service holds its locks, making a partition waits without holding any.", () =>
  withDatabase(({ database, create }) =>
    Effect.gen(function* () {
      const service = yield* PgConnection.make(database)
      yield* service.query("begin")
      yield* service.query("update webhook_deliveries set number = number where false")
      const running = yield* Effect.forkChild(create("2033-01" as Month))
      const waiting =
        "select count(*)::int from pg_stat_activity where query like 'lock table webhook_deliveries%' and wait_event = 'relation'"
      const isWaiting = Effect.map(
        valuesOf(database, waiting),
        ([row]) => Number((row as ReadonlyArray<unknown>)[0]) > 0
      )
      while (!(yield* isWaiting)) yield* Effect.sleep(20)
      const held =
        "select count(*)::int from pg_locks where granted and relation = 'webhook_attempts_default'::regclass"
      assert.deepStrictEqual(yield* valuesOf(database, held), [[0]])
      yield* service.query("commit")
      assert.strictEqual((yield* Fiber.join(running))[0]!.monthsAhead, 3)
    })
  )
)

it.live("A pass of a server or worker reports the months ahead and the rows without a partition as metrics.", () =>
  withDatabase(({ database }) =>
    Effect.gen(function* () {
      yield* insert(database, attemptsAt("2131-05-03T00:00:00Z"))
      yield* Effect.provide(Partitions.partitionPass, Partitions.layer(database))
      const metrics = yield* PrometheusMetrics.format()
      assert.match(metrics, /^countersign_partitions_ahead\{table="webhook_attempts"\} 3$/m)
      assert.match(metrics, /^countersign_rows_without_partition\{table="webhook_attempts"\} 0$/m)
    })
  )
)

it.live("A pass that fails reports what is missing.", () =>
  withDatabase(({ database }) =>
    Effect.gen(function* () {
      const session = yield* PgConnection.make(database)
      // A view has the name of the next partition.
      const next = monthAfter(monthOf(yield* now), 3).replace("-", "_")
      yield* session.query(`create view webhook_attempts_${next} as select 1`)
      yield* Effect.provide(Partitions.partitionPass, Partitions.layer(database))
      const metrics = yield* PrometheusMetrics.format()
      assert.match(metrics, /^countersign_partitions_ahead\{table="webhook_attempts"\} 2$/m)
    })
  )
)
