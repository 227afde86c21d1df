/** One process at a time migrates a database; the others wait, report which session holds the lock, and time out. */
import type { PgConnection } from "@effect/sql-pg"
import { Clock, Console, Effect, type Scope } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { limits } from "../vocabulary/limits.ts"
import type { OpenConnection } from "./postgres-connection.ts"

/** The lock was not granted in time; `holder` names the session that held it. */
export interface MigrationLockTimeout {
  readonly _tag: "MigrationLockTimeout"
  readonly holder: string
}

/** Held until the scope closes; released by a statement, since a pooler may keep the session when this process ends. */
export const holdMigrationLock = Effect.fnUntraced(function* (
  { connection, answered }: OpenConnection,
  waitMilliseconds: number
): Effect.fn.Return<void, SqlError | MigrationLockTimeout, Scope.Scope> {
  const began = yield* Clock.currentTimeMillis
  for (let refusals = 0; !(yield* answered(tryLock(connection))); refusals++) {
    const holder = yield* answered(holderOf(connection))
    // Processes that start together wait briefly for each other: that is not reported.
    if (refusals === 1) yield* Console.error(`countersign: waiting for the migration lock, held by ${holder}`)
    if ((yield* Clock.currentTimeMillis) - began >= waitMilliseconds) {
      return yield* Effect.fail({ _tag: "MigrationLockTimeout", holder } as const)
    }
    yield* Effect.sleep(limits.databasePoll)
  }
  const release = answered(connection.query(`select pg_advisory_unlock(${lockKey})`, [], false))
  yield* Effect.addFinalizer(() => Effect.ignore(release))
})

// The same for all installations; advisory locks are per database.
const lockKey = "7310287445082937460"

const tryLock = (connection: PgConnection.PgConnection): Effect.Effect<boolean, SqlError> =>
  Effect.map(
    connection.queryValues(`select pg_try_advisory_lock(${lockKey})`, [], false),
    (rows) => rows[0]?.[0] === true
  )

/** The name and the address are hidden from a role that may not see other roles' sessions. */
const holderOf = (connection: PgConnection.PgConnection): Effect.Effect<string, SqlError> =>
  Effect.map(connection.queryValues(holders, [], false), (rows) => {
    const [row] = rows
    if (row === undefined) return "a session that has just ended"
    const [process, application, address, since] = row.map((value) => (value === null ? undefined : String(value)))
    const details = [
      application === undefined || application === "" ? "name not visible" : application,
      address === undefined ? "on the database's machine" : `from ${address}`,
      since === undefined ? "" : `connected since ${since}`
    ]
    return `server process ${process} (${details.filter((part) => part !== "").join(", ")})`
  })

const holders =
  "select pid, application_name, host(client_addr)," +
  ` to_char(backend_start at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')` +
  " from pg_locks left join pg_stat_activity using (pid)" +
  " where locktype = 'advisory' and granted and objsubid = 1" +
  " and database = (select oid from pg_database where datname = current_database())" +
  ` and (classid::bigint << 32 | objid::bigint) = ${lockKey} limit 1`
