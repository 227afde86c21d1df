/** Stop controls on Postgres: what they wait for, and what they pass. */
import { assert, it } from "@effect/vitest"
import { Context, Deferred, Effect, Fiber, Layer } from "effect"
import { layer } from "../../src/adapters/postgres-storage/layer.ts"
import { Requester } from "../../src/ports/storage/requester.ts"
import { exclusive, Storage, type LockPlan } from "../../src/ports/storage.ts"
import { Accounts, contractSchema, contractTables } from "../contract/tables.ts"
import { freshDatabase } from "../support/postgres.ts"

const onProject: LockPlan = { locks: [exclusive("project", "a")] }

/** The order in which transactions end, of which the first holds the only connection while the others come. */
const orderOf = (stopControl: (storage: Storage["Service"]) => Effect.Effect<unknown>) =>
  Effect.gen(function* () {
    const connection = yield* freshDatabase(contractSchema)
    const options = { connection, maxConnections: 1, tables: contractTables, lockTables: { project: Accounts } }
    const built = yield* Layer.build(Layer.fresh(layer({ ...options, schema: { oldest: 0, newest: 0 } })))
    const storage = Context.get(built, Storage)
    const ended: Array<string> = []
    const named = (name: string, work: Effect.Effect<unknown>) =>
      Effect.forkChild(
        Effect.andThen(
          work,
          Effect.sync(() => void ended.push(name))
        )
      )
    const [held, end] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    const reading = yield* named(
      "a read",
      storage.view(() => Effect.andThen(Deferred.succeed(held, undefined), Deferred.await(end)))
    )
    yield* Deferred.await(held)
    const commands = yield* Effect.forEach(["command 1", "command 2"], (name) =>
      named(
        name,
        storage.transaction(onProject, (transaction) => transaction.now)
      )
    )
    const stopping = yield* named("stop", stopControl(storage))
    for (let turn = 0; turn < 50; turn++) yield* Effect.yieldNow
    yield* Deferred.succeed(end, undefined)
    yield* Effect.forEach([reading, ...commands, stopping], Fiber.join)
    return ended
  }).pipe(Effect.scoped)

it.effect("A stop control passes a command that holds its place for the project and waits for a connection", () =>
  Effect.gen(function* () {
    const order = yield* orderOf((storage) =>
      storage.transaction({ ...onProject, urgent: true }, (transaction) => transaction.now)
    )
    assert.deepStrictEqual(order, ["a read", "stop", "command 1", "command 2"])
  })
)

it.effect("So does any transaction of a request that stops something", () =>
  Effect.gen(function* () {
    const order = yield* orderOf((storage) =>
      Effect.provideService(
        storage.transaction(onProject, (transaction) => transaction.now),
        Requester,
        { key: "person p", isUrgent: true }
      )
    )
    assert.deepStrictEqual(order, ["a read", "stop", "command 1", "command 2"])
  })
)
