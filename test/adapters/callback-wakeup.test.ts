import { PgConnection } from "@effect/sql-pg"
import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Option, type Scope } from "effect"
import { makeCallbackWakeup } from "../../src/adapters/callback-wakeup.ts"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import { CallbackWakeup } from "../../src/ports/callback-wakeup.ts"
import { freshDatabase } from "../support/postgres.ts"

type Wakeup = CallbackWakeup["Service"]

/** Two processes would have one each. */
const test = (
  name: string,
  body: (given: {
    readonly here: Wakeup
    readonly there: Wakeup
    readonly connection: ConnectionOptions
    readonly session: PgConnection.PgConnection
  }) => Effect.Effect<void, unknown, Scope.Scope>
) =>
  it.live(name, () =>
    Effect.scoped(
      Effect.gen(function* () {
        const connection = yield* freshDatabase()
        const session = yield* PgConnection.make(connection)
        const here = yield* makeCallbackWakeup(connection)
        const there = yield* makeCallbackWakeup(connection)
        yield* body({ here, there, connection, session })
      })
    )
  )

/** Far more than a wake-up takes, so that a lost one fails the test. */
const hears = (wakeup: Wakeup) => Effect.map(Effect.timeoutOption(wakeup.rung, "10 seconds"), Option.isSome)

/** Listening begins with a wake-up of its own. */
const listens = (...wakeups: ReadonlyArray<Wakeup>) =>
  Effect.forEach(wakeups, (wakeup) => Effect.map(hears(wakeup), assert.isTrue), { concurrency: "unbounded" })

const listenersOf = (session: PgConnection.PgConnection) =>
  Effect.map(
    session.queryValues(
      "select pid from pg_stat_activity where application_name = 'countersign callbacks'" +
        " and query like 'LISTEN%' and datname = current_database()",
      [],
      false
    ),
    (rows) => rows.map(([pid]) => Number(pid))
  )

/** How often it is woken until nobody has rung for a while. */
const timesWoken = (wakeup: Wakeup) =>
  Effect.gen(function* () {
    let times = 0
    while (Option.isSome(yield* Effect.timeoutOption(wakeup.rung, "400 millis"))) times += 1
    return times
  })

test("a ring wakes whoever waits in another process, and in this one", ({ here, there }) =>
  Effect.gen(function* () {
    yield* listens(here, there)
    for (let time = 0; time < 3; time++) {
      const waiting = yield* Effect.forkChild(hears(there))
      yield* here.ring
      assert.isTrue(yield* hears(here))
      assert.isTrue(yield* Fiber.join(waiting))
    }
  }))

test("the rings of a moment are told at once, and not to whoever rang", ({ here, there }) =>
  Effect.gen(function* () {
    yield* listens(here, there)
    const woken = yield* Effect.forkChild(timesWoken(there))
    yield* Effect.replicateEffect(here.ring, 100, { discard: true })
    assert.strictEqual(yield* timesWoken(here), 1)
    assert.strictEqual(yield* Fiber.join(woken), 1)
  }))

test("a process that only rings never listens", ({ here, there, session }) =>
  Effect.gen(function* () {
    yield* listens(there)
    yield* here.ring
    assert.isTrue(yield* hears(there))
    assert.strictEqual((yield* listenersOf(session)).length, 1)
  }))

test("what was rung just before the end of a process is told", ({ there, connection }) =>
  Effect.gen(function* () {
    yield* listens(there)
    yield* Effect.scoped(Effect.flatMap(makeCallbackWakeup(connection), ({ ring }) => ring))
    assert.isTrue(yield* hears(there))
  }))

test("a listener whose connection is killed comes back, and looks for what it has missed", ({ here, there, session }) =>
  Effect.gen(function* () {
    yield* listens(there)
    const [pid] = yield* listenersOf(session)
    yield* session.queryValues(`select pg_terminate_backend(${pid})`, [], false)
    // The wake-up with which it begins again.
    assert.isTrue(yield* hears(there))
    assert.notInclude(yield* listenersOf(session), pid)
    yield* here.ring
    assert.isTrue(yield* hears(there))
  }))

test("whoever rings is heard again after the connection that tells was killed", ({ here, there, session }) =>
  Effect.gen(function* () {
    yield* listens(there)
    yield* here.ring
    assert.isTrue(yield* hears(there))
    const killed = yield* session.queryValues(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'countersign callbacks'" +
        " and query like '%pg_notify%' and pid <> pg_backend_pid() and datname = current_database()",
      [],
      false
    )
    assert.strictEqual(killed.length, 1)
    yield* here.ring
    assert.isTrue(yield* hears(there))
  }))

it.live("while Postgres is gone a ring neither waits nor fails, and wakes its own process", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const gone = yield* makeCallbackWakeup({ path: "/nowhere/.s.PGSQL.5432", username: "nobody", database: "none" })
      const waiting = yield* Effect.forkChild(hears(gone))
      yield* Effect.sleep("20 millis")
      // Without a turn for anybody else: what waited for Postgres would not end here.
      const rung = Effect.runSyncExit(Effect.replicateEffect(gone.ring, 1_000, { discard: true }))
      assert.strictEqual(rung._tag, "Success")
      assert.isTrue(yield* Fiber.join(waiting))
    })
  )
)
