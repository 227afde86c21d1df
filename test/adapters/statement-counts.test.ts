import * as net from "node:net"
import { assert, it } from "@effect/vitest"
import { PgConnection } from "@effect/sql-pg"
import { Context, Deferred, Effect, Fiber, Layer } from "effect"
import { rowProof } from "../../src/adapters/postgres-storage/commit-proofs.ts"
import { layer } from "../../src/adapters/postgres-storage/layer.ts"
import type { Counts } from "../../src/adapters/postgres-storage/session.ts"
import { readTogether } from "../../src/ports/storage/run.ts"
import { exclusive, shared, Storage, type Transaction } from "../../src/ports/storage.ts"
import { fromMilliseconds } from "../../src/vocabulary/instant.ts"
import {
  Accounts,
  contractSchema,
  contractTables,
  Entries,
  Facts,
  Keys,
  Movements,
  Replays
} from "../contract/tables.ts"
import { freshDatabase, valuesOf } from "../support/postgres.ts"
import { startProxy } from "../support/proxy.ts"

/** A store with two accounts and a key, what its attempts send from then on, and another store of the same database. */
const openStore = Effect.gen(function* () {
  const proxy = yield* startProxy(yield* freshDatabase(contractSchema))
  const counts: Array<Counts> = []
  const written: Array<number> = []
  const stream = () => {
    const socket = net.connect({ path: proxy.connection.path! })
    const write = socket.write.bind(socket)
    socket.write = (chunk: Uint8Array) => {
      written.push(chunk.length)
      return write(chunk)
    }
    return socket
  }
  const { connection } = proxy
  const options = {
    connection: { ...connection, stream },
    tables: contractTables,
    lockTables: { project: Accounts },
    schema: { oldest: 0, newest: 0 }
  }
  const open = (observe: (counted: Counts) => void) =>
    Effect.map(Layer.build(layer({ ...options, observe })), (built) => Context.get(built, Storage))
  const store = yield* open((counted) => void counts.push(counted))
  const other = yield* open(() => {})
  yield* store.transaction({ locks: [] }, (transaction) =>
    Effect.gen(function* () {
      for (const id of ["a", "b"]) {
        yield* transaction.insert(Accounts, { id, balance: 0, paused: false, owner: null })
      }
      yield* transaction.insert(Keys, { id: "k", revoked: false })
    })
  )
  yield* Effect.sleep(0)
  counts.length = 0
  written.length = 0
  return { connection, counts, written, store, other }
})

const at = fromMilliseconds(Date.UTC(2026, 10, 23))
const movement = (number: number) => ({ accountId: "a", number, hash: `hash ${number}`, note: null, at })

/** The shape of a command: authority, lock, everything that the decision reads, event, row and idempotency key. */
const command = (store: Storage["Service"], requestId: string) =>
  store.transaction(
    { locks: [shared("membership", "m"), shared("grant", "k")], deferred: [exclusive("project", "a")] },
    (transaction) =>
      Effect.gen(function* () {
        const [key] = yield* readTogether([
          transaction.get(Keys, ["k"]),
          transaction.get(Facts, ["link"]),
          transaction.get(Replays, ["other"])
        ])
        assert.strictEqual(key?.revoked, false)
        yield* transaction.lock(exclusive("project", "a"))
        const [account, earlier, entry, movements] = yield* readTogether([
          transaction.get(Accounts, ["a"]),
          transaction.get(Replays, [requestId]),
          transaction.find(Entries, "byLabel", ["a", "none"]),
          transaction.range(Movements, "key", { prefix: ["a"], limit: 100 })
        ])
        assert.deepStrictEqual([earlier, entry], [undefined, undefined])
        yield* transaction.now
        yield* transaction.update(Accounts, ["a"], { balance: account!.balance + 1 })
        yield* transaction.insert(Movements, movement(movements.length + 1))
        yield* transaction.insert(Replays, { id: requestId, place: requestId, answer: "" })
        return account!.balance + 1
      })
  )

