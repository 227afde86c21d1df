/**
 * One Postgres for a test run: an embedded one in a directory of its own, or the server of `TEST_DATABASE_URL`. Vitest
 * runs `setup` once; a test file asks `freshDatabase` for a database that nobody else uses.
 */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { PgConnection } from "@effect/sql-pg"
import { Effect, Exit, Redacted, Scope } from "effect"
import { inject } from "vitest"
import type { TestProject } from "vitest/node"
import { start } from "../../src/adapters/embedded-postgres.ts"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"

/** Plain data, so that it passes from vitest's process to its workers. */
export interface TestServer {
  readonly url?: string
  readonly path?: string
  readonly username?: string
  readonly password?: string
  readonly database?: string
}

declare module "vitest" {
  interface ProvidedContext {
    readonly testServer: TestServer
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const url = process.env["TEST_DATABASE_URL"]
  if (url !== undefined) {
    project.provide("testServer", { url })
    return async () => {}
  }
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "countersign-test-"))
  const scope = Scope.makeUnsafe()
  const endWithUs = () => endPostmaster(directory)
  process.once("exit", endWithUs)
  process.once("SIGTERM", () => process.exit(143))
  const server = await Effect.runPromise(Scope.provide(start(directory), scope))
  project.provide("testServer", { ...server, password: Redacted.value(server.password) })
  return async () => {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    process.off("exit", endWithUs)
    fs.rmSync(directory, { recursive: true })
  }
}

/** For a run that ends without its teardown: a test server outlives nobody. */
const endPostmaster = (directory: string): void => {
  const record = path.join(directory, "postgres-18", "postmaster.pid")
  if (!fs.existsSync(record)) return
  process.kill(Number(fs.readFileSync(record, "utf8").split("\n")[0]), "SIGQUIT")
  fs.rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 20 })
}

/** How to reach a database of the test server; the server's own where no name is given. */
export const connectionTo = (database?: string): ConnectionOptions => {
  const { url, password, ...server } = inject("testServer")
  return {
    ...server,
    ...(url === undefined ? {} : { url: Redacted.make(url) }),
    ...(password === undefined ? {} : { password: Redacted.make(password) }),
    ...(database === undefined ? {} : { database })
  }
}

let databases = 0

/** A new database with these statements run in it, dropped when the scope closes. */
export const freshDatabase = (
  statements: ReadonlyArray<string> = []
): Effect.Effect<ConnectionOptions, never, Scope.Scope> =>
  Effect.suspend(() => {
    databases += 1
    const name = `test_${process.pid}_${databases}`
    const create = execute(connectionTo(), [`create database ${name} template template0`])
    const drop = execute(connectionTo(), [`drop database if exists ${name} with (force)`])
    return Effect.andThen(
      Effect.acquireRelease(Effect.andThen(drop, create), () => drop),
      Effect.as(execute(connectionTo(name), statements), connectionTo(name))
    )
  })

/** Runs statements one after another, each by itself. */
export const execute = (connection: ConnectionOptions, statements: ReadonlyArray<string>): Effect.Effect<void> =>
  Effect.flatMap(PgConnection.make(connection), (session) =>
    Effect.forEach(statements, (statement) => session.query(statement, [], false), { discard: true })
  ).pipe(Effect.scoped, Effect.orDie)
