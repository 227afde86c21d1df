/** The metrics of the storage on Postgres: each moves for its cause, and for no other. */
import { assert, it } from "@effect/vitest"
import { Context, Deferred, Effect, Exit, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { resolveOutcome } from "../../src/adapters/postgres-storage/commit-outcome.ts"
import type { Connections } from "../../src/adapters/postgres-storage/connections.ts"
import { layer } from "../../src/adapters/postgres-storage/layer.ts"
import type { CommitEvidence } from "../../src/ports/storage/indeterminate-commit.ts"
import { exclusive, shared, Storage, type LockPlan } from "../../src/ports/storage.ts"
import { Accounts, contractSchema, contractTables, Replays } from "../contract/tables.ts"
import { histogramOf, seriesOf, valueOf, valuesByLabels, withOwnMetrics } from "../support/metrics.ts"
import { freshDatabase, valuesOf } from "../support/postgres.ts"
import { startProxy, type Cut } from "../support/proxy.ts"

/** Opens stores of one database: each is that of another process. */
const openDatabase = Effect.gen(function* () {
  const proxy = yield* startProxy(yield* freshDatabase(contractSchema))
  const { connection } = proxy
  const open = Effect.fnUntraced(function* (maxConnections = 5) {
    const options = { connection, maxConnections, tables: contractTables, lockTables: { project: Accounts } }
    const built = yield* Layer.build(Layer.fresh(layer({ ...options, schema: { oldest: 0, newest: 0 } })))
    return Context.get(built, Storage)
  })
  return { proxy, connection, open }
})

type Store = Storage["Service"]

const insertAccount = (store: Store) =>
  store.transaction({ locks: [] }, (transaction) =>
    transaction.insert(Accounts, { id: "a", balance: 0, paused: false, owner: null })
  )

/** A transaction that holds its locks and its connection until it is released. */
const holdOpen = Effect.fnUntraced(function* (store: Store, plan: LockPlan = { locks: [] }) {
  const held = yield* Deferred.make<void>()
  const end = yield* Deferred.make<void>()
  yield* Effect.addFinalizer(() => Deferred.succeed(end, undefined))
  const fiber = yield* Effect.forkChild(
    store.transaction(plan, (transaction) =>
      Effect.gen(function* () {
        yield* transaction.now
        yield* Deferred.succeed(held, undefined)
        yield* Deferred.await(end)
      })
    )
  )
  yield* Deferred.await(held)
  return Effect.andThen(Deferred.succeed(end, undefined), Fiber.join(fiber))
})

/** Waits for real until the condition holds. */
const until = (condition: Effect.Effect<boolean>) =>
  Effect.gen(function* () {
    while (!(yield* condition)) yield* TestClock.withLive(Effect.sleep(10))
  })

const pool = Effect.all({
  inUse: valueOf("countersign_pool_connections_in_use"),
  open: valueOf("countersign_pool_connections_open"),
  waiting: valueOf("countersign_pool_waiting")
})

const waits = histogramOf("countersign_pool_wait_milliseconds")
const givenUpWaits = valueOf("countersign_pool_timeouts_total")
const givenUp = valuesByLabels("countersign_transactions_failed_total")
const repeated = valuesByLabels("countersign_transaction_retries_total")
const lostCommits = valuesByLabels("countersign_indeterminate_commits_total")

it.effect("A pool that is exhausted shows its connections, who waits, for how long, and who gave up.", () =>
  Effect.gen(function* () {
    const { open } = yield* openDatabase
    const store = yield* open(1)
    assert.deepStrictEqual(yield* pool, { inUse: 0, open: 0, waiting: 0 })
    const release = yield* holdOpen(store)
    assert.deepStrictEqual(yield* pool, { inUse: 1, open: 1, waiting: 0 })
    const waiting = yield* Effect.forkChild(insertAccount(store))
    const tooLate = yield* Effect.forkChild(Effect.exit(store.view(() => Effect.void)))
    yield* until(Effect.map(pool, (usage) => usage.waiting === 2))
    yield* TestClock.adjust("3 seconds")
    assert.deepStrictEqual(yield* pool, { inUse: 1, open: 1, waiting: 2 })
    yield* release
    yield* Fiber.join(waiting)
    yield* Fiber.join(tooLate)
    assert.deepStrictEqual(yield* pool, { inUse: 0, open: 1, waiting: 0 })
    assert.deepStrictEqual(yield* waits, { count: 3, max: 3_000 })
    assert.strictEqual(yield* givenUpWaits, 0)

    const releaseAgain = yield* holdOpen(store)
    const refused = yield* Effect.forkChild(Effect.exit(store.view(() => Effect.void)))
    yield* until(Effect.map(pool, (usage) => usage.waiting === 1))
    yield* TestClock.adjust("5 seconds")
    assert.isTrue(Exit.isFailure(yield* Fiber.join(refused)))
    assert.deepStrictEqual([yield* givenUpWaits, yield* givenUp], [1, { NO_CONNECTION: 1 }])
    assert.deepStrictEqual(yield* waits, { count: 5, max: 5_000 })
    yield* releaseAgain
  }).pipe(Effect.scoped, withOwnMetrics)
)

it.effect("The gauges of a pool end with it.", () =>
  withOwnMetrics(
    Effect.gen(function* () {
      yield* Effect.scoped(
        Effect.gen(function* () {
          const { open } = yield* openDatabase
          yield* insertAccount(yield* open())
          assert.deepStrictEqual(yield* seriesOf("countersign_pool_connections_open"), [""])
        })
      )
      for (const gauge of ["connections_in_use", "connections_open", "waiting"]) {
        assert.deepStrictEqual(yield* seriesOf(`countersign_pool_${gauge}`), [])
      }
    })
  )
)

it.effect("A wait for a lock inside the process is measured by the kind of the lock, and no wait is not.", () =>
  Effect.gen(function* () {
    const { open } = yield* openDatabase
    const store = yield* open()
    const plan = { locks: [shared("membership", "m")], deferred: [exclusive("project", "a")] }
    const release = yield* holdOpen(store, plan)
    assert.deepStrictEqual(yield* valuesByLabels("countersign_lock_queue_milliseconds"), {})
    const waiting = yield* Effect.forkChild(store.transaction(plan, (transaction) => transaction.now))
    // It takes no connection before it has the lock.
    for (let turn = 0; turn < 20; turn++) yield* Effect.yieldNow
    yield* TestClock.adjust(70)
    yield* release
    yield* Fiber.join(waiting)
    assert.deepStrictEqual(yield* histogramOf("countersign_lock_queue_milliseconds", { kind: "project" }), {
      count: 1,
      max: 70
    })
    assert.deepStrictEqual(Object.keys(yield* valuesByLabels("countersign_lock_queue_milliseconds")), ["project"])
  }).pipe(Effect.scoped, withOwnMetrics)
)

const lockWait = (kind: string) => histogramOf("countersign_lock_wait_milliseconds", { kind })

it.effect("A wait for a lock in Postgres is measured by the kind of the transaction's last lock.", () =>
  Effect.gen(function* () {
    const { connection, open } = yield* openDatabase
    const [store, other] = [yield* open(), yield* open()]
    yield* insertAccount(store)
    const release = yield* holdOpen(other, { locks: [exclusive("project", "a")] })
    assert.deepStrictEqual(yield* lockWait("project"), { count: 1, max: 0 })
    const locks = [shared("membership", "m"), shared("grant", "k"), exclusive("project", "a")]
    const waiting = yield* Effect.forkChild(store.transaction({ locks }, (transaction) => transaction.now))
    yield* until(waitsInPostgres(connection))
    yield* TestClock.adjust(120)
    yield* release
    yield* Fiber.join(waiting)
    assert.deepStrictEqual(yield* lockWait("project"), { count: 2, max: 120 })
    assert.deepStrictEqual(Object.keys(yield* valuesByLabels("countersign_lock_wait_milliseconds")), ["project"])
  }).pipe(Effect.scoped, withOwnMetrics)
)

it.effect("A lock that Postgres did not grant in time is measured by its kind, and its transaction is given up.", () =>
  Effect.gen(function* () {
    const { connection, open } = yield* openDatabase
    const [store, other] = [yield* open(), yield* open()]
    yield* insertAccount(store)
    const release = yield* holdOpen(other, { locks: [exclusive("grant", "k")] })
    const locks = [shared("grant", "k"), exclusive("project", "a")]
    const refused = yield* Effect.forkChild(
      Effect.exit(store.transaction({ locks }, (transaction) => transaction.get(Accounts, ["a"])))
    )
    yield* until(waitsInPostgres(connection))
    yield* TestClock.adjust("2 seconds")
    assert.isTrue(Exit.isFailure(yield* Fiber.join(refused)))
    assert.deepStrictEqual(yield* lockWait("grant"), { count: 2, max: 2_000 })
    assert.deepStrictEqual(yield* lockWait("project"), { count: 0, max: 0 })
    assert.deepStrictEqual(yield* givenUp, { LOCK_TIMEOUT: 1 })
    yield* release
  }).pipe(Effect.scoped, withOwnMetrics)
)

const waitsInPostgres = (connection: Parameters<typeof valuesOf>[0]) =>
  Effect.map(
    valuesOf(
      connection,
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
    ),
    (rows) => rows.length > 0
  )

it.effect.each([
  ["after", "COMMITTED", {}],
  ["before", "NOT_COMMITTED", { COMMIT_ABORTED: 1 }]
] as const satisfies ReadonlyArray<readonly [Cut, string, object]>)(
  "A connection cut %s COMMIT is counted by its outcome, %s.",
  ([cut, outcome, repeatedFor]) =>
    Effect.gen(function* () {
      const { proxy, open } = yield* openDatabase
      const store = yield* open()
      let left = 1
      proxy.chooseCut = () => (left-- > 0 ? cut : undefined)
      const inserting = yield* Effect.forkChild(insertAccount(store))
      const hasEnded = Effect.sync(() => inserting.pollUnsafe() !== undefined)
      yield* until(Effect.andThen(TestClock.adjust(100), hasEnded))
      yield* Fiber.join(inserting)
      assert.deepStrictEqual([yield* lostCommits, yield* repeated], [{ [outcome]: 1 }, repeatedFor])
    }).pipe(Effect.scoped, withOwnMetrics)
)

it.effect.each([
  [undefined, false, "UNKNOWN"],
  [{ isProven: true, isRunning: false }, true, "NOT_REPLICATED"],
  [{ isProven: true, isRunning: false }, false, "COMMITTED"]
] as const)(
  "A lost commit with the evidence %j, which needs a standby: %s, is counted as %s.",
  ([evidence, needsStandby, outcome]) =>
    Effect.gen(function* () {
      const connections = {
        useAnother: () => Effect.succeed<CommitEvidence | undefined>(evidence)
      } as unknown as Connections
      const indeterminate = {
        _tag: "Indeterminate",
        transactionId: "1",
        proof: () => ({ sql: "true", parameters: [] }),
        needsStandby
      } as const
      const resolving = yield* Effect.forkChild(resolveOutcome(connections, indeterminate))
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* Fiber.join(resolving), outcome === "COMMITTED" ? "committed" : "unknown")
      assert.deepStrictEqual(yield* lostCommits, { [outcome]: 1 })
    }).pipe(withOwnMetrics)
)

it.effect(
  "An attempt repeated after a lost connection, and one repeated for a raced key, are counted by their cause.",
  () =>
    Effect.gen(function* () {
      const { connection, open } = yield* openDatabase
      const store = yield* open()
      const place = { id: "one", place: "one", answer: "" }
      yield* store.transaction({ locks: [] }, (transaction) => transaction.insert(Replays, place))
      let attempts = 0
      yield* store.transaction({ locks: [] }, (transaction) =>
        Effect.suspend(() => (++attempts === 1 ? transaction.insert(Replays, place) : Effect.void))
      )
      assert.deepStrictEqual(yield* repeated, { RACED_KEY: 1 })
      yield* store.transaction({ locks: [] }, (transaction) =>
        Effect.gen(function* () {
          if (++attempts === 3) yield* valuesOf(connection, endOtherSessions)
          yield* transaction.get(Replays, ["one"])
        })
      )
      assert.deepStrictEqual(yield* repeated, { RACED_KEY: 1, CONNECTION_LOST: 1 })
      assert.deepStrictEqual(yield* givenUp, {})
    }).pipe(Effect.scoped, withOwnMetrics)
)

const endOtherSessions =
  "select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"
