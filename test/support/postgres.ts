/**
 * One Postgres for a test run: an embedded one in a directory of its own, or the server of `TEST_DATABASE_URL`. Vitest
 * runs `setup` once; a test file requests an exclusive database by `freshDatabase` or `migratedDatabase`.
 */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { PgConnection } from "@effect/sql-pg"
import { Effect, Exit, Redacted, Scope } from "effect"
import { inject } from "vitest"
import type { TestProject } from "vitest/node"
import { start } from "../../src/adapters/embedded-postgres.ts"
import { migrate } from "../../src/adapters/migrator.ts"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import { migrations } from "../../src/migrations/all.ts"
import { disconnectFrom } from "../../simulator/storage/databases.ts"
import { buildProgram } from "./built-program.ts"

interface Server {
  readonly url?: string
  readonly path?: string
  readonly username?: string
  readonly password?: string
  readonly database?: string
}

/** Serializable, because vitest passes it from its process to its workers. */
export interface TestServer extends Server {
  /** The template database with the schema of the service. */
  readonly migrated: string
}

declare module "vitest" {
  interface ProvidedContext {
    readonly testServer: TestServer
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "countersign-test-"))
  const endWithUs = () => endPostmaster(directory)
  process.once("exit", endWithUs)
  process.once("SIGTERM", () => process.exit(143))
  // A shared compile cache: one process compiles and the others load; the workers inherit it.
  process.env["NODE_COMPILE_CACHE"] = path.join(directory, "compiled")
  await buildProgram(directory)
  const scope = Scope.makeUnsafe()
  const server = await Effect.runPromise(Scope.provide(started(directory), scope))
  project.provide("testServer", server)
  return async () => {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    process.off("exit", endWithUs)
    fs.rmSync(directory, { recursive: true })
  }
}

const started = Effect.fnUntraced(function* (directory: string) {
  const url = process.env["TEST_DATABASE_URL"]
  const server = url === undefined ? yield* startOwn(directory) : { url }
  const migrated = `test_${process.pid}_migrated`
  const drop = execute(reach(server), [`drop database if exists ${migrated} with (force)`])
  yield* Effect.acquireRelease(execute(reach(server), [`create database ${migrated} template template0`]), () => drop)
  yield* migrate(reach(server, migrated), migrations)
  return { ...server, migrated }
})

/** Its data need not survive a crash of the machine, and its databases are too short-lived for maintenance. */
const shortLived = [
  "fsync = off",
  "full_page_writes = off",
  "autovacuum = off",
  "checkpoint_timeout = '1h'",
  "max_wal_size = '4GB'"
]

const startOwn = Effect.fnUntraced(function* (directory: string) {
  const server = yield* start(directory)
  const settings = shortLived.map((setting) => `alter system set ${setting}`)
  yield* execute(server, [...settings, "select pg_reload_conf()"])
  return { ...server, password: Redacted.value(server.password) }
})

/** Also for a run that ends without its teardown, so that no test server is left running. */
const endPostmaster = (directory: string): void => {
  const record = path.join(directory, "postgres-18", "postmaster.pid")
  if (fs.existsSync(record)) process.kill(Number(fs.readFileSync(record, "utf8").split("\n")[0]), "SIGQUIT")
  fs.rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 20 })
}

/** Connection options of a database of the test server; of its default database if no name is given. */
export const connectionTo = (database?: string): ConnectionOptions => reach(inject("testServer"), database)

/** The connections of tests have more time to open than those of the service: on a busy machine many start at once. */
const reach = (
  { url, path, username, password, database: own }: Server,
  database = own
): ConnectionOptions & Pick<PgConnection.Config, "connectTimeout"> => ({
  connectTimeout: "1 minute",
  ...(path === undefined ? {} : { path }),
  ...(username === undefined ? {} : { username }),
  ...(url === undefined ? {} : { url: Redacted.make(url) }),
  ...(password === undefined ? {} : { password: Redacted.make(password) }),
  ...(database === undefined ? {} : { database })
})

let databases = 0

/** A new database with these statements run in it, dropped when the scope closes. */
export const freshDatabase = (
  statements: ReadonlyArray<string> = []
): Effect.Effect<ConnectionOptions, never, Scope.Scope> =>
  Effect.tap(databaseFrom("template0"), (connection) => execute(connection, statements))

/** The same with the schema of the service and without data. */
export const migratedDatabase: Effect.Effect<ConnectionOptions, never, Scope.Scope> = Effect.suspend(() =>
  databaseFrom(inject("testServer").migrated)
)

/** A copy of a database as it is now, for a restored backup. Its connections are terminated. */
export const copyOfDatabase = Effect.fnUntraced(function* ({ database }: ConnectionOptions) {
  return yield* databaseFrom(database!)
})

const databaseFrom = (template: string) =>
  Effect.suspend(() => {
    databases += 1
    const name = `test_${process.pid}_${databases}`
    const drop = `drop database if exists ${name} with (force)`
    // The default strategy writes every page to the log: five times the work for a template of this size.
    const create = execute(connectionTo(), [
      drop,
      disconnectFrom(template),
      `create database ${name} template ${template} strategy file_copy`
    ])
    return Effect.as(
      Effect.acquireRelease(create, () => execute(connectionTo(), [drop])),
      connectionTo(name)
    )
  })

/** Runs each statement on its own, one after another. */
export const execute = (connection: ConnectionOptions, statements: ReadonlyArray<string>): Effect.Effect<void> =>
  Effect.flatMap(PgConnection.make(connection), (session) =>
    Effect.forEach(statements, (statement) => session.query(statement, [], false), { discard: true })
  ).pipe(Effect.scoped, Effect.orDie)

/** The rows of a query, each as its values in the order of its columns. */
export const valuesOf = (connection: ConnectionOptions, query: string): Effect.Effect<ReadonlyArray<unknown>> =>
  Effect.flatMap(PgConnection.make(connection), (session) => session.queryValues(query)).pipe(
    Effect.scoped,
    Effect.orDie
  )
