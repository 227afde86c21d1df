/**
 * Migrates a database to this program's schema: numbered migrations, forward only, each in one transaction with its
 * record. Concurrent processes run each migration once.
 */
import { createHash } from "node:crypto"
import { PgTypes, type PgConnection } from "@effect/sql-pg"
import { Data, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Migration } from "../migrations/migration.ts"
import { limits } from "../vocabulary/limits.ts"
import { openAtStart } from "./database-start.ts"
import { holdMigrationLock } from "./migration-lock.ts"
import type { OpenConnection, SessionOptions } from "./postgres-connection.ts"
import type { ConnectionOptions } from "./postgres-storage/connections.ts"
import { proofTable } from "./postgres-storage/commit-proofs.ts"
import { sqlMessage } from "./sql-message.ts"

export class MigrationError extends Data.TaggedError("MigrationError")<{ readonly message: string }> {}

/** The newest migration of a list, which the storage layer expects to find. */
export const newestOf = (migrations: ReadonlyArray<Migration>): number => migrations.at(-1)?.id ?? 0

/** How long to wait, in milliseconds: for a database that takes writes, and for another process that migrates it. */
export interface MigrationWaits {
  readonly database: number
  readonly lock: number
}

/** Runs the pending migrations and returns their names. Takes no lock where none is pending. */
export const migrate = (
  connection: ConnectionOptions,
  migrations: ReadonlyArray<Migration>,
  waits: MigrationWaits = { database: limits.databaseStart, lock: limits.migrationLock }
): Effect.Effect<ReadonlyArray<string>, MigrationError> =>
  Effect.gen(function* () {
    const open = yield* openAtStart(connection, session, waits.database)
    const before = yield* readRecorded(open)
    if (before !== undefined && (yield* pendingAfter(before, migrations)).length === 0) return []
    yield* holdMigrationLock(open, waits.lock)
    yield* open.connection.query(recordTable)
    yield* open.connection.query(proofTable)
    const pending = yield* pendingAfter((yield* readRecorded(open)) ?? [], migrations)
    for (const migration of pending) yield* run(open.connection, migration)
    return pending.map((migration) => migration.name)
  }).pipe(
    Effect.scoped,
    Effect.mapError((error) => {
      switch (error._tag) {
        case "MigrationError":
          return error
        case "DatabaseNotUsable":
          return new MigrationError({ message: error.message })
        case "MigrationLockTimeout":
          return new MigrationError({
            message:
              `another session held the migration lock for more than ${waits.lock / 1000} seconds:` +
              ` ${error.holder}; start again when it has ended`
          })
        default:
          return new MigrationError({ message: sqlMessage(error) })
      }
    })
  )

// A migration blocked by a long transaction gives up, so that the running service is not blocked behind it.
const session: SessionOptions = {
  applicationName: "countersign migrate",
  settings: { lock_timeout: "10s", idle_in_transaction_session_timeout: "1min", TimeZone: "UTC" },
  multiplex: false
}

/** The recorded migrations; undefined where a table of the migrator is missing. */
const readRecorded = Effect.fnUntraced(function* ({ connection, answered }: OpenConnection) {
  const query = (sql: string) => answered(connection.queryValues(sql, [], false))
  const [row] = yield* query(
    "select to_regclass('countersign_migrations') is not null and to_regclass('countersign_proofs') is not null"
  )
  if (row?.[0] !== true) return undefined
  return (yield* query("select id, name, checksum from countersign_migrations order by id")).map(migrationRecord)
})

const recordTable = `create table if not exists countersign_migrations (
  id bigint not null primary key,
  name text not null,
  checksum text not null,
  applied_at timestamptz not null default clock_timestamp()
)`

interface MigrationRecord {
  readonly id: number
  readonly name: string
  readonly checksum: string
}

const migrationRecord = ([id, name, checksum]: ReadonlyArray<unknown>): MigrationRecord => ({
  id: Number(id),
  name: String(name),
  checksum: String(checksum)
})

const pendingAfter = (
  recorded: ReadonlyArray<MigrationRecord>,
  migrations: ReadonlyArray<Migration>
): Effect.Effect<ReadonlyArray<Migration>, MigrationError> => {
  const misnumbered = migrations.find((migration, index) => migration.id !== index + 1)
  if (misnumbered !== undefined) return refuse(`migration ${misnumbered.name} is numbered ${misnumbered.id}`)
  const newest = recorded.at(-1)?.id ?? 0
  if (newest > newestOf(migrations)) {
    return refuse(
      `the database has migration ${newest}, newer than this program, which knows ${newestOf(migrations)}: ` +
        "start the newer program, or restore the database from before"
    )
  }
  for (const { id, name, checksum } of recorded) {
    const known = migrations[id - 1]
    if (known === undefined || checksumOf(known) !== checksum) {
      return refuse(`migration ${id} (${name}) has changed since this database ran it`)
    }
  }
  return Effect.succeed(migrations.slice(recorded.length))
}

const run = Effect.fnUntraced(function* (
  session: PgConnection.PgConnection,
  migration: Migration
): Effect.fn.Return<void, SqlError | MigrationError> {
  const transaction = Effect.gen(function* () {
    yield* session.query("begin", [], false)
    for (const statement of migration.statements) yield* session.query(statement, [], false)
    yield* session.query("insert into countersign_migrations (id, name, checksum) values ($1, $2, $3)", [
      PgTypes.int8(BigInt(migration.id)),
      PgTypes.text(migration.name),
      PgTypes.text(checksumOf(migration))
    ])
    yield* session.query("commit", [], false)
  })
  yield* Effect.mapError(
    transaction,
    (error) => new MigrationError({ message: `migration ${migration.id} (${migration.name}): ${sqlMessage(error)}` })
  )
})

const checksumOf = (migration: Migration): string =>
  createHash("sha256").update(JSON.stringify(migration.statements)).digest("hex")

const refuse = (message: string): Effect.Effect<never, MigrationError> => Effect.fail(new MigrationError({ message }))
