/** The statements that the program sends to Postgres, and their plans. */
import { PgConnection } from "@effect/sql-pg"
import { Effect } from "effect"
import { vi } from "vitest"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import { Session } from "../../src/adapters/postgres-storage/session.ts"

export interface SentStatement {
  readonly sql: string
  readonly parameters: ReadonlyArray<unknown>
}

/** Until the scope closes, the statements on this table that the program's transactions and views send, once each. */
export const recordSent = Effect.fnUntraced(function* (table: string) {
  const sent = new Map<string, SentStatement>()
  const known = new WeakSet<object>()
  const record = (connection: PgConnection.PgConnection) => {
    if (known.has(connection)) return
    known.add(connection)
    const { queryValues } = connection
    const recording: typeof queryValues = (sql, parameters, prepare) => {
      if (sql.includes(`"${table}"`)) sent.set(sql, { sql, parameters: parameters ?? [] })
      return queryValues(sql, parameters, prepare)
    }
    Object.assign(connection, { queryValues: recording })
  }
  const { submitControl } = Session.prototype
  yield* Effect.acquireRelease(
    Effect.sync(() =>
      vi.spyOn(Session.prototype, "submitControl").mockImplementation(function (this: Session, sql) {
        record(this.connection)
        return submitControl.call(this, sql)
      })
    ),
    (spy) => Effect.sync(() => spy.mockRestore())
  )
  return sent
})

/** The plan of a statement that reads, as EXPLAIN prints it. */
export const planTextOf = (database: ConnectionOptions, { sql, parameters }: SentStatement) =>
  Effect.gen(function* () {
    const session = yield* PgConnection.make(database)
    const lines = yield* session.queryValues(`explain ${sql}`, parameters, false)
    return lines.map(([line]) => String(line)).join("\n")
  }).pipe(Effect.scoped)
