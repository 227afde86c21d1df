/**
 * Real databases for simulated runs. A server has one template database with the current schema. Scenarios that run in
 * sequence share a copy, which is emptied before each: that is faster than a copy for each.
 */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { PgConnection } from "@effect/sql-pg"
import { Context, Effect, Layer, Redacted, type Scope } from "effect"
import { start } from "../../src/adapters/embedded-postgres.ts"
import { migrate } from "../../src/adapters/migrator.ts"
import { schemaRangeOf } from "../../src/migrations/migration.ts"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import { layer as postgresLayer } from "../../src/adapters/postgres-storage/layer.ts"
import { migrations } from "../../src/migrations/all.ts"
import { Storage } from "../../src/ports/storage.ts"
import { lockTables, tables } from "../../src/tables.ts"

/** A server with a template database. */
export interface DatabaseServer {
  readonly connection: ConnectionOptions
  readonly migrated: string
  /** The path of its log, if readable. */
  readonly log: string | undefined
}

/** An exclusive database with one store for each instance of the service, each with its own pool. */
export interface Database {
  readonly storages: ReadonlyArray<Storage["Service"]>
  /** Deletes all rows. */
  readonly empty: Effect.Effect<void, Error>
  /** Enables the statement log. */
  readonly logStatements: Effect.Effect<void, Error>
}

/** The server of a URL, or an embedded one for the lifetime of the scope. */
export const databaseServer = (url: string | undefined): Effect.Effect<DatabaseServer, Error, Scope.Scope> =>
  url === undefined ? ownServer : prepareServer({ url: Redacted.make(url) })

/** Creates the template database on a running server. */
export const prepareServer = Effect.fnUntraced(function* (
  connection: ConnectionOptions,
  log?: string
): Effect.fn.Return<DatabaseServer, Error, Scope.Scope> {
  const migrated = yield* ownDatabase(connection, "template0")
  yield* migrate({ ...connection, database: migrated }, migrations)
  return { connection, migrated, log }
})

export const openDatabase = Effect.fnUntraced(function* (
  { connection, migrated }: DatabaseServer,
  instances: number
): Effect.fn.Return<Database, Error, Scope.Scope> {
  const name = yield* ownDatabase(connection, migrated)
  const own = { ...connection, database: name }
  const session = yield* PgConnection.make(own)
  const run = (statement: string) => Effect.asVoid(session.query(statement, [], false))
  return {
    storages: yield* Effect.forEach(Array.from({ length: instances }), () => storageOver(own)),
    empty: run(emptying),
    logStatements: run(`alter database ${name} set log_statement = 'all'`)
  }
})

const storageOver = (connection: ConnectionOptions) =>
  Effect.map(
    Layer.build(
      postgresLayer({ connection, tables, lockTables, schema: schemaRangeOf(migrations), maxConnections: 4 })
    ),
    (built) => Context.get(built, Storage)
  )

/** Its data need not survive a crash of the machine, so it does not sync to disk. */
const ownServer = Effect.gen(function* () {
  const directory = yield* temporaryDirectory
  const server = yield* start(directory)
  for (const setting of ["fsync", "synchronous_commit", "full_page_writes"]) {
    yield* execute(server, `alter system set ${setting} = off`)
  }
  yield* execute(server, "select pg_reload_conf()")
  return yield* prepareServer(server, path.join(directory, "postgres.log"))
})

const temporaryDirectory = Effect.acquireRelease(
  Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "countersign-simulator-"))),
  (directory) => Effect.sync(() => fs.rmSync(directory, { recursive: true, force: true }))
)

/** A database for the lifetime of the scope. */
export const ownDatabase = (server: ConnectionOptions, template: string) =>
  Effect.suspend(() => {
    databases += 1
    const name = `countersign_simulation_${process.pid}_${databases}`
    const drop = `drop database if exists ${name} with (force)`
    const create = [drop, disconnectFrom(template), `create database ${name} template ${template}`]
    return Effect.as(
      Effect.acquireRelease(execute(server, ...create), () => Effect.orDie(execute(server, drop))),
      name
    )
  })

let databases = 0

/** A pooler keeps the sessions of its clients open, and a template must have none. */
export const disconnectFrom = (template: string): string =>
  `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${template}' and pid <> pg_backend_pid()`

// One statement, independent of foreign keys; ten times as fast as TRUNCATE for few rows.
const emptying = `with ${tables.map(({ name }) => `"no_${name}" as (delete from "${name}")`).join(", ")} select`

const execute = (connection: ConnectionOptions, ...statements: ReadonlyArray<string>) =>
  Effect.flatMap(PgConnection.make(connection), (session) =>
    Effect.forEach(statements, (statement) => session.query(statement, [], false), { discard: true })
  ).pipe(Effect.scoped)
