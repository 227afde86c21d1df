/**
 * The connection pool. A connection belongs to one transaction at a time and still pipelines the statements sent on it
 * together: the driver pipelines shared connections only, so each is shared by exactly one transaction.
 */
import type { Duplex } from "node:stream"
import type { PgConnection } from "@effect/sql-pg"
import { Duration, Effect, Exit, Pool, type Redacted, type Scope } from "effect"
import {
  noConnection,
  readOnlyTransaction,
  type Attempt,
  type FailedAttempt
} from "../../ports/storage/transaction-retry.ts"
import { BoundedConcurrency } from "../../ports/storage/bounded-concurrency.ts"
import { limits } from "../../vocabulary/limits.ts"
import type { DatabaseRole } from "../database-address.ts"
import { DatabaseHosts, type NoHostAvailable } from "../database-hosts.ts"
import type { OpenConnection, SessionOptions } from "../postgres-connection.ts"
import { SchemaMismatch } from "../schema-registration.ts"
import type { StorageMeter } from "./metrics.ts"
import { EpochMismatch, requireCurrent, type ConnectionRefused, type Installation } from "./epoch.ts"

/** The address of Postgres: a URL, or a socket path with its credentials. */
export interface ConnectionOptions {
  readonly url?: Redacted.Redacted
  readonly host?: string
  readonly port?: number
  readonly path?: string
  readonly username?: string
  readonly password?: Redacted.Redacted
  readonly database?: string
  /** Replaces the socket that this process would open. */
  readonly stream?: () => Duplex
}

export interface Connections {
  /** Runs `work` with an exclusive connection; waiting for one can be interrupted or fail, `work` cannot. */
  use<A, R>(
    work: (connection: PgConnection.PgConnection) => Effect.Effect<A, never, R>,
    isUrgent?: boolean
  ): Effect.Effect<A | FailedAttempt, never, R>
  /** The same for a caller that already holds a connection; not queued. */
  useAnother<A, R>(
    work: (connection: PgConnection.PgConnection) => Effect.Effect<A, never, R>
  ): Effect.Effect<A | FailedAttempt, never, R>
  /** The connection is closed when it is returned to the pool. */
  discard(connection: PgConnection.PgConnection): Effect.Effect<void>
}

interface PoolOptions {
  readonly role?: DatabaseRole
  /** Shows the use of this pool: that of the primary, since a process has one metric of each name. */
  readonly meter?: StorageMeter
}

/** The reason of a wait for a connection that ended without one. */
export const tooBusyReason = "every connection was busy for too long"

const waitMax = Duration.millis(limits.databaseConnect)
const idleMax = Duration.minutes(1)

// The longest that a session may block others, whatever happens to the process that opened it.
const session: SessionOptions = {
  applicationName: "countersign",
  settings: {
    idle_in_transaction_session_timeout: "5s",
    statement_timeout: `${limits.databaseStatement / 1000}s`,
    lock_timeout: "2s",
    TimeZone: "UTC"
  },
  privilegedSettings: { deadlock_timeout: "100ms" },
  durableCommits: true,
  multiplex: true
}

export const makeConnections = Effect.fnUntraced(function* (
  options: ConnectionOptions,
  maxConnections: number,
  installation?: Installation,
  { role, meter }: PoolOptions = {}
): Effect.fn.Return<Connections, never, Scope.Scope> {
  const hosts = yield* Effect.orDie(Effect.fromResult(DatabaseHosts.of(options, role)))
  const openCurrent = makeOpenCurrent(installation)
  const usage = { inUse: 0, open: 0, waiting: 0 }
  if (meter !== undefined) yield* meter.showPool(usage)
  // Opens no connection yet: while a server is down requests fail, but the process starts.
  const pool: Pool.Pool<OpenConnection, NoHostAvailable | ConnectionRefused> = yield* Pool.makeWithTTL({
    acquire: Effect.tap(openCurrent(hosts), (open) =>
      Effect.sync(() => {
        usage.open += 1
        open.onClose(() => {
          usage.open -= 1
          Effect.runFork(Pool.invalidate(pool, open))
        })
      })
    ),
    min: 0,
    max: maxConnections,
    timeToLive: idleMax,
    timeToLiveStrategy: "usage"
  })
  const turns = new BoundedConcurrency(maxConnections, waitMax, Math.ceil(maxConnections * limits.connectionShare))
  const opened = new WeakMap<PgConnection.PgConnection, OpenConnection>()

  const useAnother: Connections["useAnother"] = (work) =>
    Effect.catch(
      Pool.use(pool, (open) =>
        Effect.uninterruptible(
          Effect.suspend(() => {
            opened.set(open.connection, open)
            usage.inUse += 1
            return Effect.onExit(open.answered(work(open.connection)), () => {
              usage.inUse -= 1
              return open.isClosed() ? Pool.invalidate(pool, open) : Effect.void
            })
          })
        )
      ),
      (error) => Effect.succeed(failed(error.message))
    )

  const use: Connections["use"] = (work, isUrgent) => turns.run(useAnother(work), tooBusy, isUrgent)
  return {
    use: meter === undefined ? use : measureWaits(meter, usage, use),
    useAnother,
    discard: (connection) => {
      const open = opened.get(connection)
      return open === undefined ? Effect.void : Pool.invalidate(pool, open)
    }
  }
})

/** Measures each wait of `use` until its work begins, or until it ends without. */
const measureWaits =
  (meter: StorageMeter, usage: { waiting: number }, use: Connections["use"]): Connections["use"] =>
  (work, isUrgent) =>
    Effect.suspend(() => {
      const began = meter.milliseconds
      let isWaiting = true
      usage.waiting += 1
      const endWait = () => {
        if (!isWaiting) return
        isWaiting = false
        usage.waiting -= 1
        meter.addPoolWait(began)
      }
      const measured = use((connection) => {
        endWait()
        return work(connection)
      }, isUrgent)
      return Effect.onExit(measured, (exit) => {
        endWait()
        if (Exit.isSuccess(exit) && exit.value === tooBusy) meter.countPoolTimeout()
        return Effect.void
      })
    })

/** A demoted server keeps its connections: once this one is discarded, the next asks each host whether it takes writes. */
export const discardReadOnly =
  (connections: Connections, connection: PgConnection.PgConnection) =>
  (attempt: Attempt<unknown, unknown>): Effect.Effect<void> =>
    attempt._tag === "Failed" && attempt.failure.code === readOnlyTransaction
      ? connections.discard(connection)
      : Effect.void

/** Opens connections of one epoch. Once the database is found in another one, or contracted, none is opened any more. */
const makeOpenCurrent = (installation: Installation | undefined) => {
  let mismatch: EpochMismatch | SchemaMismatch | undefined
  return Effect.fnUntraced(function* (hosts: DatabaseHosts) {
    if (mismatch !== undefined) return yield* mismatch
    const open = yield* hosts.open(session)
    if (installation === undefined) return open
    yield* Effect.tapError(open.answered(requireCurrent(open.connection, installation)), (error) =>
      Effect.sync(() => {
        const isPermanent = error instanceof EpochMismatch || error instanceof SchemaMismatch
        // A standby may lag behind the epoch that this process read from the primary.
        if (isPermanent && open.refusesWrites === undefined) mismatch = error
      })
    )
    return open
  })
}

const failed = (reason: string): FailedAttempt => ({
  _tag: "Failed",
  failure: { code: noConnection, reason, raced: false }
})

const tooBusy = failed(tooBusyReason)
