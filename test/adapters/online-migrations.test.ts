/** Versions of a program side by side: expands beside the older one, contracts after it. */
import { assert, it } from "@effect/vitest"
import { PgConnection } from "@effect/sql-pg"
import { Effect, Fiber, type Scope } from "effect"
import { contract, migrate, readPlan } from "../../src/adapters/migrator.ts"
import { type ConnectionOptions, makeConnections } from "../../src/adapters/postgres-storage/connections.ts"
import { findRecorded, readRecorded } from "../../src/adapters/recorded-installation.ts"
import { migrations } from "../../src/migrations/all.ts"
import { schemaRangeOf, type Migration, type Step } from "../../src/migrations/migration.ts"
import { Storage } from "../../src/ports/storage.ts"
import * as PostgresStorage from "../../src/adapters/postgres-storage/layer.ts"
import { lockTables, tables } from "../../src/tables.ts"
import { messageOf } from "../contract/storage/processes.ts"
import { captureConsole } from "../support/console.ts"
import { execute, migratedDatabase, valuesOf } from "../support/postgres.ts"

const after = migrations.length

const migration = (id: number, name: string, kind: Migration["kind"], ...steps: ReadonlyArray<Step>): Migration => ({
  id,
  name,
  kind,
  steps
})

const statements = (...statements: ReadonlyArray<string>): Step => ({ kind: "transaction", statements })

const adds = migration(after + 1, "adds", "expand", statements("create table adds (id bigint primary key)"))
const takesAway = migration(after + 2, "takes_away", "contract", statements("drop index webhook_events_by_due"))
const addsMore = migration(
  after + 3,
  "adds_more",
  "expand",
  statements("create table adds_more (id bigint primary key)")
)
const older = migrations
const newer = [...migrations, adds, takesAway]

/** One connection of the pool of a process with these migrations, open until the scope closes. */
const connect = (database: ConnectionOptions, program: ReadonlyArray<Migration>) =>
  Effect.gen(function* () {
    const connections = yield* makeConnections(database, 1, { epoch: "", schema: schemaRangeOf(program) })
    const used = yield* connections.use(() => Effect.succeed("USED" as const))
    return used === "USED" ? used : used.failure.reason
  })

const healthOf = (database: ConnectionOptions, program: ReadonlyArray<Migration>) =>
  Effect.map(
    Effect.flatMap(Storage, ({ health }) => health).pipe(
      Effect.provide(
        PostgresStorage.layer({ connection: database, tables, lockTables, schema: schemaRangeOf(program) })
      )
    ),
    ({ schemaFits }) => schemaFits
  )

const withDatabase = <A, E>(use: (database: ConnectionOptions) => Effect.Effect<A, E, Scope.Scope>) =>
  Effect.scoped(Effect.flatMap(migratedDatabase, use))

it.live("An older program starts, is ready and opens connections after an expand that it does not know.", () =>
  withDatabase((database) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* migrate(database, newer), ["adds"])
      assert.deepStrictEqual(yield* migrate(database, older), [])
      assert.isTrue(yield* healthOf(database, older))
      assert.strictEqual(yield* connect(database, older), "USED")
      assert.isTrue(yield* healthOf(database, newer))
    })
  )
)

it.live("A newer program is not ready before its expand has run.", () =>
  withDatabase((database) => Effect.map(healthOf(database, newer), (isReady) => assert.isFalse(isReady)))
)

it.live(
  "After a contract that it does not know an older program is not ready, does not start and opens no connection.",
  () =>
    withDatabase((database) =>
      Effect.gen(function* () {
        yield* migrate(database, newer)
        assert.deepStrictEqual(yield* contract(database, newer), ["takes_away"])
        assert.isFalse(yield* healthOf(database, older))
        const refused = messageOf(yield* Effect.exit(migrate(database, older)))
        assert.include(refused, `migration ${after + 2} (takes_away), newer than this program, which knows ${after}`)
        assert.include(refused, "start the newer program, or restore the database from before")
        assert.match(yield* connect(database, older), /took away what this version uses: start the version that knows/)
        const recorded = messageOf(yield* Effect.exit(readRecorded(database, schemaRangeOf(older))))
        assert.match(recorded, /took away what this version uses/)
        assert.strictEqual(yield* connect(database, newer), "USED")
        assert.isTrue(yield* healthOf(database, newer))
      })
    )
)

