import { assert, it } from "@effect/vitest"
import { PgConnection } from "@effect/sql-pg"
import { Effect } from "effect"
import { migrate } from "../../src/adapters/migrator.ts"
import type { Migration } from "../../src/migrations/migration.ts"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import { messageOf } from "../contract/storage/processes.ts"
import { captureConsole } from "../support/console.ts"
import { freshDatabase } from "../support/postgres.ts"

const expand = (id: number, name: string, ...statements: ReadonlyArray<string>): Migration => ({
  id,
  name,
  kind: "expand",
  steps: [{ kind: "transaction", statements }]
})

const first = expand(1, "people", "create table people (id bigint primary key)")
const second = expand(2, "first_person", "select pg_sleep(0.05)", "insert into people values (1)")

const countPeople = (connection: ConnectionOptions) =>
  Effect.scoped(
    Effect.gen(function* () {
      const session = yield* PgConnection.make(connection)
      const { rows } = yield* session.query("select count(*)::int as people from people")
      return rows[0]!["people"]
    })
  )

it.live("Each migration runs once, even if four processes start at once.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const database = yield* freshDatabase()
      const runs = Array.from({ length: 4 }, () => migrate(database, [first, second]))
      const results = yield* Effect.all(runs, { concurrency: "unbounded" })
      assert.deepStrictEqual(
        results.toSorted((a, b) => b.length - a.length),
        [["people", "first_person"], [], [], []]
      )
      assert.strictEqual(yield* countPeople(database), 1)
    })
  )
)

it.live("Only pending migrations run.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const database = yield* freshDatabase()
      assert.deepStrictEqual(yield* migrate(database, [first]), ["people"])
      assert.deepStrictEqual(yield* migrate(database, [first, second]), ["first_person"])
      assert.deepStrictEqual(yield* migrate(database, [first, second]), [])
    })
  )
)

it.live("A failed migration is rolled back and named; earlier ones are kept.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const database = yield* freshDatabase()
      const broken = expand(2, "broken", "insert into people values (7)", "select 1 / 0")
      const message = messageOf(yield* Effect.exit(migrate(database, [first, broken])))
      assert.include(message, "migration 2 (broken)")
      assert.include(message, "division by zero")
      assert.strictEqual(yield* countPeople(database), 0)
      assert.deepStrictEqual(yield* migrate(database, [first, second]), ["first_person"])
    })
  )
)

it.live("A changed migration and a gap in the numbers are refused.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const database = yield* freshDatabase()
      yield* migrate(database, [first, second])
      const changed = expand(1, "people", "create table people (id text primary key)")
      assert.include(messageOf(yield* Effect.exit(migrate(database, [changed, second]))), "1 (people) has changed")
      const gap = { ...second, id: 4 }
      assert.include(messageOf(yield* Effect.exit(migrate(database, [first, second, gap]))), "numbered 4")
    })
  )
)

const lockKey = "7310287445082937460"

it.live("Waiting for the migration lock reports its holder once and has a limit.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const database = yield* freshDatabase()
      const session = yield* PgConnection.make({ ...database, applicationName: "left behind" })
      yield* session.query(`select pg_advisory_lock(${lockKey})`)
      const { result, lines } = yield* captureConsole(
        Effect.exit(migrate(database, [first], { database: 0, lock: 600 }))
      )
      const holder = `server process ${session.processId} \\(left behind, on the database's machine, connected since 20\\S+Z\\)`
      assert.lengthOf(lines, 1)
      assert.match(lines[0]!, new RegExp(`^countersign: waiting for the migration lock, held by ${holder}$`))
      assert.match(messageOf(result), new RegExp(`held the migration lock for more than 0.6 seconds: ${holder}`))
    })
  )
)

it.live("Without pending migrations no lock is taken, so that a held lock delays no start.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const database = yield* freshDatabase()
      yield* migrate(database, [first, second])
      const session = yield* PgConnection.make(database)
      yield* session.query(`select pg_advisory_lock(${lockKey})`)
      assert.deepStrictEqual(yield* migrate(database, [first, second], { database: 0, lock: 0 }), [])
    })
  )
)
