/**
 * The pool. A checked-out connection belongs to one transaction and still pipelines the statements sent on it together:
 * the driver does that for shared connections only, so each is shared by exactly one.
 */
import type { Duplex } from "node:stream"
import type { PgConnection } from "@effect/sql-pg"
import { Duration, Effect, Pool, type Redacted, type Scope } from "effect"
import { noConnection, takesNoWrites, type Attempt, type FailedAttempt } from "../../ports/attempts.ts"
import { Turns } from "../../ports/turns.ts"
import { limits } from "../../vocabulary/limits.ts"
import { DatabaseHosts, type NoHostServes } from "../database-hosts.ts"
import type { OpenConnection, SessionOptions } from "../postgres-connection.ts"
import { AnotherEpoch, type EpochUnread, requireEpoch } from "./epoch.ts"

/** Where Postgres is: a URL, or a socket path with its credentials. */
export interface ConnectionOptions {
  readonly url?: Redacted.Redacted
  readonly host?: string
  readonly port?: number
  readonly path?: string
  readonly username?: string
  readonly password?: Redacted.Redacted
  readonly database?: string
  /** In the place of a socket of our own. */
  readonly stream?: () => Duplex
}

export interface Connections {
  /** Runs `work` with a connection of its own; waiting for one can be interrupted or fail, `work` cannot. */
  use<A, R>(
    work: (connection: PgConnection.PgConnection) => Effect.Effect<A, never, R>,
    isUrgent?: boolean
  ): Effect.Effect<A | FailedAttempt, never, R>
  /** The same beside a connection that the caller holds already, and out of turn. */
  useAnother<A, R>(
    work: (connection: PgConnection.PgConnection) => Effect.Effect<A, never, R>
  ): Effect.Effect<A | FailedAttempt, never, R>
  /** The connection is closed when it is given back. */
  discard(connection: PgConnection.PgConnection): Effect.Effect<void>
}

const waitMax = Duration.millis(limits.databaseConnect)
const idleMax = Duration.minutes(1)

// The longest a session may hold others up, whatever becomes of the process that opened it.
const session: SessionOptions = {
  applicationName: "countersign",
  settings: {
    idle_in_transaction_session_timeout: "5s",
    statement_timeout: `${limits.databaseStatement / 1000}s`,
    lock_timeout: "2s",
    TimeZone: "UTC"
  },
  privilegedSettings: { deadlock_timeout: "100ms" },
  multiplex: true
}

export const makeConnections = Effect.fnUntraced(function* (
  options: ConnectionOptions,
  maxConnections: number,
  epoch?: string
): Effect.fn.Return<Connections, never, Scope.Scope> {
  const hosts = yield* Effect.orDie(Effect.fromResult(DatabaseHosts.of(options)))
  const openInEpoch = makeOpenInEpoch(epoch)
  // Opens nothing yet: a server that is down keeps requests from being served, not the process from starting.
  const pool: Pool.Pool<OpenConnection, NoHostServes | AnotherEpoch | EpochUnread> = yield* Pool.makeWithTTL({
    acquire: Effect.tap(openInEpoch(hosts), (open) =>
      Effect.sync(() => open.onClose(() => Effect.runFork(Pool.invalidate(pool, open))))
    ),
    min: 0,
    max: maxConnections,
    timeToLive: idleMax,
    timeToLiveStrategy: "usage"
  })
  const turns = new Turns(maxConnections, waitMax)
  const opened = new WeakMap<PgConnection.PgConnection, OpenConnection>()

  const useAnother: Connections["useAnother"] = (work) =>
    Effect.catch(
      Pool.use(pool, (open) =>
        Effect.uninterruptible(
          Effect.suspend(() => {
            opened.set(open.connection, open)
            return Effect.onExit(open.answered(work(open.connection)), () =>
              open.isClosed() ? Pool.invalidate(pool, open) : Effect.void
            )
          })
        )
      ),
      (error) => Effect.succeed(failed(error.message))
    )

  return {
    use: (work, isUrgent) => turns.take(useAnother(work), failed("every connection was busy for too long"), isUrgent),
    useAnother,
    discard: (connection) => {
      const open = opened.get(connection)
      return open === undefined ? Effect.void : Pool.invalidate(pool, open)
    }
  }
})

/** A server that was demoted keeps its connections: without this one, the next asks the hosts which takes writes. */
export const discardReadOnly =
  (connections: Connections, connection: PgConnection.PgConnection) =>
  (attempt: Attempt<unknown, unknown>): Effect.Effect<void> =>
    attempt._tag === "Failed" && attempt.failure.code === takesNoWrites ? connections.discard(connection) : Effect.void

/** Opens connections of one epoch. Once the database is found in another one, nothing is opened any more. */
const makeOpenInEpoch = (epoch: string | undefined) => {
  let mismatch: AnotherEpoch | undefined
  return Effect.fnUntraced(function* (hosts: DatabaseHosts) {
    if (mismatch !== undefined) return yield* mismatch
    const open = yield* hosts.open(session)
    if (epoch === undefined) return open
    yield* Effect.tapError(open.answered(requireEpoch(open.connection, epoch)), (error) =>
      Effect.sync(() => {
        // A standby may lag behind the epoch that this process read of the primary.
        if (error instanceof AnotherEpoch && open.refusesWrites === undefined) mismatch = error
      })
    )
    return open
  })
}

const failed = (reason: string): FailedAttempt => ({
  _tag: "Failed",
  failure: { code: noConnection, reason, raced: false }
})
