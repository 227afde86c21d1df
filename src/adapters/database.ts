/**
 * The database of this process: the Postgres of `DATABASE_URL`, or the embedded one of the data directory. Besides the
 * storage it carries what wakes the senders of callbacks, in this process and others.
 */
import * as path from "node:path"
import { Effect, Layer, Option, Schedule } from "effect"
import { migrations } from "../migrations/all.ts"
import { rootTables, tables } from "../tables.ts"
import * as PostgresWakeup from "./callback-wakeup.ts"
import { concludeRestore, finishRestore, waitingForEpoch, waitsForEpoch } from "./backup/restore.ts"
import { Configuration } from "./configuration.ts"
import { EmbeddedPostgresError, openOrJoin, start } from "./embedded-postgres.ts"
import { migrate, newestOf } from "./migrator.ts"
import type { ConnectionOptions } from "./postgres-storage/connections.ts"
import * as PostgresStorage from "./postgres-storage/layer.ts"
import { RecordedInstallation, readRecorded } from "./recorded-installation.ts"

/** Where Postgres is; the embedded one is opened in the way given, unless a restore has yet to be concluded. */
const connectionBy = Effect.fnUntraced(function* (open: typeof start) {
  const { databaseUrl, dataDirectory } = yield* Configuration
  if (Option.isSome(databaseUrl)) return { url: databaseUrl.value } satisfies ConnectionOptions
  yield* requireConcluded(dataDirectory)
  const opened = yield* open(path.join(dataDirectory, "database"))
  // Asked again now that `database/` is owned: a restore may have given it its name before.
  yield* requireConcluded(dataDirectory)
  return opened
})

const requireConcluded = (dataDirectory: string) =>
  Effect.suspend(() =>
    waitsForEpoch(dataDirectory)
      ? Effect.fail(new EmbeddedPostgresError({ message: waitingForEpoch(dataDirectory) }))
      : Effect.void
  )

// A command that came first may still own the embedded database; it ends soon.
const owned: typeof start = (place) =>
  Effect.retry(start(place), {
    while: ({ isInUse }) => isInUse === true,
    schedule: Schedule.spaced("200 millis"),
    times: 50
  })

/** Brings the database to this program's schema; tells what it did, and where the database is. */
export const migrateDatabase = Effect.flatMap(connectionBy(openOrJoin), (connection) => migrate(connection, migrations))

/** Hands over the database after a restore, in this program's schema; a restore of the embedded one is concluded then. */
export const afterRestore = Effect.fnUntraced(function* <A, E, R>(
  use: (connection: ConnectionOptions) => Effect.Effect<A, E, R>
) {
  const { databaseUrl, dataDirectory } = yield* Configuration
  const isEmbedded = Option.isNone(databaseUrl)
  if (isEmbedded) yield* finishRestore(dataDirectory)
  const connection: ConnectionOptions = isEmbedded
    ? yield* openOrJoin(path.join(dataDirectory, "database"))
    : { url: databaseUrl.value }
  yield* migrate(connection, migrations)
  const used = yield* use(connection)
  if (isEmbedded) yield* concludeRestore(dataDirectory)
  return used
})

/** The embedded database for a backup, as it is, joined where a server of ours runs it. */
export const embeddedDatabase = connectionBy(openOrJoin)

const layerBy = (open: typeof start) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { databaseConnections } = yield* Configuration
      const options = yield* connectionBy(open)
      yield* migrate(options, migrations)
      const recorded = yield* readRecorded(options)
      const storage = PostgresStorage.layer({
        connection: options,
        maxConnections: databaseConnections,
        tables,
        rootTables,
        schemaWanted: newestOf(migrations),
        epoch: recorded.epoch
      })
      return Layer.mergeAll(storage, PostgresWakeup.layer(options), Layer.succeed(RecordedInstallation, recorded))
    })
  )

/** For the server: it owns the embedded database, which lives as long as it does. */
export const layer = layerBy(owned)

/** For commands beside it: the embedded database is joined where a server of ours runs it. */
export const layerJoined = layerBy(openOrJoin)
