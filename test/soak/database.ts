/** A migrated database for one soak test: of an embedded Postgres, or of the server of `TEST_DATABASE_URL`. */
import * as path from "node:path"
import { PgConnection } from "@effect/sql-pg"
import { Effect, Exit, Redacted, Scope } from "effect"
import { ownDatabase } from "../../simulator/storage/databases.ts"
import { start } from "../../src/adapters/embedded-postgres.ts"
import { migrate } from "../../src/adapters/migrator.ts"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import { migrations } from "../../src/migrations/all.ts"
import { temporaryDirectory } from "../support/installation.ts"

export const temporaryDatabase: Effect.Effect<ConnectionOptions, never, Scope.Scope> = Effect.gen(function* () {
  const given = yield* givenDatabase
  const database = given ?? (yield* start(path.join(yield* temporaryDirectory, "database")))
  yield* migrate(database, migrations)
  return database
}).pipe(Effect.orDie)

/** The same with commit times, a setting that requires a restart of the server. */
export const databaseWithTimestamps: Effect.Effect<ConnectionOptions, never, Scope.Scope> = Effect.gen(function* () {
  const database = (yield* givenDatabase) ?? (yield* startWithTimestamps)
  const [[tracked] = []] = yield* queryOnce(database, "select current_setting('track_commit_timestamp')")
  if (tracked !== "on") {
    return yield* Effect.fail(
      new Error("the server has track_commit_timestamp = off: turn it on and restart the server")
    )
  }
  yield* migrate(database, migrations)
  return database
}).pipe(Effect.orDie)

/** A new database, dropped with the scope. */
const givenDatabase = Effect.suspend(() => {
  const url = process.env["TEST_DATABASE_URL"]
  if (url === undefined) return Effect.undefined
  const server = { url: Redacted.make(url) }
  return Effect.map(ownDatabase(server, "template0"), (database): ConnectionOptions => ({ ...server, database }))
})

const startWithTimestamps = Effect.gen(function* () {
  const directory = path.join(yield* temporaryDirectory, "database")
  const first = yield* Scope.make()
  const before = yield* Effect.provideService(start(directory), Scope.Scope, first)
  yield* queryOnce(before, "alter system set track_commit_timestamp = on")
  yield* Scope.close(first, Exit.void)
  return yield* start(directory)
})

const queryOnce = (database: ConnectionOptions, sql: string) =>
  Effect.scoped(Effect.flatMap(PgConnection.make(database), (session) => session.queryValues(sql, [], false)))
