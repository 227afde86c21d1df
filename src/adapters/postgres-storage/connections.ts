/**
 * The pool. A checked-out connection belongs to one transaction and still pipelines the statements sent on it together:
 * the driver does that for shared connections only, so each is shared by exactly one.
 *
 * A pooler in front of Postgres must keep a session for a transaction's whole life and pass start-up parameters on;
 * pgbouncer in transaction mode refuses them at the first connection.
 */
import { PgPool, type PgConnection } from "@effect/sql-pg"
import { Duration, Effect, type Redacted, type Scope } from "effect"
import { noConnection, type FailedAttempt } from "../../ports/attempts.ts"
import { Turns } from "../../ports/turns.ts"
import { epochProblem } from "./epoch.ts"

/** Where Postgres is: a URL, or a socket path with its credentials. */
export interface ConnectionOptions {
  readonly url?: Redacted.Redacted
  readonly host?: string
  readonly port?: number
  readonly path?: string
  readonly username?: string
  readonly password?: Redacted.Redacted
  readonly database?: string
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

const waitMax = Duration.seconds(5)

// The longest a session may hold others up, whatever becomes of the process that opened it.
const sessionSettings = {
  idle_in_transaction_session_timeout: "5s",
  statement_timeout: "5s",
  lock_timeout: "2s",
  timezone: "UTC"
}

export const makeConnections = Effect.fnUntraced(function* (
  options: ConnectionOptions,
  maxConnections: number,
  epoch?: string
): Effect.fn.Return<Connections, never, Scope.Scope> {
  // Opens nothing yet: a server that is down keeps requests from being served, not the process from starting.
  const pool = yield* Effect.orDie(
    PgPool.make({
      ...options,
      maxConnections,
      multiplex: true,
      multiplexConcurrency: 1,
      preparedStatementCacheSize: 500,
      applicationName: "countersign",
      connectTimeout: waitMax,
      startupParameters: sessionSettings
    })
  )
  const turns = new Turns(maxConnections, waitMax)
  const known = new WeakSet<PgConnection.PgConnection>()

  const refusedOr = <A, R>(
    problem: string | undefined,
    connection: PgConnection.PgConnection,
    work: (connection: PgConnection.PgConnection) => Effect.Effect<A, never, R>
  ): Effect.Effect<A | FailedAttempt, never, R> => {
    if (problem !== undefined) return Effect.as(pool.invalidate(connection), failed(problem))
    known.add(connection)
    return work(connection)
  }

  const useAnother: Connections["useAnother"] = (work) =>
    Effect.catch(
      pool.use((connection) =>
        Effect.uninterruptible(
          Effect.suspend(() => {
            if (known.has(connection)) return work(connection)
            lowerDeadlockTimeout(connection)
            return Effect.flatMap(epochProblem(connection, epoch), (problem) => refusedOr(problem, connection, work))
          })
        )
      ),
      (error) => Effect.succeed(failed(error.message))
    )

  return {
    use: (work, isUrgent) => turns.take(useAnother(work), failed("every connection was busy for too long"), isUrgent),
    useAnother,
    discard: (connection) => pool.invalidate(connection)
  }
})

const failed = (reason: string): FailedAttempt => ({
  _tag: "Failed",
  failure: { code: noConnection, reason, raced: false }
})

/** Only a superuser, or who was granted it, may set this one; elsewhere the server's own stays. Nothing waits for it. */
const lowerDeadlockTimeout = (connection: PgConnection.PgConnection): void => {
  Effect.runFork(
    Effect.ignore(
      connection.query(
        "select set_config('deadlock_timeout', '100ms', false)" +
          " where has_parameter_privilege('deadlock_timeout', 'SET')",
        [],
        false
      )
    )
  )
}