it.live("A transaction of the shape of a command takes 8 statements in 3 round trips, each written at once.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { counts, written, store } = yield* openStore
      assert.strictEqual(yield* command(store, "one"), 1)
      // As for requests, the second one begins outside of the answer to the first.
      yield* Effect.sleep(0)
      assert.strictEqual(yield* command(store, "two"), 2)
      assert.deepStrictEqual(counts, [
        { statements: 8, roundTrips: 3 },
        { statements: 8, roundTrips: 3 }
      ])
      assert.strictEqual(written.length, 6)
    })
  )
)

it.live("Under an exclusive lock without a row, the writes go out together with COMMIT.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { counts, store } = yield* openStore
      yield* store.transaction({ locks: [exclusive("grant", "k")] }, (transaction) =>
        Effect.gen(function* () {
          yield* transaction.get(Keys, ["k"])
          yield* transaction.update(Keys, ["k"], { revoked: true })
        })
      )
      assert.deepStrictEqual(counts, [{ statements: 5, roundTrips: 2 }])
    })
  )
)

it.live("A transaction whose row proves its commit writes no other proof.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { connection, store } = yield* openStore
      const proofs = valuesOf(connection, "select transaction::int from countersign_proofs")
      const before = yield* proofs
      yield* command(store, "one")
      assert.deepStrictEqual(yield* proofs, before)
      yield* store.transaction({ locks: [] }, (transaction) =>
        transaction.insert(Replays, { id: "two", place: "two", answer: "" })
      )
      assert.notDeepEqual(yield* proofs, before)
    })
  )
)

it.live("A row proves a commit only where it equals the written one in every column.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { connection, store } = yield* openStore
      yield* store.transaction({ locks: [exclusive("project", "a")] }, (transaction) =>
        transaction.insert(Movements, movement(1))
      )
      const session = yield* Effect.orDie(PgConnection.make(connection))
      const isProven = (row: ReturnType<typeof movement>) => {
        const { sql, parameters } = rowProof(Movements, row)(1)
        return Effect.map(Effect.orDie(session.queryValues(`select ${sql}`, parameters)), (rows) => rows[0]?.[0])
      }
      assert.strictEqual(yield* isProven(movement(1)), true)
      assert.strictEqual(yield* isProven({ ...movement(1), hash: "of another transaction" }), false)
      assert.strictEqual(yield* isProven(movement(2)), false)
    })
  )
)

it.live("Without a replica, a view that one may serve takes one round trip, as every view does.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { counts, store } = yield* openStore
      for (const options of [{}, { replica: true }]) {
        yield* store.view((reader) => reader.get(Accounts, ["a"]), options)
        assert.deepStrictEqual(counts.at(-1), { statements: 3, roundTrips: 1 })
      }
      assert.lengthOf(counts, 2)
    })
  )
)

it.live("A row read under its lock takes no statement, and is the row as of when the lock was granted.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { connection, counts, store, other } = yield* openStore
      const waiting = valuesOf(connection, "select from pg_locks where not granted")
      const [reached, hold] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const addOne = (transaction: Transaction) =>
        Effect.gen(function* () {
          const row = yield* transaction.get(Accounts, ["a"])
          yield* transaction.update(Accounts, ["a"], { balance: row!.balance + 1 })
          return row!.balance
        })
      const holder = yield* Effect.forkChild(
        other.transaction({ locks: [exclusive("project", "a")] }, (transaction) =>
          Effect.gen(function* () {
            yield* addOne(transaction)
            // Reading its own write sends it.
            assert.strictEqual((yield* transaction.get(Accounts, ["a"]))?.balance, 1)
            yield* Deferred.succeed(reached, undefined)
            yield* Deferred.await(hold)
          })
        )
      )
      yield* Deferred.await(reached)
      const waiter = yield* Effect.forkChild(store.transaction({ locks: [exclusive("project", "a")] }, addOne))
      while ((yield* waiting).length === 0) yield* Effect.sleep("5 millis")
      yield* Deferred.succeed(hold, undefined)
      assert.strictEqual(yield* Fiber.join(waiter), 1, "the balance that the holder wrote")
      yield* Fiber.join(holder)
      assert.strictEqual(counts.at(-1)?.statements, 4, "BEGIN, the lock with its row, the write and COMMIT")
      assert.strictEqual((yield* store.view((reader) => reader.get(Accounts, ["a"])))?.balance, 2)
    })
  )
)
