import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { assert, it } from "@effect/vitest"
import { Cause, Context, Effect, Exit, Layer, Redacted, Scope } from "effect"
import { start } from "../../src/adapters/embedded-postgres.ts"
import { isAlive } from "../../src/adapters/embedded-postgres/processes.ts"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import { layer } from "../../src/adapters/postgres-storage/layer.ts"
import { exclusive, Storage, StorageUnavailable } from "../../src/ports/storage.ts"
import { fact } from "../contract/storage/ranges.ts"
import { Accounts, contractSchema, contractTables, Facts } from "../contract/tables.ts"
import { execute, freshDatabase } from "../support/postgres.ts"

type Store = Storage["Service"]

const open = (connection: ConnectionOptions) =>
  Effect.map(
    Layer.build(
      layer({ connection, tables: contractTables, lockTables: { project: Accounts }, schema: { oldest: 0, newest: 0 } })
    ),
    (built) => Context.get(built, Storage)
  )

/** Adds one; even ids also insert a row, odd ones change only the account. */
const addOne = (store: Store, id: string, number: number) =>
  store.transaction({ locks: [exclusive("project", id)] }, (transaction) =>
    Effect.gen(function* () {
      const row = yield* transaction.get(Accounts, [id])
      yield* transaction.update(Accounts, [id], { balance: row!.balance + 1 })
      if (Number(id) % 2 === 0) yield* transaction.insert(Facts, fact(`${id} ${number}`))
      return row!.balance + 1
    })
  )

/** Reads until the store serves again. */
const balanceOnceServed = (store: Store, id: string): Effect.Effect<number> =>
  Effect.gen(function* () {
    for (;;) {
      const exit = yield* Effect.exit(store.view((reader) => reader.get(Accounts, [id])))
      if (Exit.isSuccess(exit)) return exit.value!.balance
      yield* Effect.sleep("20 millis")
    }
  })

/** Waits until this many more commands are acknowledged. */
type UntilAcknowledged = (commands: number) => Effect.Effect<void>

/** Runs commands until `disturb` ends, and returns every response that disagrees with the database. */
const runThrough = (store: Store, disturb: (untilAcknowledged: UntilAcknowledged) => Effect.Effect<void>) =>
  Effect.gen(function* () {
    const ids = Array.from({ length: 8 }, (_, index) => `${index}`)
    yield* store.transaction({ locks: [] }, (transaction) =>
      Effect.forEach(ids, (id) => transaction.insert(Accounts, { id, balance: 0, paused: false, owner: null }))
    )
    const wrong: Array<string> = []
    let acknowledged = 0
    let isDone = false
    const work = Effect.fnUntraced(function* (id: string) {
      let balance = 0
      for (let number = 0; !isDone; number++) {
        const exit = yield* Effect.exit(addOne(store, id, number))
        const isUnavailable = Exit.isFailure(exit) && Cause.squash(exit.cause) instanceof StorageUnavailable
        if (Exit.isFailure(exit) && !isUnavailable) wrong.push(Cause.pretty(exit.cause))
        if (Exit.isSuccess(exit)) acknowledged += 1
        const expected = Exit.isSuccess(exit) ? balance + 1 : balance
        const actual = Exit.isSuccess(exit) ? exit.value : yield* balanceOnceServed(store, id)
        if (actual !== expected) wrong.push(`${id}: ${actual} after ${balance}, ${exit._tag}`)
        balance = actual
      }
      const last = yield* balanceOnceServed(store, id)
      if (last !== balance) wrong.push(`${id}: ${last} at the end, not ${balance}`)
    })
    const untilAcknowledged: UntilAcknowledged = Effect.fnUntraced(function* (commands: number) {
      for (const from = acknowledged; acknowledged < from + commands;) yield* Effect.sleep("5 millis")
    })
    const disturbance = Effect.ensuring(
      disturb(untilAcknowledged),
      Effect.sync(() => void (isDone = true))
    )
    yield* Effect.all([disturbance, ...ids.map(work)], { concurrency: "unbounded", discard: true })
    return wrong
  })

it.live(
  "A Postgres that crashes and restarts under load loses no acknowledged transaction and applies none twice.",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const directory = fs.mkdtempSync(path.join(os.tmpdir(), "crash-"))
        fs.chmodSync(directory, 0o711)
        yield* Effect.addFinalizer(() => Effect.sync(() => fs.rmSync(directory, { recursive: true, force: true })))
        const servers = yield* Effect.acquireRelease(
          Effect.sync(() => ({ scope: Scope.makeUnsafe() })),
          ({ scope }) => Scope.close(scope, Exit.void)
        )
        const connection = yield* Scope.provide(start(directory), servers.scope)
        yield* execute(connection, contractSchema)
        const crashes = Effect.fnUntraced(function* (untilAcknowledged: UntilAcknowledged) {
          for (let crash = 0; crash < 5; crash++) {
            yield* untilAcknowledged(40)
            const record = path.join(directory, "postgres-18", "postmaster.pid")
            const postmaster = Number(fs.readFileSync(record, "utf8").split("\n")[0])
            process.kill(postmaster, "SIGQUIT")
            while (isAlive(postmaster)) yield* Effect.sleep("5 millis")
            yield* Scope.close(servers.scope, Exit.void)
            servers.scope = Scope.makeUnsafe()
            yield* Scope.provide(Effect.orDie(start(directory)), servers.scope)
          }
          yield* untilAcknowledged(40)
        })
        assert.deepStrictEqual(yield* runThrough(yield* open(connection), crashes), [])
      })
    )
)

it.live("Sessions terminated by the server under load lose no acknowledged transaction and apply none twice.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const connection = yield* freshDatabase(contractSchema)
      const terminate = execute(connection, [
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()`
      ])
      const storm = (untilAcknowledged: UntilAcknowledged) =>
        Effect.forEach(Array.from({ length: 40 }), () => Effect.andThen(untilAcknowledged(3), terminate), {
          discard: true
        })
      assert.deepStrictEqual(yield* runThrough(yield* open(connection), storm), [])
    })
  )
)

it.live("Without a listener, with a wrong password or an unknown database, the store is unavailable.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const reachable = yield* freshDatabase(contractSchema)
      const { url: _, ...withoutUrl } = reachable
      const unreachable = [
        { ...withoutUrl, path: "/nowhere/.s.PGSQL.5432" },
        { ...reachable, username: "nobody", password: Redacted.make("wrong") },
        { ...reachable, database: "no such database" }
      ]
      for (const connection of unreachable) {
        const store = yield* open(connection)
        const operations = [store.health, store.view(() => Effect.void), addOne(store, "0", 0)]
        for (const operation of operations) {
          const exit = yield* Effect.exit<unknown, never, never>(operation)
          assert.instanceOf(Exit.isFailure(exit) && Cause.squash(exit.cause), StorageUnavailable)
        }
      }
    })
  )
)
