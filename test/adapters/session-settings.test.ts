import { assert, it } from "@effect/vitest"
import { Cause, Context, Effect, Exit, Layer, Redacted } from "effect"
import { makeConnections, type ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import { layer } from "../../src/adapters/postgres-storage/layer.ts"
import { Storage, StorageUnavailable } from "../../src/ports/storage.ts"
import { fromMilliseconds } from "../../src/vocabulary/instant.ts"
import { addOne, openAccounts } from "../contract/storage/processes.ts"
import { Accounts, Jobs, contractSchema, contractTables } from "../contract/tables.ts"
import { execute, freshDatabase } from "../support/postgres.ts"

const settings = [
  "idle_in_transaction_session_timeout",
  "statement_timeout",
  "lock_timeout",
  "deadlock_timeout",
  "TimeZone",
  "default_transaction_isolation",
  "synchronous_commit"
]

const settingsOf = (connection: ConnectionOptions) =>
  Effect.gen(function* () {
    const connections = yield* makeConnections(connection, 1)
    const query = `select ${settings.map((name) => `current_setting('${name}')`).join(", ")}`
    return yield* connections.use((session) => Effect.map(Effect.orDie(session.queryValues(query)), ([row]) => row))
  })

it.live(
  "Sessions have timeouts for locks, statements and idle transactions; deadlock_timeout is lowered only with the privilege.",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const role = `plain_${process.pid}`
        const connection = yield* freshDatabase([`create role ${role} login password 'plain'`])
        yield* Effect.addFinalizer(() => execute(connection, [`drop role ${role}`]))
        const plain = { ...connection, username: role, password: Redacted.make("plain") }
        assert.deepStrictEqual(yield* settingsOf(connection), [
          "5s",
          "5s",
          "2s",
          "100ms",
          "UTC",
          "read committed",
          "on"
        ])
        assert.deepStrictEqual(yield* settingsOf(plain), ["5s", "5s", "2s", "1s", "UTC", "read committed", "on"])
      })
    )
)

it.live("Commits are flushed before they are answered, also where the role or the database says otherwise.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const connection = yield* freshDatabase([])
      const usual = ["5s", "5s", "2s", "100ms", "UTC", "read committed"]
      yield* execute(connection, [`alter database ${connection.database} set synchronous_commit = off`])
      assert.deepStrictEqual(yield* settingsOf(connection), [...usual, "local"])
      yield* execute(connection, [`alter database ${connection.database} set synchronous_commit = remote_apply`])
      assert.deepStrictEqual(yield* settingsOf(connection), [...usual, "remote_apply"])
    })
  )
)

it.live("A connection to a read-only database is discarded, so that the next one can write.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const connection = yield* freshDatabase(contractSchema)
      const options = {
        connection,
        tables: contractTables,
        lockTables: { project: Accounts },
        schema: { oldest: 0, newest: 0 }
      }
      const open = Effect.map(Layer.build(layer(options)), (built) => Context.get(built, Storage))
      const readOnly = (value: "on" | "off") =>
        execute(connection, [
          "set default_transaction_read_only = off",
          `alter database ${connection.database} set default_transaction_read_only = ${value}`
        ])
      yield* Effect.flatMap(open, (store) => openAccounts(store, ["a"]))
      const due = { dueBy: fromMilliseconds(0), leaseUntil: fromMilliseconds(1), token: "t", limit: 1 }
      const uses: Record<string, (store: Storage["Service"]) => Effect.Effect<unknown>> = {
        write: (store) => addOne(store, "a"),
        claim: (store) => store.claim(Jobs, due),
        health: (store) =>
          Effect.flatMap(store.health, ({ writable }) => (writable ? Effect.void : Effect.die("takes no writes")))
      }
      for (const [name, use] of Object.entries(uses)) {
        yield* readOnly("on")
        const store = yield* open
        assert.isTrue(Exit.isFailure(yield* Effect.exit(use(store))), `${name} before`)
        yield* readOnly("off")
        // The pool replaces a connection at once, when the database took no writes yet: only the next one can write.
        const attempts = yield* Effect.all([Effect.exit(use(store)), Effect.exit(use(store))])
        assert.isTrue(Exit.isSuccess(attempts[1]), `${name} after`)
      }
    })
  )
)

it.live(
  "A transaction that idles too long is unavailable, and so is one of another process that waits for its locks.",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const connection = yield* freshDatabase(contractSchema)
        const options = {
          connection,
          tables: contractTables,
          lockTables: { project: Accounts },
          schema: { oldest: 0, newest: 0 }
        }
        const open = Effect.map(Layer.build(layer(options)), (built) => Context.get(built, Storage))
        const [here, there] = [yield* open, yield* open]
        yield* openAccounts(here, ["a"])
        const exits = yield* Effect.all(
          [
            Effect.exit(addOne(here, "a", Effect.sleep("6 seconds"))),
            Effect.exit(Effect.andThen(Effect.sleep("500 millis"), addOne(there, "a")))
          ],
          { concurrency: "unbounded" }
        )
        const reasons = exits.map((exit) => {
          const defect = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
          return defect instanceof StorageUnavailable ? defect.reason : assert.fail("it succeeded")
        })
        assert.include(reasons[0], "25P03")
        assert.include(reasons[1], "55P03")
        assert.strictEqual(yield* addOne(there, "a"), 1)
      })
    )
)
