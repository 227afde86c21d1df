/** The rows that every run begins with, kept beside the tables in the database: only what was written is put back. */
import { PgConnection } from "@effect/sql-pg"
import { Effect } from "effect"
import { columnsOf, decodeRow, quoted } from "../../../src/adapters/postgres-storage/columns.ts"
import { insertRow, together } from "../../../src/adapters/postgres-storage/writes.ts"
import { storedRow } from "../../../src/ports/stored-values.ts"
import type { AnyTable } from "../../../src/ports/table.ts"
import { tables } from "../../../src/tables.ts"
import { allRows, type Content, emptyContent, replaced } from "../../memory-storage/content.ts"

type Tables = ReadonlyArray<AnyTable>

export class KeptRows {
  readonly #session: PgConnection.PgConnection
  #kept: Content = emptyContent

  private constructor(session: PgConnection.PgConnection) {
    this.#session = session
  }

  /** In a session of its own, in which no table minds what refers to it: then it does not matter which comes first. */
  static over = (session: PgConnection.PgConnection) =>
    Effect.as(session.query("set session_replication_role = replica", [], false), new KeptRows(session))

  /** Makes the rows these, and remembers them. */
  readonly keep = Effect.fnUntraced(function* (this: KeptRows, content: Content) {
    const writes = tables.flatMap((table) => allRows(content, table).map((row) => insertRow(table, row)))
    yield* this.#run(tables.map(emptying), false)
    for (const { sql, parameters } of together(writes)) yield* this.#session.queryValues(sql, parameters, false)
    yield* this.#run(["drop schema if exists kept cascade", "create schema kept"], false)
    yield* this.#run(
      tables.map(({ name }) => `create table kept.${quoted(name)} as table ${quoted(name)}`),
      false
    )
    this.#kept = content
  })

  /** Makes the rows of these tables those that were kept. */
  readonly goBack = (written: Tables) =>
    this.#run(
      written.flatMap((table) => [emptying(table), filling(table)]),
      true
    )

  /** Every row there is, where only these tables were written. */
  readonly content = Effect.fnUntraced(function* (this: KeptRows, written: Tables) {
    const found = yield* Effect.forEach(written, (table) => this.#session.queryValues(everything(table), [], true), {
      concurrency: "unbounded"
    })
    let content: Content = new Map(this.#kept)
    for (const [index, table] of written.entries()) {
      content = without(content, table)
      for (const row of found[index] ?? []) {
        content = replaced(content, table, undefined, storedRow(table, decodeRow(table, row)))
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

const emptying = ({ name }: AnyTable): string => `delete from ${quoted(name)}`

const filling = ({ name }: AnyTable): string => `insert into ${quoted(name)} select * from kept.${quoted(name)}`

const everything = (table: AnyTable): string =>
  `select ${columnsOf(table).map(quoted).join(", ")} from ${quoted(table.name)}`

const without = (content: Content, { name }: AnyTable): Content => {
  const others = new Map(content)
  others.delete(name)
  return others
}
