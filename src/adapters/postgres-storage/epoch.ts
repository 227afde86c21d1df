/**
 * A process hashes tokens in the epoch that it read at its start. Each connection that it opens verifies the epoch once,
 * and registers its schema number, at no cost for commands: before an epoch begins, no earlier connection is open.
 */
import type { PgConnection } from "@effect/sql-pg"
import { Data, Effect } from "effect"
import type { SchemaRange } from "../../migrations/migration.ts"
import {
  registration,
  requireFit,
  unknownContract,
  type ContractRunning,
  type SchemaMismatch
} from "../schema-registration.ts"
import { sqlMessage } from "../sql-message.ts"

/** Locked exclusively to begin an epoch, and shared, briefly, to read it. */
export const epochLock = "4087172943165820774"

/** The database is in another epoch than this process, permanently; `message` is a sentence. */
export class EpochMismatch extends Data.TaggedError("EpochMismatch")<{ readonly message: string }> {}

/** The epoch could not be read over this connection; another connection may succeed. */
export class EpochReadError extends Data.TaggedError("EpochReadError")<{ readonly message: string }> {}

/** What a process expects of its database. */
export interface Installation {
  readonly epoch: string
  readonly schema: SchemaRange
}

export type ConnectionRefused = EpochMismatch | EpochReadError | SchemaMismatch | ContractRunning

/** Fails on a new connection where the database is not in the epoch of this process, or left its schemas behind. */
export const requireCurrent = Effect.fnUntraced(function* (
  connection: PgConnection.PgConnection,
  { epoch, schema }: Installation
): Effect.fn.Return<void, ConnectionRefused> {
  // The locks are separate statements, so that the read after them has a snapshot taken after the locks.
  const statements = [
    connection.queryValues(registration(schema), [], false),
    connection.queryValues(`select pg_advisory_xact_lock_shared(${epochLock})`, [], false),
    connection.queryValues(`select epoch, ${unknownContract(schema)} from countersign_installation`)
  ] as const
  const [[registered], , [installation]] = yield* Effect.mapError(
    Effect.all(statements, { concurrency: "unbounded" }),
    (error) => new EpochReadError({ message: `the epoch of the installation cannot be read: ${sqlMessage(error)}` })
  )
  yield* requireFit(registered?.[0], installation?.[1] ?? null)
  if (installation?.[0] !== epoch) return yield* new EpochMismatch({ message: restartMessage })
})

const restartMessage = "credentials were ended after a restore since this process started: start it again"
