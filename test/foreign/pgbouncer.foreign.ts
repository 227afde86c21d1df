/** A real pgbouncer between the program and Postgres: session mode works, the other modes are refused at startup. */
import { PgConnection } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { webhookWakeupOn } from "../support/webhook-wakeup.ts"
import type { EmbeddedPostgres } from "../../src/adapters/embedded-postgres.ts"
import { contract, migrate } from "../../src/adapters/migrator.ts"
import { makeConnections } from "../../src/adapters/postgres-storage/connections.ts"
import { migrations } from "../../src/migrations/all.ts"
import { schemaRangeOf, type Migration } from "../../src/migrations/migration.ts"
import { installationOn } from "../support/installation.ts"
import { pooled, Postgres } from "../support/pgbouncer.ts"
import { freePort, spawnCommand, startServer } from "../support/server.ts"

const locksLeft = (postgres: EmbeddedPostgres) =>
  Effect.flatMap(PgConnection.make(postgres), (session) =>
    session.queryValues("select count(*)::int from pg_locks where locktype = 'advisory'")
  ).pipe(
    Effect.scoped,
    Effect.map(([row]) => row?.[0])
  )

layer(pooled, { excludeTestServices: true })("pgbouncer between the program and Postgres", (it) => {
  for (const mode of ["transaction", "statement"] as const) {
    for (const command of ["serve", "worker", "migrate"]) {
      it.effect(
        `The command ${command} refuses to start in ${mode} mode with a one-line error, and leaves no lock.`,
        () =>
          Effect.gen(function* () {
            const { postgres, through } = yield* Postgres
            const { environment } = yield* installationOn(through[mode])
            const { ended, output } = spawnCommand({ ...environment, PORT: String(yield* freePort) }, command)
            assert.strictEqual(yield* Effect.promise(() => ended), 1)
            assert.match(
              output().trimEnd(),
              /^countersign: DATABASE_URL leads to a pooler [^\n]+pool_mode = session[^\n]+$/
            )
            assert.strictEqual(yield* locksLeft(postgres), 0)
          })
      )
    }
  }

  for (const mode of ["transaction", "statement"] as const) {
    it.effect(`The command doctor detects a pooler in ${mode} mode.`, () =>
      Effect.gen(function* () {
        const { through } = yield* Postgres
        const { environment } = yield* installationOn(through[mode])
        const { ended, output } = spawnCommand({ ...environment, PORT: String(yield* freePort) }, "doctor")
        assert.strictEqual(yield* Effect.promise(() => ended), 1)
        assert.match(output(), /^problem {2}DATABASE_URL leads to a pooler .+pool_mode = session/m)
      })
    )
  }

  it.effect("In session mode, migrations release their lock, and sessions keep their settings.", () =>
    Effect.gen(function* () {
      const { postgres, through } = yield* Postgres
      assert.lengthOf(yield* migrate(through.session, migrations), migrations.length)
      assert.strictEqual(yield* locksLeft(postgres), 0)
      const connections = yield* makeConnections(through.session, 1)
      const settings = "select current_setting('statement_timeout'), current_setting('lock_timeout')"
      const told = yield* connections.use((session) => Effect.orDie(session.queryValues(settings)))
      assert.deepStrictEqual(told, [["5s", "2s"]])
    })
  )

  it.effect("In session mode, notifications reach other processes, but not the one that sent them.", () =>
    Effect.gen(function* () {
      const { through } = yield* Postgres
      const [here, there] = [yield* webhookWakeupOn(through.session), yield* webhookWakeupOn(through.session)]
      const hears = (wakeup: typeof here) =>
        Effect.map(Effect.timeoutOption(wakeup.awaitNotification, "5 seconds"), Option.isSome)
      assert.deepStrictEqual([yield* hears(here), yield* hears(there)], [true, true])
      yield* here.notify
      assert.deepStrictEqual([yield* hears(here), yield* hears(there)], [true, true])
      assert.isTrue(Option.isNone(yield* Effect.timeoutOption(here.awaitNotification, "500 millis")))
    })
  )

  it.effect("In session mode, serve becomes ready and exits with 0.", () =>
    Effect.gen(function* () {
      const { through } = yield* Postgres
      const { environment } = yield* installationOn(through.session)
      const { child, ended } = yield* startServer(environment)
      child.kill("SIGTERM")
      assert.strictEqual(yield* Effect.promise(() => ended), 0)
    })
  )

  // The last one: the program of this checkout refuses the database afterwards.
  it.effect(
    "In session mode, a contract runs once the connections of an older version have closed, and leaves no lock.",
    () =>
      Effect.gen(function* () {
        const { postgres, through } = yield* Postgres
        const id = migrations.length + 1
        const steps = [
          { kind: "transaction", statements: ["create table contracted (id bigint primary key)"] }
        ] as const
        const newer: ReadonlyArray<Migration> = [...migrations, { id, name: "contracts", kind: "contract", steps }]
        yield* Effect.scoped(
          Effect.gen(function* () {
            const connections = yield* makeConnections(through.session, 1, {
              epoch: "",
              schema: schemaRangeOf(migrations)
            })
            assert.strictEqual(yield* connections.use(() => Effect.succeed("USED")), "USED")
            const { message } = yield* Effect.flip(contract(through.session, newer))
            assert.match(message, new RegExp(`countersign from .+ \\(schema ${id - 1}, server process \\d+\\)`))
          })
        )
        assert.deepStrictEqual(yield* contract(through.session, newer), ["contracts"])
        assert.strictEqual(yield* locksLeft(postgres), 0)
      })
  )
})
