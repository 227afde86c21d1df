/**
 * A process hashes tokens in the epoch that it read at its start. Each connection that it opens verifies the epoch once,
 * at no cost for commands: the process that begins an epoch first makes sure that no earlier connection is open.
 */
import type { PgConnection } from "@effect/sql-pg"
import { Data, Effect } from "effect"

/** Taken exclusively to begin an epoch, and shared, for a moment, to read it. */
export const epochLock = "4087172943165820774"

/** Why a new connection serves nothing; as `message`, a sentence. */
export class AnotherEpoch extends Data.TaggedError("AnotherEpoch")<{ readonly message: string }> {}

/** Refuses a new connection to a process of an earlier epoch. */
export const requireEpoch = (
  connection: PgConnection.PgConnection,
  epoch: string
): Effect.Effect<void, AnotherEpoch> => {
  // The lock is a statement of its own: what is read after it is what was committed before it.
  const locked = connection.query(`select pg_advisory_xact_lock_shared(${epochLock})`, [], false)
  const read = connection.queryValues("select epoch from countersign_installation")
  return Effect.all([locked, read], { concurrency: "unbounded" }).pipe(
    Effect.mapError(({ message }) => new AnotherEpoch({ message })),
    Effect.flatMap(([, rows]) => (rows[0]?.[0] === epoch ? Effect.void : new AnotherEpoch({ message: startAgain })))
  )
}

const startAgain = "credentials were ended after a restore since this process started: start it again"