it.live("A contract is refused while a process of an older version is connected, and names its session.", () =>
  withDatabase((database) =>
    Effect.gen(function* () {
      yield* migrate(database, newer)
      yield* Effect.scoped(
        Effect.gen(function* () {
          assert.strictEqual(yield* connect(database, older), "USED")
          const refused = messageOf(yield* Effect.exit(contract(database, newer)))
          const session = `countersign from this machine since 20\\S+Z \\(schema ${after}, server process \\d+\\)`
          assert.match(refused, new RegExp(`an older version are connected, so stop them first: ${session}; nothing`))
        })
      )
      assert.strictEqual(yield* connect(database, newer), "USED")
      assert.deepStrictEqual(yield* contract(database, newer), ["takes_away"])
      assert.deepStrictEqual(yield* contract(database, newer), [])
    })
  )
)

it.live("A contract is refused while a session of a version that does not register is connected.", () =>
  withDatabase((database) =>
    Effect.gen(function* () {
      yield* migrate(database, newer)
      yield* PgConnection.make({ ...database, applicationName: "countersign" })
      assert.match(messageOf(yield* Effect.exit(contract(database, newer))), /countersign .* does not register/)
    })
  )
)

it.live("A contract does not run without the locks of all older schema numbers.", () =>
  withDatabase((database) =>
    Effect.gen(function* () {
      yield* migrate(database, newer)
      const holder = yield* PgConnection.make(database)
      // Not listed as an older session, as one that ends right after a lock was refused.
      yield* holder.query(`select pg_advisory_lock(1128485454, ${after})`)
      const refused = messageOf(yield* Effect.exit(contract(database, newer)))
      assert.match(refused, new RegExp(`stop them first: a session of schema ${after}; nothing was changed`))
      yield* holder.query("select pg_advisory_unlock_all()")
      assert.deepStrictEqual(yield* contract(database, newer), ["takes_away"])
    })
  )
)

it.live("While a contract runs an older program opens no connection, and can again if the contract fails.", () =>
  withDatabase((database) =>
    Effect.gen(function* () {
      const attempt = yield* PgConnection.make(database)
      yield* attempt.query(`select pg_advisory_lock(1128485454, ${after})`)
      assert.match(yield* connect(database, older), /a contract migration runs/)
      assert.match(
        messageOf(yield* Effect.exit(readRecorded(database, schemaRangeOf(older)))),
        /a contract migration runs/
      )
      assert.strictEqual((yield* findRecorded(database, 0)).epoch, "")
      yield* attempt.query("select pg_advisory_unlock_all()")
      assert.strictEqual(yield* connect(database, older), "USED")
    })
  )
)

it.live("An older program that connects while a contract of several steps is unfinished is refused.", () =>
  withDatabase((database) =>
    Effect.gen(function* () {
      const breaks = migration(
        after + 1,
        "breaks",
        "contract",
        statements("drop index webhook_events_by_due"),
        statements("select 1 / 0")
      )
      assert.match(messageOf(yield* Effect.exit(contract(database, [...older, breaks]))), /step 2 of 2: .*by zero/)
      assert.match(yield* connect(database, older), /took away what this version uses/)
      assert.isTrue(yield* healthOf(database, [...older, breaks]))
    })
  )
)

it.live("A start never runs a contract: an expand behind a pending contract refuses the start.", () =>
  withDatabase((database) =>
    Effect.gen(function* () {
      const program = [...newer, addsMore]
      assert.match(
        messageOf(yield* Effect.exit(migrate(database, program))),
        /\(adds_more\) is an expand after the contract .*\(takes_away\).*`countersign migrate --contract`/
      )
      assert.match(messageOf(yield* Effect.exit(contract(database, program))), /\(adds\) is an expand that comes first/)
      yield* migrate(database, newer)
      assert.deepStrictEqual(yield* contract(database, program), ["takes_away"])
      assert.deepStrictEqual(yield* migrate(database, program), ["adds_more"])
    })
  )
)

