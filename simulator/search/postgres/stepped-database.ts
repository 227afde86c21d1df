/**
 * A real database that is reset before each run, with a separate client for every request: as with one server process
 * for each request, only Postgres isolates them.
 */
import type { NetConnectOpts } from "node:net"
import { PgConnection, PgTypes } from "@effect/sql-pg"
import { Context, Effect, Layer, Result, type Scope } from "effect"
import { parseDatabaseUrl } from "../../../src/adapters/database-address.ts"
import type { ConnectionOptions } from "../../../src/adapters/postgres-storage/connections.ts"
import { columnName } from "../../../src/adapters/postgres-storage/columns.ts"
import { layer as postgresLayer, type Options } from "../../../src/adapters/postgres-storage/layer.ts"
import { schemaRangeOf } from "../../../src/migrations/migration.ts"
import { migrations } from "../../../src/migrations/all.ts"
import { Storage } from "../../../src/ports/storage.ts"
import { lockTables, tables } from "../../../src/tables.ts"
import { type DatabaseServer, ownDatabase } from "../../storage/databases.ts"
import type { Content } from "../../storage/memory-storage/content.ts"
import { StatementGate } from "./statement-gate.ts"
import { RowSnapshot } from "./row-snapshot.ts"

export interface SteppedDatabase {
  readonly gate: StatementGate
  /** One for each client. */
  readonly storages: ReadonlyArray<Storage["Service"]>
  /** Saves these rows as the snapshot. */
  readonly saveSnapshot: (content: Content) => Effect.Effect<void, Error>
  /** Restores the rows of the snapshot. */
  readonly restoreSnapshot: Effect.Effect<void, Error>
  readonly content: Effect.Effect<Content, Error>
  /** Of the given server processes, those that wait for a lock. */
  readonly lockWaiters: (processes: ReadonlyArray<number>) => Promise<ReadonlySet<number>>
}

/** Can be replaced in tests, to show the effect of a missing lock. */
export type LockTables = Options["lockTables"]

export const openSteppedDatabase = Effect.fnUntraced(function* (
  { connection, migrated }: DatabaseServer,
  locks: LockTables = lockTables
): Effect.fn.Return<SteppedDatabase, Error, Scope.Scope> {
  const server = addressOf(connection)
  if (Result.isFailure(server)) return yield* Effect.fail(new Error(server.failure))
  const own = { ...connection, database: yield* ownDatabase(connection, migrated) }
  const gate = new StatementGate(server.success)
  const session = yield* PgConnection.make({ ...own, multiplex: true })
  const [[serverProcess] = []] = yield* session.queryValues("select pg_backend_pid()", [], false)
  if (serverProcess !== session.processId) return yield* Effect.fail(new Error(behindPooler))
  const rows = yield* RowSnapshot.open(session)
  const written = () => tables.filter(({ name }) => gate.written.has(columnName(name)))
  return {
    gate,
    storages: yield* Effect.forEach(Array.from({ length: clients }).keys(), (client) =>
      storageOf(own, gate, client, locks)
    ),
    saveSnapshot: (content) => rows.save(content),
    restoreSnapshot: Effect.suspend(() =>
      Effect.tap(
        rows.restore(written()),
        Effect.sync(() => gate.written.clear())
      )
    ),
    content: Effect.suspend(() => rows.content(written())),
    lockWaiters: (processes) => Effect.runPromise(blockedAmong(session, processes))
  }
})

/** The waits for locks are found by the process ids that the server announced. */
const behindPooler = "a pooler hides the processes of the server; give the address of the server itself"

/** Statements are held on the way to one server, and as plain bytes. */
const addressOf = ({ url, path }: ConnectionOptions): Result.Result<NetConnectOpts, string> => {
  if (path !== undefined) return Result.succeed({ path })
  if (url === undefined) return Result.fail("statements can be held only at the path or the URL of a server")
  return Result.flatMap(parseDatabaseUrl(url), ([host, ...others]) =>
    host === undefined || others.length > 0
      ? Result.fail("statements can be held at one host only")
      : Result.succeed(host.at)
  )
}

/** More clients than a race has actors. */
const clients = 8

const storageOf = (connection: ConnectionOptions, gate: StatementGate, client: number, locks: LockTables) => {
  const gated = { ...connection, stream: () => gate.connect(client) }
  const options = {
    connection: gated,
    tables,
    lockTables: locks,
    schema: schemaRangeOf(migrations),
    maxConnections: 4
  }
  return Effect.map(Layer.build(postgresLayer(options)), (built) => Context.get(built, Storage))
}

const blockedAmong = (session: PgConnection.PgConnection, processes: ReadonlyArray<number>) =>
  Effect.map(
    session.queryValues(
      "select pid from unnest($1::text::int[]) as pid where pg_blocking_pids(pid) <> '{}'",
      [PgTypes.text(`{${processes.join(",")}}`)],
      true
    ),
    (rows) => new Set(rows.map(([pid]) => Number(pid)))
  )
