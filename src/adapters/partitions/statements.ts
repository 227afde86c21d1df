/** The statements of one session that changes partitions: it waits for a lock for less time than the service does. */
import { Effect, type Scope } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { limits } from "../../vocabulary/limits.ts"
import { type DatabaseNotUsable, openAtStart } from "../database-start.ts"
import { lockTimeout, untilUnblocked } from "../migration-steps.ts"
import type { SessionOptions } from "../postgres-connection.ts"
import type { ConnectionOptions } from "../postgres-storage/connections.ts"

export interface Statements {
  readonly rows: (sql: string) => Effect.Effect<ReadonlyArray<ReadonlyArray<unknown>>, SqlError>
  readonly run: (sql: string) => Effect.Effect<void, SqlError>
  /** In one transaction, which is tried again as long as another session holds its locks. */
  readonly together: (statements: ReadonlyArray<string>) => Effect.Effect<void, SqlError>
}

export const openStatements = (
  connection: ConnectionOptions
): Effect.Effect<Statements, DatabaseNotUsable, Scope.Scope> =>
  Effect.map(openAtStart(connection, session, limits.databaseStart), ({ connection }) => {
    const run = (sql: string) => Effect.asVoid(connection.query(sql, [], false))
    return {
      rows: (sql) => connection.queryValues(sql, [], false),
      run,
      together: (statements) =>
        untilUnblocked(
          Effect.forEach(["begin", ...statements, "commit"], run, { discard: true }).pipe(
            Effect.tapError(() => Effect.ignore(run("rollback")))
          )
        )
    }
  })

// No deadline for answers: rows are copied in one statement.
const session: SessionOptions = {
  applicationName: "countersign partitions",
  settings: {
    lock_timeout: lockTimeout,
    statement_timeout: "0",
    idle_in_transaction_session_timeout: "1min",
    // Bounds of partitions are read as text.
    DateStyle: "ISO, MDY",
    TimeZone: "UTC"
  },
  multiplex: false
}

/** Of a partition, for another one of its table. */
export const storageOptions = (statements: Statements, table: string): Effect.Effect<string, SqlError> =>
  Effect.map(
    statements.rows(`select array_to_string(reloptions, ', ') from pg_class where oid = '${table}'::regclass`),
    ([row]) => (row?.[0] == null ? "" : ` with (${String(row[0])})`)
  )

/** A partition gets the foreign keys of its table, for which the tables that they reference are locked. */
export const lockReferenced = (
  { rows }: Statements,
  table: string,
  mode: "share row exclusive" | "access exclusive" = "share row exclusive"
): Effect.Effect<ReadonlyArray<string>, SqlError> =>
  Effect.map(
    rows(
      `select distinct confrelid::regclass::text from pg_constraint where conrelid = '${table}'::regclass and contype = 'f'`
    ),
    (found) => found.map(([name]) => `lock table ${String(name)} in ${mode} mode`)
  )

/** Of several processes one changes partitions; the others do something else instead. */
export const whileAlone = <A, E>(
  { rows, run }: Statements,
  work: Effect.Effect<A, E>,
  otherwise: Effect.Effect<A, E>
): Effect.Effect<A, E | SqlError> =>
  Effect.flatMap(rows(`select pg_try_advisory_lock(${lockKey})`), ([row]): Effect.Effect<A, E> =>
    row?.[0] === true ? Effect.ensuring(work, Effect.ignore(run(`select pg_advisory_unlock(${lockKey})`))) : otherwise
  )

// The same for all installations; advisory locks are per database.
const lockKey = "7310287445082937461"
