/**
 * Each session that reads the tables holds a shared lock of its program's schema number for as long as it lives, and
 * reads after that whether the schema is still one that the program works with. A contract holds the locks of all older
 * numbers exclusively until it is recorded: no older session exists while it runs, and none begins after it.
 */
import type { PgConnection } from "@effect/sql-pg"
import { Data, Effect, Schedule, type Scope } from "effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import type { SchemaRange } from "../migrations/migration.ts"
import { limits } from "../vocabulary/limits.ts"
import type { OpenConnection } from "./postgres-connection.ts"

/** A contract took away what this program uses, permanently; `message` is a sentence. */
export class SchemaMismatch extends Data.TaggedError("SchemaMismatch")<{ readonly message: string }> {}

/** A contract runs, whose outcome is not known yet. */
export class ContractRunning extends Data.TaggedError("ContractRunning")<{ readonly message: string }> {}

/** Older sessions exist; `holders` names them. */
export interface OlderSessions {
  readonly _tag: "OlderSessions"
  readonly holders: string
}

// The first of two keys, the same for all installations; the second is the schema number. Advisory locks are per database.
const lockClass = 1_128_485_454

/** Answers true, except while a contract of a newer program runs. */
export const registration = ({ newest }: SchemaRange): string =>
  `select pg_try_advisory_lock_shared(${lockClass}, ${newest})`

/** An expression: the number and name of a contract that this program does not know, or null. */
export const unknownContract = ({ newest }: SchemaRange): string =>
  `(select id || ' (' || name || ')' from ${migrationRecords} where id > ${newest} and kind = 'contract' order by id limit 1)`

/** The migrations of a database, also of one that was last migrated by a program without kinds and steps. */
export const migrationRecords =
  "(select id, name, checksum, coalesce(to_jsonb(m) ->> 'kind', 'expand') as kind," +
  " coalesce((to_jsonb(m) ->> 'steps_left')::integer, 0) as steps_left from countersign_migrations m) as records"

/** Fails where the answers to the two statements above do not permit the use of this database. */
export const requireFit = (
  isRegistered: unknown,
  contract: unknown
): Effect.Effect<void, SchemaMismatch | ContractRunning> => {
  if (isRegistered !== true) return new ContractRunning({ message: contractRunning })
  return contract === null ? Effect.void : new SchemaMismatch({ message: contractUnknown(String(contract)) })
}

export const contractUnknown = (contract: string): string =>
  `migration ${contract} took away what this version uses: start the version that knows the migration`

const contractRunning = "a contract migration runs, which takes away what this version uses: start the newer version"

/** Registers a session that is used alone. */
export const register = Effect.fnUntraced(function* (connection: PgConnection.PgConnection, schema: SchemaRange) {
  const [registered] = yield* connection.queryValues(registration(schema), [], false)
  const [contract] = yield* connection.queryValues(`select ${unknownContract(schema)}`, [], false)
  yield* requireFit(registered![0], contract![0])
})

/** Until the scope closes, no session of a program that knows only migrations before this one can exist. */
export const excludeOlder = (
  open: OpenConnection,
  migration: number
): Effect.Effect<void, SqlError | OlderSessions, Scope.Scope> => {
  const query = (sql: string) => open.answered(open.connection.queryValues(sql, [], false))
  const numbers = `generate_series(0, ${migration - 1}) as number`
  // By a statement, since a pooler may keep the session when this process ends.
  const release = Effect.ignore(query(`select pg_advisory_unlock(${lockClass}, number) from ${numbers}`))
  const attempt = Effect.gen(function* () {
    const locks = yield* query(`select number, pg_try_advisory_lock(${lockClass}, number) from ${numbers}`)
    const older = yield* query(sessionsBefore(migration))
    // Another session may follow one that has ended since it held its lock.
    const ended = locks.filter(([, isHeld]) => isHeld !== true).map(([number]) => `a session of schema ${number}`)
    const holders = older.length > 0 ? listOf(older) : ended.join(", ")
    if (holders !== "") return yield* Effect.fail({ _tag: "OlderSessions", holders } as const)
  })
  return Effect.andThen(
    Effect.addFinalizer(() => release),
    Effect.retry(
      Effect.tapError(attempt, () => release),
      {
        while: (error) => !isSqlError(error),
        schedule: Schedule.spaced(limits.databasePoll),
        times: limits.contractWait / limits.databasePoll
      }
    )
  )
}

/** Also the sessions of a version that does not register, by the name of its pool. */
const sessionsBefore = (migration: number): string =>
  "with registered as (select pid, objid::bigint as number from pg_locks where locktype = 'advisory' and granted" +
  ` and objsubid = 2 and classid = ${lockClass} and mode = 'ShareLock'` +
  " and database = (select oid from pg_database where datname = current_database()))" +
  " select pid, application_name, host(client_addr)," +
  ` to_char(backend_start at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), number` +
  " from registered full join (select * from pg_stat_activity where datname = current_database()) as sessions using (pid)" +
  ` where number < ${migration} or (number is null and application_name = 'countersign')` +
  " order by backend_start, pid limit 20"

/** The name and the address are hidden from a role that may not see other roles' sessions. */
const listOf = (sessions: ReadonlyArray<ReadonlyArray<unknown>>): string =>
  sessions
    .map(([process, application, address, since, number]) => {
      const name = application === null || application === "" ? "a session without a visible name" : String(application)
      const place = address === null ? "this machine" : String(address)
      const version = number === null ? "a version that does not register" : `schema ${number}`
      return `${name} from ${place}${since === null ? "" : ` since ${since}`} (${version}, server process ${process})`
    })
    .join(", ")
