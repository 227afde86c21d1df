/** Real databases for runs beside memory: each scenario gets one of its own, which is dropped after it. */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { PgConnection } from "@effect/sql-pg"
import { Context, Effect, Layer, Redacted, type Scope } from "effect"
import { start } from "../src/adapters/embedded-postgres.ts"
import { migrate, newestOf } from "../src/adapters/migrator.ts"
import type { ConnectionOptions } from "../src/adapters/postgres-storage/connections.ts"
import { layer as postgresLayer } from "../src/adapters/postgres-storage/layer.ts"
import { migrations } from "../src/migrations/all.ts"
import { Storage } from "../src/ports/storage.ts"
import { rootTables, tables } from "../src/tables.ts"

/** The server of a URL, or an embedded one that lives as long as the scope. */
export const databaseServer = (url: string | undefined): Effect.Effect<ConnectionOptions, Error, Scope.Scope> =>
  url === undefined
    ? Effect.flatMap(temporaryDirectory, (directory) => start(directory))
    : Effect.succeed({ url: Redacted.make(url) })

/** A store over a new database with the current schema. */
export const freshStorage = Effect.fnUntraced(function* (server: ConnectionOptions, name: string) {
  const database = `countersign_simulation_${process.pid}_${name}`
  const connection = { ...server, database }
  const drop = execute(server, `drop database if exists ${database} with (force)`)
  yield* Effect.acquireRelease(
    Effect.andThen(drop, execute(server, `create database ${database} template template0`)),
    () => Effect.orDie(drop)
  )
  yield* migrate(connection, migrations)
  const built = yield* Layer.build(
    postgresLayer({ connection, tables, rootTables, schemaWanted: newestOf(migrations), maxConnections: 4 })
  )
  return Context.get(built, Storage)
})

const temporaryDirectory = Effect.acquireRelease(
  Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "countersign-simulator-"))),
  (directory) => Effect.sync(() => fs.rmSync(directory, { recursive: true, force: true }))
)

const execute = (connection: ConnectionOptions, statement: string) =>
  Effect.flatMap(PgConnection.make(connection), (session) => session.query(statement, [], false)).pipe(Effect.scoped)