it.live("A database of a version without kinds gains them, and keeps its migrations.", () =>
  withDatabase((database) =>
    Effect.gen(function* () {
      yield* execute(database, ["alter table countersign_migrations drop column kind, drop column steps_left"])
      assert.isTrue(yield* healthOf(database, older))
      assert.strictEqual(yield* connect(database, older), "USED")
      assert.deepStrictEqual(yield* migrate(database, older), [])
      assert.deepStrictEqual(
        yield* valuesOf(database, "select distinct kind, steps_left from countersign_migrations"),
        [["expand", 0]]
      )
    })
  )
)

const large = migration(
  after + 1,
  "large",
  "expand",
  statements(
    "alter table adds add column doubled bigint",
    "alter table adds add constraint adds_doubled check (doubled is not null) not valid"
  ),
  {
    kind: "batches",
    change:
      "update adds set doubled = abs(id * 2) where id in (select id from adds where doubled is null order by id limit 3)"
  },
  { kind: "index", name: "adds_by_doubled", on: "adds (doubled)", unique: true },
  { kind: "validation", table: "adds", constraint: "adds_doubled" }
)

const isValid = "select indisvalid from pg_index where indexrelid = 'adds_by_doubled'::regclass"

const tenRows = [
  "create table adds (id bigint primary key)",
  "insert into adds select n from generate_series(1, 10) as n"
]

it.live(
  "A large change runs in batches with progress, builds its index concurrently and validates its constraint.",
  () =>
    withDatabase((database) =>
      Effect.gen(function* () {
        yield* execute(database, tenRows)
        const ofNewDatabase = yield* captureConsole(migrate(database, older))
        assert.deepStrictEqual(ofNewDatabase.lines, [], "no step takes long in a new database")
        const { lines } = yield* captureConsole(migrate(database, [...older, large]))
        const title = `countersign: migration ${after + 1} \\(large\\), step`
        assert.match(lines.join("\n"), new RegExp(`${title} 2 of 4: rows in batches\n${title} 2 of 4: 10 rows\n`))
        assert.deepStrictEqual(
          yield* valuesOf(
            database,
            "select (select sum(doubled)::int from adds), indisvalid, convalidated from pg_index, pg_constraint" +
              " where indexrelid = 'adds_by_doubled'::regclass and conname = 'adds_doubled'"
          ),
          [[110, true, true]]
        )
      })
    )
)

it.live("An interrupted migration continues where it stopped, and replaces the invalid index that it left.", () =>
  withDatabase((database) =>
    Effect.gen(function* () {
      yield* execute(database, [...tenRows, "insert into adds values (-1)"])
      // Two equal values, so that the third step fails and leaves an invalid index.
      const program = [...older, large]
      assert.match(messageOf(yield* Effect.exit(migrate(database, program))), /step 3 of 4/)
      assert.isFalse(yield* healthOf(database, program))
      assert.isTrue(yield* healthOf(database, older))
      const [pending] = (yield* readPlan(database, program)).pending
      assert.strictEqual(pending?.stepsDone, 2)
      assert.deepStrictEqual(yield* valuesOf(database, isValid), [[false]])
      yield* execute(database, ["delete from adds where id = -1"])
      assert.deepStrictEqual(yield* migrate(database, program), ["large"])
      assert.deepStrictEqual(yield* valuesOf(database, isValid), [[true]])
      assert.isTrue(yield* healthOf(database, program))
    })
  )
)

it.live("A migration that another session blocks gives up its locks in between and runs once they are free.", () =>
  withDatabase((database) =>
    Effect.gen(function* () {
      yield* execute(database, tenRows)
      const blocker = yield* PgConnection.make(database)
      yield* blocker.query("begin")
      yield* blocker.query("select count(*) from adds")
      const alters = migration(after + 1, "alters", "expand", statements("alter table adds add column name text"))
      const running = yield* Effect.forkChild(migrate(database, [...older, alters]))
      const waits =
        "select count(*)::int from pg_stat_activity where query like 'alter table adds%' and wait_event = 'relation'"
      const isWaiting = (wanted: number) =>
        Effect.repeat(valuesOf(database, waits), { until: (rows) => String(rows) === String(wanted) })
      yield* isWaiting(1)
      yield* isWaiting(0)
      // Behind a waiting ALTER TABLE this would wait until the blocker has ended.
      assert.deepStrictEqual(yield* valuesOf(database, "select count(*)::int from adds"), [[10]])
      yield* blocker.query("commit")
      assert.deepStrictEqual(yield* Fiber.join(running), ["alters"])
    })
  )
)
