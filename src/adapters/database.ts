/**
 * The database of this process: the Postgres of `DATABASE_URL`, or the embedded one of the data directory. The layer also
 * provides notifications between processes, and the wakeup of webhook workers by them.
 */
import * as path from "node:path"
import { Effect, Layer, Option, Schedule } from "effect"
import { migrations } from "../migrations/all.ts"
import { schemaRangeOf } from "../migrations/migration.ts"
import { lockTables, tables } from "../tables.ts"
import * as Notifications from "./notifications.ts"
import * as PostgresWakeup from "./webhook-wakeup.ts"
import { concludeRestore, finishRestore, newEpochRequired, requiresNewEpoch } from "./backup/restore.ts"
import { Configuration } from "./configuration.ts"
import { EmbeddedPostgresError, openOrJoin, start } from "./embedded-postgres.ts"
import { contract, migrate, readPlan } from "./migrator.ts"
import type { ConnectionOptions } from "./postgres-storage/connections.ts"
import * as Partitions from "./partitions/layer.ts"
import * as PostgresStorage from "./postgres-storage/layer.ts"
import { RecordedInstallation, readRecorded } from "./recorded-installation.ts"

/** The connection options of Postgres; the embedded one is opened by `open`, unless a restore has to be concluded first. */
const connectionBy = Effect.fnUntraced(function* (open: typeof start) {
  const { databaseUrl, dataDirectory } = yield* Configuration
  if (Option.isSome(databaseUrl)) return { url: databaseUrl.value } satisfies ConnectionOptions
  yield* requireRestoreConcluded(dataDirectory)
  const opened = yield* open(path.join(dataDirectory, "database"))
  // Checked again now that `database/` is owned: a restore may have put it there since the first check.
  yield* requireRestoreConcluded(dataDirectory)
  return opened
})

const requireRestoreConcluded = (dataDirectory: string) =>
  Effect.suspend(() =>
    requiresNewEpoch(dataDirectory)
      ? Effect.fail(new EmbeddedPostgresError({ message: newEpochRequired(dataDirectory) }))
      : Effect.void
  )

// A command that came first may still own the embedded database; it ends soon.
const startWhenFree: typeof start = (place) =>
  Effect.retry(start(place), {
    while: ({ isInUse }) => isInUse === true,
    schedule: Schedule.spaced("200 millis"),
    times: 50
  })

/** The commands of `countersign migrate`. */
export const expandDatabase = Effect.flatMap(connectionBy(openOrJoin), (connection) => migrate(connection, migrations))
export const contractDatabase = Effect.flatMap(connectionBy(openOrJoin), (connection) =>
  contract(connection, migrations)
)
export const pendingMigrations = Effect.flatMap(connectionBy(openOrJoin), (connection) =>
  readPlan(connection, migrations)
)

const schema = schemaRangeOf(migrations)

/** Runs `use` on a restored database in this program's schema; concludes the restore of an embedded one afterwards. */
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

/** The database as it is, without a migration; an embedded one is joined where a server runs it. */
export const unmigratedDatabase = connectionBy(openOrJoin)

const layerBy = (
  open: typeof start,
  replicaOf: (configuration: Configuration["Service"]) => ConnectionOptions | undefined
) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const configuration = yield* Configuration
      const { databaseConnections, requireSyncStandby } = configuration
      const options = yield* connectionBy(open)
      yield* migrate(options, migrations)
      const recorded = yield* readRecorded(options, schema)
      const storage = PostgresStorage.layer({
        connection: options,
        maxConnections: databaseConnections,
        replica: replicaOf(configuration),
        tables,
        lockTables,
        schema,
        requireStandby: requireSyncStandby,
        epoch: recorded.epoch
      })
      return Layer.mergeAll(
        storage,
        Partitions.layer(options),
        Layer.provideMerge(PostgresWakeup.layer, Notifications.layer(options)),
        Layer.succeed(RecordedInstallation, recorded)
      )
    })
  )

/** For the server: it owns the embedded database for its lifetime, and reads from a replica where there is one. */
export const layer = layerBy(startWhenFree, ({ readDatabaseUrl }) =>
  Option.getOrUndefined(Option.map(readDatabaseUrl, (url) => ({ url })))
)

/** For commands beside the server: the embedded database is joined where a server runs it. */
export const layerBesideServer = layerBy(openOrJoin, () => undefined)
