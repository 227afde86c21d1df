/** A snapshot of the rows at the search root, kept in the database; only written tables are restored. */
import { PgConnection } from "@effect/sql-pg"
import { Effect } from "effect"
import { columnsOf, decodeRow, quoted } from "../../../src/adapters/postgres-storage/columns.ts"
import { insertRow, combineStatements } from "../../../src/adapters/postgres-storage/writes.ts"
import { storedRow } from "../../../src/ports/storage/stored-values.ts"
import type { AnyTable } from "../../../src/ports/table.ts"
import { tables } from "../../../src/tables.ts"
import { allRows, type Content, emptyContent, replaceRow } from "../../storage/memory-storage/content.ts"

type Tables = ReadonlyArray<AnyTable>

export class RowSnapshot {
  readonly #session: PgConnection.PgConnection
  #saved: Content = emptyContent

  private constructor(session: PgConnection.PgConnection) {
    this.#session = session
  }

  /** In a session without foreign-key triggers, so that the order of the tables is irrelevant. */
  static open = (session: PgConnection.PgConnection) =>
    Effect.as(session.query("set session_replication_role = replica", [], false), new RowSnapshot(session))

  /** Replaces all rows and saves them as the snapshot. */
  readonly save = Effect.fnUntraced(function* (this: RowSnapshot, content: Content) {
    const writes = tables.flatMap((table) => allRows(content, table).map((row) => insertRow(table, row)))
    yield* this.#run(tables.map(deleteAll), false)
    for (const { sql, parameters } of combineStatements(writes))
      yield* this.#session.queryValues(sql, parameters, false)
    yield* this.#run(["drop schema if exists kept cascade", "create schema kept"], false)
    yield* this.#run(
      tables.map(({ name }) => `create table kept.${quoted(name)} as table ${quoted(name)}`),
      false
    )
    this.#saved = content
  })

  /** Restores these tables from the snapshot. */
  readonly restore = (written: Tables) =>
    this.#run(
      written.flatMap((table) => [deleteAll(table), insertSaved(table)]),
      true
    )

  /** All rows, if only these tables were written. */
  readonly content = Effect.fnUntraced(function* (this: RowSnapshot, written: Tables) {
    const found = yield* Effect.forEach(written, (table) => this.#session.queryValues(selectAll(table), [], true), {
      concurrency: "unbounded"
    })
    let content: Content = new Map(this.#saved)
    for (const [index, table] of written.entries()) {
      content = without(content, table)
      for (const row of found[index] ?? []) {
        content = replaceRow(content, table, undefined, storedRow(table, decodeRow(table, row)))
      }
    }
    return content
  })

  #run(statements: ReadonlyArray<string>, isPrepared: boolean) {
    return Effect.forEach(statements, (statement) => this.#session.queryValues(statement, [], isPrepared), {
      concurrency: "unbounded",
      discard: true
    })
  }
}

const deleteAll = ({ name }: AnyTable): string => `delete from ${quoted(name)}`

const insertSaved = ({ name }: AnyTable): string => `insert into ${quoted(name)} select * from kept.${quoted(name)}`

const selectAll = (table: AnyTable): string =>
  `select ${columnsOf(table).map(quoted).join(", ")} from ${quoted(table.name)}`

const without = (content: Content, { name }: AnyTable): Content => {
  const others = new Map(content)
  others.delete(name)
  return others
}
