/**
 * A process hashes tokens in the epoch that it read at its start. Each connection that it opens verifies the epoch once,
 * at no cost for commands: before an epoch begins, no earlier connection is open.
 */
import type { PgConnection } from "@effect/sql-pg"
import { Data, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"

/** Locked exclusively to begin an epoch, and shared, briefly, to read it. */
export const epochLock = "4087172943165820774"

/** The database is in another epoch than this process, permanently; `message` is a sentence. */
export class EpochMismatch extends Data.TaggedError("EpochMismatch")<{ readonly message: string }> {}

/** The epoch could not be read over this connection; another connection may succeed. */
export class EpochReadError extends Data.TaggedError("EpochReadError")<{ readonly message: string }> {}

/** Fails on a new connection where the database is not in the epoch of this process. */
export const requireEpoch = (
  connection: PgConnection.PgConnection,
  epoch: string
): Effect.Effect<void, EpochMismatch | EpochReadError> => {
  // The lock is a separate statement, so that the read after it has a snapshot taken after the lock.
  const locked = connection.query(`select pg_advisory_xact_lock_shared(${epochLock})`, [], false)
  const read = connection.queryValues("select epoch from countersign_installation")
  return Effect.all([locked, read], { concurrency: "unbounded" }).pipe(
    Effect.mapError(
      (error) => new EpochReadError({ message: `the epoch of the installation cannot be read: ${messageOf(error)}` })
    ),
    Effect.flatMap(([, rows]) =>
      rows[0]?.[0] === epoch ? Effect.void : new EpochMismatch({ message: restartMessage })
    )
  )
}

const messageOf = ({ reason: { cause }, message }: SqlError): string =>
  cause instanceof Error ? cause.message : message

const restartMessage = "credentials were ended after a restore since this process started: start it again"
