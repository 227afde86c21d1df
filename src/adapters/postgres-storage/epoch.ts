/**
 * A process hashes tokens in the epoch that it read at its start. Each connection that it opens verifies the epoch once,
 * at no cost for commands: the process that begins an epoch first makes sure that no earlier connection is open.
 */
import type { PgConnection } from "@effect/sql-pg"
import { Data, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"

/** Taken exclusively to begin an epoch, and shared, for a moment, to read it. */
export const epochLock = "4087172943165820774"

/** The database is in another epoch than this process, for as long as the process runs; `message` is a sentence. */
export class AnotherEpoch extends Data.TaggedError("AnotherEpoch")<{ readonly message: string }> {}

/** The epoch could not be read over this connection; another connection may read it. */
export class EpochUnread extends Data.TaggedError("EpochUnread")<{ readonly message: string }> {}

/** Refuses a new connection where the database is not in the epoch of this process. */
export const requireEpoch = (
  connection: PgConnection.PgConnection,
  epoch: string
): Effect.Effect<void, AnotherEpoch | EpochUnread> => {
  // The lock is a statement of its own: what is read after it is what was committed before it.
  const locked = connection.query(`select pg_advisory_xact_lock_shared(${epochLock})`, [], false)
  const read = connection.queryValues("select epoch from countersign_installation")
  return Effect.all([locked, read], { concurrency: "unbounded" }).pipe(
    Effect.mapError(
      (error) => new EpochUnread({ message: `the epoch of the installation cannot be read: ${told(error)}` })
    ),
    Effect.flatMap(([, rows]) => (rows[0]?.[0] === epoch ? Effect.void : new AnotherEpoch({ message: startAgain })))
  )
}

const told = ({ reason: { cause }, message }: SqlError): string => (cause instanceof Error ? cause.message : message)

const startAgain = "credentials were ended after a restore since this process started: start it again"
