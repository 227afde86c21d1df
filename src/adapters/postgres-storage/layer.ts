/**
 * Storage on Postgres. A transaction queues for its exclusive locks inside this process, then takes a connection, and is
 * attempted until the retry policy is satisfied.
 */
import { Context, Effect, Layer } from "effect"
import type { SchemaRange } from "../../migrations/migration.ts"
import { retryUntilSettled } from "../../ports/storage/transaction-retry.ts"
import { inLockingOrder, outsideTransaction } from "../../ports/storage/lock-discipline.ts"
import { LockQueue } from "../../ports/storage/lock-queue.ts"
import { requiresStandby, Storage, type LockPlan, type LockKey, type Reader } from "../../ports/storage.ts"
import type { AnyTable } from "../../ports/table.ts"
import { Requester } from "../../ports/storage/requester.ts"
import { AfterCommitActions } from "../../ports/storage/after-commit.ts"
import { attempt, type AttemptContext } from "./attempt.ts"
import { makeConnections, type ConnectionOptions } from "./connections.ts"
import type { LockTables } from "./locks.ts"
import { measureQueueWait, StorageMeter } from "./metrics.ts"
import { DatabaseMonitor, makeMonitor } from "./monitor.ts"
import { makeReader } from "./reader.ts"
import { makeReplica, type Replica } from "./replica.ts"
import type { Counts } from "./session.ts"
import { claim, health } from "./single-statements.ts"
import { uniqueConstraints } from "./statements.ts"
import { endView, PostgresTransaction } from "./transaction.ts"

export interface Options {
  readonly connection: ConnectionOptions
  readonly maxConnections?: number
  /** Serves views that permit it, with as many connections of its own. */
  readonly replica?: ConnectionOptions | undefined
  /** Must contain every table that is declared raced. */
  readonly tables: ReadonlyArray<AnyTable>
  readonly lockTables: LockTables
  /** The schemas that this program works with. */
  readonly schema: SchemaRange
  /** The epoch in which this process hashes tokens: a database in another one is not used. Absent in tests of the storage alone. */
  readonly epoch?: string
  /** Commands commit only while the server waits for a synchronous standby. Absent: whatever the server does is enough. */
  readonly requireStandby?: boolean
  /** Called after each attempt with its number of statements and round trips. */
  readonly observe?: (counts: Counts) => void
}

export const layer = (options: Options): Layer.Layer<Storage | DatabaseMonitor> => Layer.effectContext(make(options))

const make = Effect.fnUntraced(function* (options: Options) {
  const { epoch, schema } = options
  const installation = epoch === undefined ? undefined : { epoch, schema }
  const meter = yield* StorageMeter.make
  const maxConnections = options.maxConnections ?? 10
  const observe = options.observe ?? (() => {})
  const connections = yield* makeConnections(options.connection, maxConnections, installation, { meter })
  const replica =
    options.replica === undefined
      ? undefined
      : yield* makeReplica({
          primary: options.connection,
          replica: options.replica,
          maxConnections,
          installation,
          observe
        })
  const queue = new LockQueue(measureQueueWait)
  const requireStandby = options.requireStandby === true
  const context: AttemptContext = {
    connections,
    racedKeys: new Set(options.tables.filter((table) => table.raced).flatMap(uniqueConstraints)),
    observe
  }
  const viewPrimary = <A, E, R>(body: (reader: Reader) => Effect.Effect<A, E, R>) =>
    retryUntilSettled(
      attempt(context, (session) => {
        session.submitControl("begin isolation level repeatable read read only")
        return {
          body: Effect.suspend(() => body(makeReader((read) => session.read(read)))),
          commit: endView(session),
          actions: new AfterCommitActions()
        }
      })
    )
  const viewReplica = <A, E, R>({ view }: Replica, body: (reader: Reader) => Effect.Effect<A, E, R>) =>
    Effect.flatMap(view(body), (exit): Effect.Effect<A, E, R> => exit ?? viewPrimary(body))
  const storage = Storage.of({
    transaction: (plan, body) =>
      outsideTransaction(() => {
        const needsStandby = requireStandby && requiresStandby(plan)
        const { lockTables } = options
        const opening = { lockTables, plan, locks: inLockingOrder(plan.locks), needsStandby, meter }
        const open = attempt(
          context,
          (session) => {
            const transaction = new PostgresTransaction(session, opening)
            const { commit, actions } = transaction
            return { body: Effect.suspend(() => body(transaction)), commit, actions }
          },
          plan.urgent
        )
        return Effect.flatMap(queuedLocks(plan), (locks) => queue.hold(locks, retryUntilSettled(open)))
      }),
    view: (body, options) =>
      outsideTransaction(() =>
        replica !== undefined && options?.replica === true ? viewReplica(replica, body) : viewPrimary(body)
      ),
    claim: (table, due) => outsideTransaction(() => retryUntilSettled(claim(connections, table, due))),
    health: Effect.map(
      outsideTransaction(() => retryUntilSettled(health(connections, schema, requireStandby))),
      (measured) => {
        const replicaProblem = replica?.problem()
        return replicaProblem === undefined ? measured : { ...measured, replicaProblem }
      }
    )
  })
  const monitor = makeMonitor(connections, options.tables, requireStandby)
  return Context.make(Storage, storage).pipe(Context.add(DatabaseMonitor, monitor))
})

/**
 * Shared locks are taken in the database only, and a stop control takes all of its locks there: it waits for the commands that
 * run, not for those that wait here for a project, or that hold its place here and wait for a connection.
 */
const queuedLocks = ({ locks, deferred, urgent }: LockPlan): Effect.Effect<ReadonlyArray<LockKey>> =>
  Effect.map(Requester, ({ isUrgent }) =>
    isUrgent || urgent === true
      ? []
      : inLockingOrder([...locks, ...(deferred ?? [])]).filter(({ mode }) => mode === "exclusive")
  )
