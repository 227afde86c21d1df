/**
 * A process hashes tokens in the epoch that it read at its start. Each connection that it opens asks once whether that
 * is still the epoch of the database, so that no command pays for the question: a process that begins an epoch makes
 * sure that no connection opened before is left.
 */
import type { PgConnection } from "@effect/sql-pg"
import { Effect } from "effect"

/** Taken exclusively to begin an epoch, and shared, for a moment, to read it. */
export const epochLock = "4087172943165820774"

/** Why a new connection cannot be used by a process of that epoch; undefined where it can. */
export const epochProblem = (
  connection: PgConnection.PgConnection,
  epoch: string | undefined
): Effect.Effect<string | undefined> => {
  if (epoch === undefined) return Effect.undefined
  // The lock is a statement of its own: what is read after it is what was committed before it.
  const locked = connection.query(`select pg_advisory_xact_lock_shared(${epochLock})`, [], false)
  const read = connection.queryValues("select epoch from countersign_installation")
  return Effect.all([locked, read], { concurrency: "unbounded" }).pipe(
    Effect.map(([, rows]) => (rows[0]?.[0] === epoch ? undefined : anotherEpoch)),
    Effect.catch((error) => Effect.succeed(error.message))
  )
}

const anotherEpoch = "credentials were ended after a restore since this process started: start it again"
