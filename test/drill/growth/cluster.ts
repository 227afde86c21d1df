/** A Postgres of its own for one drill, in a directory that is removed with the scope. */
import * as fs from "node:fs"
import * as path from "node:path"
import { PgConnection } from "@effect/sql-pg"
import { Effect, Exit, Scope } from "effect"
import { start } from "../../../src/adapters/embedded-postgres.ts"
import type { ConnectionOptions } from "../../../src/adapters/postgres-storage/connections.ts"
import { inDatabase } from "../../bench/backlog.ts"

/** Vacuum runs after the fill, and not during a measurement; a drill need not survive a crash of the machine. */
const settings = [
  "shared_buffers = '2GB'",
  "max_wal_size = '2GB'",
  "wal_level = minimal",
  "max_wal_senders = 0",
  "fsync = off",
  "full_page_writes = off",
  "checkpoint_timeout = '1h'",
  "autovacuum = off",
  "maintenance_work_mem = '512MB'",
  // Two sessions build indexes side by side.
  "max_parallel_maintenance_workers = 0"
]

export interface Cluster {
  readonly server: ConnectionOptions
  /** What Postgres logs. */
  readonly log: string
}

export const startCluster = Effect.fnUntraced(function* (parent: string) {
  const directory = yield* Effect.acquireRelease(
    Effect.sync(() => {
      fs.mkdirSync(parent, { recursive: true })
      const made = fs.mkdtempSync(path.join(parent, "growth-"))
      fs.chmodSync(made, 0o711)
      return made
    }),
    (made) => Effect.sync(() => fs.rmSync(made, { recursive: true, force: true, maxRetries: 20 }))
  )
  const place = path.join(directory, "database")
  const first = yield* Scope.make()
  const before = yield* Effect.provideService(start(place), Scope.Scope, first)
  yield* inDatabase(
    before,
    settings.map((setting) => `alter system set ${setting}`)
  )
  yield* Scope.close(first, Exit.void)
  const server: ConnectionOptions = yield* start(place)
  return { server, log: path.join(place, "postgres.log") } satisfies Cluster
})

export const valuesOf = (database: ConnectionOptions, query: string) =>
  Effect.scoped(Effect.flatMap(PgConnection.make(database), (session) => session.queryValues(query, [], false)))
