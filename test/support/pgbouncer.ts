/** Postgres behind a real pgbouncer, which has to be installed. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import * as fs from "node:fs"
import * as path from "node:path"
import { PgConnection } from "@effect/sql-pg"
import { Context, Effect, Layer, Redacted, Schedule } from "effect"
import { start, type EmbeddedPostgres } from "../../src/adapters/embedded-postgres.ts"
import { postgresUser } from "../../src/adapters/embedded-postgres/paths.ts"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import { temporaryDirectory } from "./installation.ts"
import { freePort } from "./server.ts"

type Mode = "session" | "transaction" | "statement"

export interface PooledPostgres {
  readonly postgres: EmbeddedPostgres
  readonly through: Readonly<Record<Mode, ConnectionOptions>>
}

export class Postgres extends Context.Service<Postgres, PooledPostgres>()("test/Postgres") {}

/** Refuses to run as root, as Postgres does. */
const startPgbouncer = Effect.fnUntraced(function* (directory: string, postgres: EmbeddedPostgres, mode: Mode) {
  const port = yield* freePort
  const file = path.join(directory, `${mode}.ini`)
  const password = Redacted.value(postgres.password)
  fs.writeFileSync(
    file,
    `[databases]
* = host=${path.dirname(postgres.path)} user=${postgres.username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
`
  )
  const user = postgresUser()
  if (user !== undefined) fs.chownSync(file, user.uid, user.gid)
  const env = { ...process.env, PATH: `${process.env["PATH"]}:/usr/sbin` }
  yield* Effect.acquireRelease(
    Effect.sync(() => spawn("pgbouncer", ["-q", file], { ...user, env, stdio: "ignore" })),
    (child) => Effect.promise(() => (child.kill("SIGKILL"), once(child, "exit")))
  )
  const connection = { host: "127.0.0.1", port, username: postgres.username, password: postgres.password }
  const options = { ...connection, database: "postgres" } satisfies ConnectionOptions
  yield* Effect.scoped(PgConnection.make(options)).pipe(
    Effect.retry({ schedule: Schedule.spaced("50 millis"), times: 100 }),
    Effect.orDie
  )
  return options
})

/** An embedded Postgres behind one pgbouncer for each mode. */
export const pooled = Layer.effect(
  Postgres,
  Effect.gen(function* () {
    const directory = yield* temporaryDirectory
    const postgres = yield* Effect.orDie(start(path.join(directory, "database")))
    const through = {
      session: yield* startPgbouncer(directory, postgres, "session"),
      transaction: yield* startPgbouncer(directory, postgres, "transaction"),
      statement: yield* startPgbouncer(directory, postgres, "statement")
    }
    return { postgres, through }
  })
)
