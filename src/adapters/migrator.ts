/**
 * Migrates a database while programs use it: numbered migrations, forward only, one process at a time. A start runs
 * expands; contracts run by a command of their own, once no session of an older program exists.
 */
import { Console, Effect, type Scope } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Migration } from "../migrations/migration.ts"
import { limits } from "../vocabulary/limits.ts"
import { type DatabaseNotUsable, openAtStart } from "./database-start.ts"
import { holdMigrationLock, type MigrationLockTimeout } from "./migration-lock.ts"
import {
  contractsOf,
  expandsOf,
  MigrationError,
  planFor,
  recordTables,
  type MigrationPlan,
  type PendingMigration
} from "./migration-plan.ts"
import { lockTimeout, type NoteProgress, runMigration, untilUnblocked } from "./migration-steps.ts"
import type { OpenConnection, SessionOptions } from "./postgres-connection.ts"
import type { ConnectionOptions } from "./postgres-storage/connections.ts"
import { excludeOlder, type OlderSessions } from "./schema-registration.ts"
import { sqlMessage } from "./sql-message.ts"

/** How long to wait, in milliseconds: for a database that takes writes, and for another process that migrates it. */
export interface MigrationWaits {
  readonly database: number
  readonly lock: number
}

const waitsAtStart: MigrationWaits = { database: limits.databaseStart, lock: limits.migrationLock }

/** Runs the pending expands, on a new database everything, and returns their names. Takes no lock where none is pending. */
export const migrate = (
  connection: ConnectionOptions,
  migrations: ReadonlyArray<Migration>,
  waits: MigrationWaits = waitsAtStart
): Effect.Effect<ReadonlyArray<string>, MigrationError> =>
  Effect.gen(function* () {
    const open = yield* openAtStart(connection, session, waits.database)
    const before = yield* planFor(open, migrations)
    if (before.hasTables && (yield* expandsOf(before)).length === 0) return []
    const plan = yield* lockedPlan(open, migrations, waits)
    return yield* runAll(open, plan, yield* expandsOf(plan))
  }).pipe(Effect.scoped, Effect.mapError(asMigrationError(waits)))

/** Runs the pending contracts and returns their names; refused while a session of an older program exists. */
export const contract = (
  connection: ConnectionOptions,
  migrations: ReadonlyArray<Migration>,
  waits: MigrationWaits = waitsAtStart
): Effect.Effect<ReadonlyArray<string>, MigrationError> =>
  Effect.gen(function* () {
    const open = yield* openAtStart(connection, session, waits.database)
    const plan = yield* lockedPlan(open, migrations, waits)
    const contracts = yield* contractsOf(plan)
    const last = contracts.at(-1)
    if (last === undefined) return []
    yield* excludeOlder(open, last.migration.id)
    return yield* runAll(open, plan, contracts)
  }).pipe(Effect.scoped, Effect.mapError(asMigrationError(waits)))

/** What is pending; changes nothing. */
export const readPlan = (
  connection: ConnectionOptions,
  migrations: ReadonlyArray<Migration>,
  databaseWait: number = limits.databaseStart
): Effect.Effect<MigrationPlan, MigrationError> =>
  Effect.flatMap(openAtStart(connection, session, databaseWait), (open) => planFor(open, migrations)).pipe(
    Effect.scoped,
    Effect.mapError(asMigrationError(waitsAtStart))
  )

const session: SessionOptions = {
  applicationName: "countersign migrate",
  settings: { lock_timeout: lockTimeout, idle_in_transaction_session_timeout: "1min", TimeZone: "UTC" },
  multiplex: false
}

const lockedPlan = Effect.fnUntraced(function* (
  open: OpenConnection,
  migrations: ReadonlyArray<Migration>,
  waits: MigrationWaits
): Effect.fn.Return<MigrationPlan, SqlError | MigrationError | MigrationLockTimeout, Scope.Scope> {
  yield* holdMigrationLock(open, waits.lock)
  const { hasTables } = yield* planFor(open, migrations)
  if (!hasTables) {
    for (const statement of recordTables) yield* untilUnblocked(open.connection.query(statement, [], false))
  }
  return yield* planFor(open, migrations)
})

/** Notes the progress on standard error, but not in a new database, where no step takes long. */
const runAll = Effect.fnUntraced(function* (
  open: OpenConnection,
  { schema }: MigrationPlan,
  pending: ReadonlyArray<PendingMigration>
) {
  const note: NoteProgress = (text) => (schema === 0 ? Effect.void : Console.error(`countersign: ${text}`))
  for (const one of pending) yield* runMigration(open.connection, one, note)
  return pending.map(({ migration }) => migration.name)
})

const asMigrationError =
  ({ lock }: MigrationWaits) =>
  (error: SqlError | MigrationError | DatabaseNotUsable | MigrationLockTimeout | OlderSessions): MigrationError => {
    switch (error._tag) {
      case "MigrationError":
        return error
      case "DatabaseNotUsable":
        return new MigrationError({ message: error.message })
      case "MigrationLockTimeout":
        return new MigrationError({
          message:
            `another session held the migration lock for more than ${lock / 1000} seconds:` +
            ` ${error.holder}; start again when it has ended`
        })
      case "OlderSessions":
        return new MigrationError({
          message: `processes of an older version are connected, so stop them first: ${error.holders}; nothing was changed`
        })
      default:
        return new MigrationError({ message: sqlMessage(error) })
    }
  }
