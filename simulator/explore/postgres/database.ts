/**
 * A real database that a search goes back to again and again, with a client for every request: each is answered as if by
 * a server process of its own, so that nothing but Postgres stands between two of them.
 */
import { PgConnection, PgTypes } from "@effect/sql-pg"
import { Context, Effect, Layer, type Scope } from "effect"
import type { ConnectionOptions } from "../../../src/adapters/postgres-storage/connections.ts"
import { columnsOf, decodeRow, quoted } from "../../../src/adapters/postgres-storage/columns.ts"
import { layer as postgresLayer, type Options } from "../../../src/adapters/postgres-storage/layer.ts"
import { insertRow, together } from "../../../src/adapters/postgres-storage/writes.ts"
import { newestOf } from "../../../src/adapters/migrator.ts"
import { migrations } from "../../../src/migrations/all.ts"
import { Storage } from "../../../src/ports/storage.ts"
import { storedRow } from "../../../src/ports/stored-values.ts"
import type { AnyTable } from "../../../src/ports/table.ts"
import { rootTables, tables } from "../../../src/tables.ts"
import { type DatabaseServer, ownDatabase } from "../../databases.ts"
import { allRows, type Content, emptyContent, replaced } from "../../memory-storage/content.ts"
import { Gate } from "./gate.ts"

export interface SteppedDatabase {
  readonly gate: Gate
  /** One for each client. */
  readonly storages: ReadonlyArray<Storage["Service"]>
  /** Remembers these rows as what to go back to. */
  readonly keep: (content: Content) => Effect.Effect<void, Error>
  /** Makes the rows those that were kept. */
  readonly goBack: Effect.Effect<void, Error>
  readonly content: Effect.Effect<Content, Error>
  /** Those of some server processes that wait for a lock. */
  readonly blocked: (processes: ReadonlyArray<number>) => Promise<ReadonlySet<number>>
}

/** Which row or number a root is locked by may be told otherwise: then nothing is locked where it should be. */
export type Locks = Options["rootTables"]

export const openStepped = Effect.fnUntraced(function* (
  { connection, migrated }: DatabaseServer,
  locks: Locks = rootTables
): Effect.fn.Return<SteppedDatabase, Error, Scope.Scope> {
  const { path } = connection
  if (path === undefined)
    return yield* Effect.fail(new Error("statements can be held only on a socket of this machine"))
  const own = { ...connection, database: yield* ownDatabase(connection, migrated) }
  const gate = new Gate(path)
  const session = yield* PgConnection.make({ ...own, multiplex: true })
  const run = (statements: ReadonlyArray<string>) =>
    Effect.forEach(statements, (statement) => session.query(statement, [], false), {
      concurrency: "unbounded",
      discard: true
    })
  return {
    gate,
    storages: yield* Effect.forEach(Array.from({ length: clients }).keys(), (client) =>
      storageOf(own, gate, client, locks)
    ),
    keep: (content) => keep(session, run, content),
    goBack: run([emptying, filling]),
    content: contentOf(session),
    blocked: (processes) => Effect.runPromise(blockedAmong(session, processes))
  }
})

/** More than a race has actors. */
const clients = 8

const storageOf = (connection: ConnectionOptions, gate: Gate, client: number, locks: Locks) => {
  const gated = { ...connection, stream: () => gate.connect(client) }
  const options = {
    connection: gated,
    tables,
    rootTables: locks,
    schemaWanted: newestOf(migrations),
    maxConnections: 4
  }
  return Effect.map(Layer.build(postgresLayer(options)), (built) => Context.get(built, Storage))
}

const keep = Effect.fnUntraced(function* (
  session: PgConnection.PgConnection,
  run: (statements: ReadonlyArray<string>) => Effect.Effect<void, Error>,
  content: Content
) {
  yield* run([emptying])
  const writes = tables.flatMap((table) => allRows(content, table).map((row) => insertRow(table, row)))
  for (const { sql, parameters } of together(writes)) yield* session.queryValues(sql, parameters, false)
  yield* run(["drop schema if exists kept cascade", "create schema kept"])
  yield* run(tables.map(({ name }) => `create table kept.${quoted(name)} as table ${quoted(name)}`))
})

// One statement each, so that it does not matter which tables refer to which.
const emptying = `with ${tables.map(({ name }) => `${quoted(`no_${name}`)} as (delete from ${quoted(name)})`).join(", ")} select`

const filling = `with ${tables
  .map(({ name }) => `${quoted(`all_${name}`)} as (insert into ${quoted(name)} select * from kept.${quoted(name)})`)
  .join(", ")} select`

const contentOf = Effect.fnUntraced(function* (session: PgConnection.PgConnection) {
  const read = (table: AnyTable) => session.queryValues(everything(table), [], true)
  const found = yield* Effect.forEach(tables, read, { concurrency: "unbounded" })
  let content = emptyContent
  for (const [index, table] of tables.entries()) {
    for (const row of found[index] ?? []) {
      content = replaced(content, table, undefined, storedRow(table, decodeRow(table, row)))
    }
  }
  return content
})

const everything = (table: AnyTable): string =>
  `select ${columnsOf(table).map(quoted).join(", ")} from ${quoted(table.name)}`

const blockedAmong = (session: PgConnection.PgConnection, processes: ReadonlyArray<number>) =>
  Effect.map(
    session.queryValues(
      "select pid from unnest($1::text::int[]) as pid where pg_blocking_pids(pid) <> '{}'",
      [PgTypes.text(`{${processes.join(",")}}`)],
      true
    ),
    (rows) => new Set(rows.map(([pid]) => Number(pid)))
  )
