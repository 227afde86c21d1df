/**
 * Begins a new epoch of an installation whose database was restored: tokens of earlier epochs are invalid, whether the
 * backup contains them or not. Rows that only a person can judge are listed.
 */
import { type PgConnection, PgTypes } from "@effect/sql-pg"
import { Data, Effect, Schedule } from "effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { endStatements, listings, listedMax } from "./after-restore-statements.ts"
import { migrations } from "../migrations/all.ts"
import { schemaRangeOf } from "../migrations/migration.ts"
import { limits } from "../vocabulary/limits.ts"
import { type DatabaseNotUsable, openAtStart } from "./database-start.ts"
import type { SessionOptions } from "./postgres-connection.ts"
import type { ConnectionOptions } from "./postgres-storage/connections.ts"
import { epochLock } from "./postgres-storage/epoch.ts"
import { register, type ContractRunning, type SchemaMismatch } from "./schema-registration.ts"
import { sqlMessage } from "./sql-message.ts"

export class AfterRestoreError extends Data.TaggedError("AfterRestoreError")<{
  readonly message: string
  /** True where other processes are connected; one of them may be ending. */
  readonly isInUse?: boolean
}> {}

export interface Options {
  /** The secret key is lost: the next start may use a new one. */
  readonly forgetSecretKey: boolean
  /** For `admin log`. */
  readonly operator: { readonly who: string; readonly account: string }
  readonly why: string | null
}

/** Rows for a person to check: their number, and the first thousand of them. */
interface Listing {
  readonly count: number
  readonly listed: ReadonlyArray<Readonly<Record<string, unknown>>>
}

/** In one transaction, with no other process connected, since each one hashes tokens in the epoch of its start. */
export const beginEpoch = Effect.fn("installation.beginEpoch")(function* (
  connection: ConnectionOptions,
  options: Options
) {
  return yield* Effect.retry(attempt(connection, options), {
    while: ({ isInUse }) => isInUse === true,
    schedule: Schedule.spaced("200 millis"),
    times: 10
  })
})

const sessionOptions: SessionOptions = {
  applicationName: "countersign after-restore",
  settings: { lock_timeout: "10s", TimeZone: "UTC" },
  multiplex: false
}

const attempt = (connection: ConnectionOptions, options: Options) =>
  Effect.gen(function* () {
    // No deadline for answers: the listings of a large installation take long.
    const { connection: session } = yield* openAtStart(connection, sessionOptions, limits.databaseStart)
    yield* register(session, schemaRangeOf(migrations))
    yield* session.query("begin", [], false)
    yield* session.query(`select pg_advisory_xact_lock(${epochLock})`)
    yield* requireAlone(session)
    const [updated] = yield* session.queryValues(
      "update countersign_installation set epoch = gen_random_uuid()::text" +
        (options.forgetSecretKey ? ", secret_key_id = null" : "") +
        " returning epoch"
    )
    const ended: Record<string, number> = {}
    for (const [name, statement] of Object.entries(endStatements)) {
      ended[name] = Number((yield* session.queryValues(countOf(statement)))[0]![0])
    }
    const check: Record<string, Listing> = {}
    for (const [name, statement] of Object.entries(listings)) {
      const [count] = (yield* session.queryValues(`select count(*) from (${statement}) as all_of_them`))[0]!
      const { rows } = yield* session.query(`${statement} limit ${listedMax}`)
      check[name] = { count: Number(count), listed: rows as Listing["listed"] }
    }
    yield* logAct(session, options)
    yield* session.query("commit", [], false)
    return { epoch: String(updated![0]), ended, check }
  }).pipe(Effect.scoped, Effect.mapError(asAfterRestoreError))

/** The row of `admin log`, in the transaction of its effect. */
const logAct = (session: PgConnection.PgConnection, { operator, why, forgetSecretKey }: Options) =>
  session.query(
    "insert into administration_acts" +
      " (act_id, step, at, who, account, why, command, arguments, outcome, changed)" +
      " values ('act_' || gen_random_uuid(), 1, now(), $1, $2, $3, 'after-restore', $4::jsonb, 'DONE', '[]')",
    [
      PgTypes.text(operator.who),
      PgTypes.text(operator.account),
      PgTypes.text(why),
      PgTypes.text(JSON.stringify({ forgetSecretKey }))
    ]
  )

const countOf = (statement: string): string => `with ended as (${statement} returning 1) select count(*) from ended`

const requireAlone = Effect.fnUntraced(function* (session: PgConnection.PgConnection) {
  const others = yield* session.queryValues(
    "select application_name, pid, coalesce(host(client_addr), 'this machine')," +
      ` to_char(backend_start at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') from pg_stat_activity` +
      " where datname = current_database() and application_name like 'countersign%' and pid <> pg_backend_pid()" +
      " order by backend_start, pid limit 20"
  )
  if (others.length === 0) return
  const processes = others.map(
    ([application, pid, from, since]) => `${application} from ${from} since ${since} (backend ${pid})`
  )
  return yield* new AfterRestoreError({
    message: `other processes are connected and hold the epoch of their start, so stop them first: ${processes.join(", ")}`,
    isInUse: true
  })
})

const asAfterRestoreError = (
  error: SqlError | AfterRestoreError | DatabaseNotUsable | SchemaMismatch | ContractRunning
): AfterRestoreError => {
  if (error._tag === "AfterRestoreError") return error
  if (!isSqlError(error)) return new AfterRestoreError({ message: error.message })
  return new AfterRestoreError({ message: `no new epoch was begun, and nothing has changed: ${sqlMessage(error)}` })
}
