/** The database of this process: the Postgres of `DATABASE_URL`, or the embedded one of the data directory. */
import * as path from "node:path"
import { Effect, Layer, Option } from "effect"
import { migrations } from "../migrations/all.ts"
import { rootTables, tables } from "../tables.ts"
import { Configuration } from "./configuration.ts"
import { openOrJoin } from "./embedded-postgres.ts"
import { migrate, newestOf } from "./migrator.ts"
import type { ConnectionOptions } from "./postgres-storage/connections.ts"
import * as PostgresStorage from "./postgres-storage/layer.ts"

/** Where Postgres is. The embedded one is started, or joined where a server of ours runs it already. */
export const connection = Effect.gen(function* () {
  const { databaseUrl, dataDirectory } = yield* Configuration
  if (Option.isSome(databaseUrl)) return { url: databaseUrl.value } satisfies ConnectionOptions
  return yield* openOrJoin(path.join(dataDirectory, "database"))
})

/** Brings the database to this program's schema; tells what it did. */
export const migrateDatabase = Effect.flatMap(connection, (options) => migrate(options, migrations))

export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const { databaseConnections } = yield* Configuration
    const options = yield* connection
    yield* migrate(options, migrations)
    return PostgresStorage.layer({
      connection: options,
      maxConnections: databaseConnections,
      tables,
      rootTables,
      schemaWanted: newestOf(migrations)
    })
  })
)
