/**
 * Storage on Postgres. A transaction queues for its exclusive locks inside this process, then takes a connection, and is
 * attempted until the retry policy is satisfied.
 */
import { Context, Effect, Layer } from "effect"
import type { SchemaRange } from "../../migrations/migration.ts"
import { retryUntilSettled } from "../../ports/storage/transaction-retry.ts"
import { inLockingOrder, outsideTransaction } from "../../ports/storage/lock-discipline.ts"
import { LockQueue } from "../../ports/storage/lock-queue.ts"
import { requiresStandby, Storage, type LockPlan, type LockKey } from "../../ports/storage.ts"
import type { AnyTable } from "../../ports/table.ts"
import { AfterCommitActions } from "../../ports/storage/after-commit.ts"
import { attempt, type AttemptContext } from "./attempt.ts"
import { makeConnections, type ConnectionOptions } from "./connections.ts"
import type { LockTables } from "./locks.ts"
import { measureQueueWait, StorageMeter } from "./metrics.ts"
import { DatabaseMonitor, makeMonitor } from "./monitor.ts"
import { makeReader } from "./reader.ts"
import type { Counts, Session } from "./session.ts"
import { claim, health } from "./single-statements.ts"
import { uniqueConstraints } from "./statements.ts"
import { PostgresTransaction, type CommitResult } from "./transaction.ts"

export interface Options {
  readonly connection: ConnectionOptions
  readonly maxConnections?: number
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
  const connections = yield* makeConnections(options.connection, options.maxConnections ?? 10, installation)
  const queue = new LockQueue(measureQueueWait)
  const requireStandby = options.requireStandby === true
  const context: AttemptContext = {
    connections,
    racedKeys: new Set(options.tables.filter((table) => table.raced).flatMap(uniqueConstraints)),
    observe: options.observe ?? (() => {})
  }
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
        return queue.hold(queuedLocks(plan), retryUntilSettled(open), plan.urgent)
      }),
    view: (body) =>
      outsideTransaction(() =>
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
      ),
    claim: (table, due) => outsideTransaction(() => retryUntilSettled(claim(connections, table, due))),
    health: outsideTransaction(() => retryUntilSettled(health(connections, schema, requireStandby)))
  })
  const monitor = makeMonitor(connections, options.tables, requireStandby)
  return Context.make(Storage, storage).pipe(Context.add(DatabaseMonitor, monitor))
})

/**
 * Shared locks are taken in the database only: a revocation waits for the commands that run, not for those that are still
 * queued here for a project.
 */
const queuedLocks = ({ locks, deferred }: LockPlan): ReadonlyArray<LockKey> =>
  inLockingOrder([...locks, ...(deferred ?? [])]).filter(({ mode }) => mode === "exclusive")

/** A view has nothing to commit, so its COMMIT is not awaited. */
const endView = (session: Session): Effect.Effect<CommitResult> =>
  Effect.sync(() => {
    session.submitLast("commit")
    return { _tag: "Committed" }
  })
