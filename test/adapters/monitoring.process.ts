/** The metrics of the database that a worker reads: the due entries of each queue, and the standbys of the primary. */
import { assert, it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { databaseMonitoring } from "../../src/adapters/monitoring.ts"
import { layer } from "../../src/adapters/postgres-storage/layer.ts"
import { DatabaseMonitor } from "../../src/adapters/postgres-storage/monitor.ts"
import { migrations } from "../../src/migrations/all.ts"
import { schemaRangeOf } from "../../src/migrations/migration.ts"
import { Storage } from "../../src/ports/storage.ts"
import { lockTables, tables } from "../../src/tables.ts"
import { addMilliseconds, fromMilliseconds, never, toMilliseconds } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { contractSchema, contractTables, Jobs } from "../contract/tables.ts"
import { primaryAndStandby, type Cluster } from "../support/clusters.ts"
import { seriesOf, valueOf, valuesByLabels, withOwnMetrics } from "../support/metrics.ts"
import { execute, freshDatabase, migratedDatabase, valuesOf } from "../support/postgres.ts"

const schema = { oldest: 0, newest: 0 }

const due = valuesByLabels("countersign_queue_due")
const age = valuesByLabels("countersign_queue_age_milliseconds")

/** Waits for real until the condition holds. */
const until = (condition: Effect.Effect<boolean>) =>
  Effect.gen(function* () {
    while (!(yield* condition)) yield* TestClock.withLive(Effect.sleep(20))
  })

it.effect("The due entries of a queue are counted up to a limit, leased or not, with the age of the oldest.", () =>
  Effect.gen(function* () {
    const start = fromMilliseconds(Date.UTC(2026, 10, 28))
    yield* TestClock.setTime(toMilliseconds(start))
    const connection = yield* freshDatabase(contractSchema)
    const options = { connection, tables: contractTables, lockTables: {}, schema, maxConnections: 2 }
    const context = yield* Layer.build(layer(options))
    const storage = Context.get(context, Storage)
    const { pass } = Context.get(context, DatabaseMonitor)
    const passAfter = (milliseconds: number) =>
      Effect.andThen(TestClock.setTime(toMilliseconds(start) + milliseconds), pass)
    const insert = (id: string, dueAt: typeof start) =>
      storage.transaction({ locks: [] }, (transaction) =>
        transaction.insert(Jobs, { id, dueAt, leasedUntil: null, token: null })
      )
    yield* insert("a", start)
    yield* insert("b", addMilliseconds(start, 10_000))
    yield* insert("later", addMilliseconds(start, 60_000))
    yield* insert("done", never)
    yield* passAfter(15_000)
    assert.deepStrictEqual([yield* due, yield* age], [{ jobs: 2 }, { jobs: 15_000 }])

    const dueBy = addMilliseconds(start, 15_000)
    const claim = { dueBy, leaseUntil: addMilliseconds(dueBy, 600_000), token: "t", limit: 1 }
    assert.lengthOf(yield* storage.claim(Jobs, claim), 1)
    yield* passAfter(30_000)
    assert.deepStrictEqual([yield* due, yield* age], [{ jobs: 2 }, { jobs: 30_000 }])

    const many = `insert into jobs select 'many ' || n, '${fromMilliseconds(0)}', null, null from generate_series(1, 5000) n`
    yield* execute(connection, [many])
    yield* passAfter(45_000)
    assert.deepStrictEqual(yield* due, { jobs: limits.queueCounted })
    yield* execute(connection, ["delete from jobs"])
    yield* passAfter(60_000)
    assert.deepStrictEqual([yield* due, yield* age], [{}, {}])
  }).pipe(Effect.scoped, withOwnMetrics)
)

it.effect("The database is read at the start and after each interval, also after a pass that failed.", () =>
  Effect.gen(function* () {
    let passes = 0
    const pass = Effect.sync(() => {
      if (++passes === 1) throw new Error("unavailable")
    })
    yield* Layer.build(Layer.provide(databaseMonitoring, Layer.succeed(DatabaseMonitor, { pass })))
    for (const expected of [1, 2, 3]) {
      yield* Effect.yieldNow
      assert.strictEqual(passes, expected)
      yield* TestClock.adjust(limits.monitorInterval)
    }
  }).pipe(Effect.scoped)
)

const monitorOf = (connection: Parameters<typeof layer>[0]["connection"], requireStandby: boolean) =>
  Effect.map(
    Layer.build(
      Layer.fresh(layer({ connection, tables, lockTables, schema: schemaRangeOf(migrations), requireStandby }))
    ),
    (context) => Context.get(context, DatabaseMonitor)
  )

it.live("Every table that workers claim from is a queue with metrics of its own.", () =>
  Effect.gen(function* () {
    const connection = yield* migratedDatabase
    yield* (yield* monitorOf(connection, false)).pass
    const expected = ["commerce_orders", "connections", "issuances", "webhook_events", "webhook_subscriptions"]
    assert.deepStrictEqual(
      tables
        .filter(({ lease }) => lease !== undefined)
        .map(({ name }) => name.replaceAll(/[A-Z]/g, (l) => `_${l.toLowerCase()}`))
        .toSorted(),
      expected
    )
    assert.deepStrictEqual(yield* seriesOf("countersign_queue_due"), expected)
    assert.deepStrictEqual(yield* seriesOf("countersign_queue_age_milliseconds"), expected)
    for (const name of ["countersign_standby_required", "countersign_synchronous_standbys"]) {
      assert.deepStrictEqual([yield* seriesOf(name), yield* valueOf(name)], [[""], 0])
    }
    assert.deepStrictEqual(yield* seriesOf("countersign_standby_lag_bytes"), [])
  }).pipe(Effect.scoped, withOwnMetrics)
)

const standbys = Effect.all([
  valueOf("countersign_standby_required"),
  valueOf("countersign_synchronous_standbys"),
  valuesByLabels("countersign_standby_synchronous"),
  valuesByLabels("countersign_standby_lag_bytes")
])

const valueIn = ({ connection }: Cluster, query: string) =>
  Effect.map(valuesOf(connection, query), (rows) => (rows as ReadonlyArray<ReadonlyArray<unknown>>)[0]![0])

it.live(
  "The standbys of a primary are shown with their lag until they are gone, and to a role without rights not at all.",
  () =>
    Effect.gen(function* () {
      const { primary, standby } = yield* primaryAndStandby
      yield* primary.start("synchronous_standby_names=*")
      yield* standby.start()
      yield* execute(primary.connection, contractSchema)
      const options = { connection: primary.connection, tables: [], lockTables: {}, schema, requireStandby: true }
      const built = yield* Layer.build(layer({ ...options, tables: contractTables }))
      const { pass } = Context.get(built, DatabaseMonitor)
      const state = "select coalesce(max(sync_state), '') from pg_stat_replication where replay_lsn is not null"
      yield* until(Effect.map(valueIn(primary, state), (found) => found === "sync"))
      yield* pass
      const [required, synchronous, bySynchrony] = yield* standbys
      assert.deepStrictEqual([required, synchronous, bySynchrony], [1, 1, { walreceiver: 1 }])

      // A standby that replays nothing falls behind.
      yield* valueIn(standby, "select pg_wal_replay_pause()")
      yield* execute(primary.connection, [
        "insert into jobs select n::text, now(), null, null from generate_series(1, 5000) n"
      ])
      yield* pass
      assert.isAbove((yield* standbys)[3]["walreceiver"] ?? 0, 100_000)

      const user = "create role reader login password 'reader'"
      yield* execute(primary.connection, [user, "grant select on all tables in schema public to reader"])
      const url = Redacted.make(`postgres://reader:reader@127.0.0.1:${primary.port}/postgres`)
      const withoutRights = yield* Layer.build(
        Layer.fresh(layer({ ...options, tables: contractTables, connection: { url } }))
      )
      yield* withOwnMetrics(
        Effect.gen(function* () {
          yield* Context.get(withoutRights, DatabaseMonitor).pass
          assert.deepStrictEqual(yield* seriesOf("countersign_standby_lag_bytes"), [])
          assert.deepStrictEqual(yield* valuesByLabels("countersign_standby_required"), { "": 1 })
          assert.deepStrictEqual(yield* seriesOf("countersign_synchronous_standbys"), [])
          assert.strictEqual(yield* valueOf("countersign_queue_due", { queue: "jobs" }), limits.queueCounted)
        })
      )

      yield* standby.stop
      yield* until(
        Effect.map(valueIn(primary, "select count(*)::int from pg_stat_replication"), (found) => found === 0)
      )
      yield* pass
      assert.deepStrictEqual(yield* standbys, [1, 0, {}, {}])
      for (const gauge of ["synchronous", "lag_bytes", "lag_seconds"]) {
        assert.deepStrictEqual(yield* seriesOf(`countersign_standby_${gauge}`), [])
      }
    }).pipe(Effect.scoped, withOwnMetrics)
)
