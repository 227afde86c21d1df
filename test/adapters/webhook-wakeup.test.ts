import { PgConnection } from "@effect/sql-pg"
import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Option, type Scope } from "effect"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import { WebhookWakeup } from "../../src/ports/webhook-wakeup.ts"
import { freshDatabase } from "../support/postgres.ts"
import { webhookWakeupOn } from "../support/webhook-wakeup.ts"

type Wakeup = WebhookWakeup["Service"]

/** Two instances, as two processes would have. */
const test = (
  name: string,
  body: (context: {
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
        const here = yield* webhookWakeupOn(connection)
        const there = yield* webhookWakeupOn(connection)
        yield* body({ here, there, connection, session })
      })
    )
  )

/** The timeout is far above a wake-up, so that only a lost one fails the test. */
const isWoken = (wakeup: Wakeup) =>
  Effect.map(Effect.timeoutOption(wakeup.awaitNotification, "10 seconds"), Option.isSome)

/** The first wake-up signals that listening has begun. */
const awaitListening = (...wakeups: ReadonlyArray<Wakeup>) =>
  Effect.forEach(wakeups, (wakeup) => Effect.map(isWoken(wakeup), assert.isTrue), { concurrency: "unbounded" })

const listenersOf = (session: PgConnection.PgConnection) =>
  Effect.map(
    session.queryValues(
      "select pid from pg_stat_activity where application_name like 'countersign command %'" +
        " and query like 'LISTEN%' and datname = current_database()",
      [],
      false
    ),
    (rows) => rows.map(([pid]) => Number(pid))
  )

/** The number of wake-ups until none arrives for a while. */
const countWakeups = (wakeup: Wakeup) =>
  Effect.gen(function* () {
    let times = 0
    while (Option.isSome(yield* Effect.timeoutOption(wakeup.awaitNotification, "400 millis"))) times += 1
    return times
  })

test("A notification wakes the workers of other processes and of its own.", ({ here, there }) =>
  Effect.gen(function* () {
    yield* awaitListening(here, there)
    for (let time = 0; time < 3; time++) {
      const waiting = yield* Effect.forkChild(isWoken(there))
      yield* here.notify
      assert.isTrue(yield* isWoken(here))
      assert.isTrue(yield* Fiber.join(waiting))
    }
  }))

test("Simultaneous notifications are combined and wake their own process only once.", ({ here, there }) =>
  Effect.gen(function* () {
    yield* awaitListening(here, there)
    const woken = yield* Effect.forkChild(countWakeups(there))
    yield* Effect.replicateEffect(here.notify, 100, { discard: true })
    assert.strictEqual(yield* countWakeups(here), 1)
    assert.strictEqual(yield* Fiber.join(woken), 1)
  }))

test("A process that only notifies never listens.", ({ here, there, session }) =>
  Effect.gen(function* () {
    yield* awaitListening(there)
    yield* here.notify
    assert.isTrue(yield* isWoken(there))
    assert.strictEqual((yield* listenersOf(session)).length, 1)
  }))

test("A notification made just before the end of a process is sent.", ({ there, connection }) =>
  Effect.gen(function* () {
    yield* awaitListening(there)
    yield* Effect.scoped(Effect.flatMap(webhookWakeupOn(connection), ({ notify }) => notify))
    assert.isTrue(yield* isWoken(there))
  }))

test("A listener whose connection is killed reconnects, and wakes once for missed notifications.", ({
  here,
  there,
  session
}) =>
  Effect.gen(function* () {
    yield* awaitListening(there)
    const [pid] = yield* listenersOf(session)
    yield* session.queryValues(`select pg_terminate_backend(${pid})`, [], false)
    // The wake-up after the reconnection.
    assert.isTrue(yield* isWoken(there))
    assert.notInclude(yield* listenersOf(session), pid)
    yield* here.notify
    assert.isTrue(yield* isWoken(there))
  }))

test("Notifications arrive again after the notifying connection was killed.", ({ here, there, session }) =>
  Effect.gen(function* () {
    yield* awaitListening(there)
    yield* here.notify
    assert.isTrue(yield* isWoken(there))
    const killed = yield* session.queryValues(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'countersign notifications'" +
        " and query like '%pg_notify%' and pid <> pg_backend_pid() and datname = current_database()",
      [],
      false
    )
    assert.strictEqual(killed.length, 1)
    yield* here.notify
    assert.isTrue(yield* isWoken(there))
  }))

it.live("While Postgres is unreachable, a notification neither waits nor fails, and wakes its own process.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const gone = yield* webhookWakeupOn({
        path: "/nowhere/.s.PGSQL.5432",
        username: "unknown_role",
        database: "none"
      })
      const waiting = yield* Effect.forkChild(isWoken(gone))
      yield* Effect.sleep("20 millis")
      // Synchronously, so that a notification that waited for Postgres would not end here.
      const rung = Effect.runSyncExit(Effect.replicateEffect(gone.notify, 1_000, { discard: true }))
      assert.strictEqual(rung._tag, "Success")
      assert.isTrue(yield* Fiber.join(waiting))
    })
  )
)
