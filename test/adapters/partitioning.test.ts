/** A table becomes partitioned while programs use it. */
import { PgConnection } from "@effect/sql-pg"
import { assert, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { migrate } from "../../src/adapters/migrator.ts"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import { migrations } from "../../src/migrations/all.ts"
import { attemptsAt, deliveriesOfAttempts, rowsByPartition, withoutForeignKeys } from "../support/attempts-by-month.ts"
import { freshDatabase, valuesOf } from "../support/postgres.ts"

const before = migrations.slice(0, 16)
const through17 = migrations.slice(0, 17)

/** A database before the migration, with these attempts. */
const databaseWith = Effect.fnUntraced(function* (...instants: ReadonlyArray<string>) {
  const database = yield* freshDatabase()
  yield* migrate(database, before)
  const session = yield* withoutForeignKeys(database)
  yield* session.query(attemptsAt(...instants))
  yield* session.query(deliveriesOfAttempts)
  return { database, session }
})

const fileOf = (database: ConnectionOptions, table: string) =>
  valuesOf(database, `select pg_relation_filenode('${table}')::text`)

it.live("The former table is the first partition: its rows are not copied, and its keys and checks stay valid.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { database } = yield* databaseWith("2026-03-01T00:00:00Z", "2026-11-20T10:00:00Z")
      const file = yield* fileOf(database, "webhook_attempts")
      assert.deepStrictEqual(yield* migrate(database, through17), ["monthly_attempts"])
      assert.deepStrictEqual(yield* fileOf(database, "webhook_attempts_before"), file)
      assert.deepStrictEqual(yield* rowsByPartition(database), { webhook_attempts_before: 2 })
      const constraints = (table: string) =>
        valuesOf(
          database,
          "select contype::text, pg_get_constraintdef(oid), convalidated from pg_constraint" +
            ` where conrelid = '${table}'::regclass and contype <> 'n' order by 1, 2`
        )
      const ofTable = yield* constraints("webhook_attempts")
      assert.deepStrictEqual(
        ofTable.map((row) => (row as ReadonlyArray<unknown>)[0]),
        ["c", "c", "c", "c", "f", "p"]
      )
      assert.deepStrictEqual(yield* constraints("webhook_attempts_before"), ofTable)
    })
  )
)

it.live("A process of the previous version continues to write with the statements that it has prepared.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { database, session } = yield* databaseWith("2026-03-01T00:00:00Z", "2026-11-20T10:00:00Z")
      const settle =
        "update webhook_attempts set outcome = $3 where delivery_id = $1 and attempt = $2 and subscription_id = any('{s}')"
      yield* session.query(`prepare settle (text, bigint, text) as ${settle} returning 1`)
      yield* session.query(
        "prepare record (text) as insert into webhook_attempts values ($1, 7, 's', '2026-11-21T00:00:00Z', '', null, 't', null, null, null)"
      )
      for (let times = 0; times < 6; times++) yield* session.query("execute settle ('whd_1', 1, 'TIMEOUT')")
      yield* migrate(database, through17)
      assert.deepStrictEqual(yield* session.queryValues("execute settle ('whd_2', 2, 'DNS')"), [[1]])
      yield* session.query("execute record ('whd_2')")
      assert.deepStrictEqual(
        yield* valuesOf(database, "select outcome from webhook_attempts order by delivery_id, attempt"),
        [["TIMEOUT"], ["DNS"], [null]]
      )
    })
  )
)

it.live("The former table keeps the months up to its newest row, also where a clock ran ahead.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { database } = yield* databaseWith("2026-11-20T10:00:00Z", "2131-05-03T00:00:00Z")
      yield* migrate(database, through17)
      assert.deepStrictEqual(yield* rowsByPartition(database), { webhook_attempts_before: 2 })
      const bound = "select pg_get_expr(relpartbound, oid) from pg_class where relname = 'webhook_attempts_before'"
      assert.include(JSON.stringify(yield* valuesOf(database, bound)), "TO ('2131-07-01 00:00:00+00')")
    })
  )
)

it.live("While another session holds the table the exchange waits without it, and runs once it is free.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { database } = yield* databaseWith("2026-11-20T10:00:00Z")
      const blocker = yield* PgConnection.make(database)
      yield* blocker.query("begin")
      yield* blocker.query("update webhook_deliveries set number = number where false")
      const running = yield* Effect.forkChild(migrate(database, through17))
      const waiting =
        "select count(*)::int from pg_stat_activity where query like 'lock table webhook_deliveries%' and wait_event = 'relation'"
      while (Number(((yield* valuesOf(database, waiting))[0] as ReadonlyArray<unknown>)[0]) === 0)
        yield* Effect.sleep(20)
      yield* blocker.query("commit")
      assert.deepStrictEqual(yield* Fiber.join(running), ["monthly_attempts"])
    })
  )
)
