/** A Postgres for one soak test, with a migrated database. */
import * as path from "node:path"
import { Effect, type Scope } from "effect"
import { start } from "../../src/adapters/embedded-postgres.ts"
import { migrate } from "../../src/adapters/migrator.ts"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import { migrations } from "../../src/migrations/all.ts"
import { temporaryDirectory } from "../support/installation.ts"

export const temporaryDatabase: Effect.Effect<ConnectionOptions, never, Scope.Scope> = Effect.gen(function* () {
  const database = yield* start(path.join(yield* temporaryDirectory, "database"))
  yield* migrate(database, migrations)
  return database
}).pipe(Effect.orDie)
