/** Sessions of a probe: they report the statement that failed. */
import { PgConnection } from "@effect/sql-pg"
import { Data, Effect, type Fiber, type Scope } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { sqlMessage } from "../../src/adapters/sql-message.ts"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"

/** The engine does not answer a statement as Postgres does; `answer` is what it did. */
export class Deviation extends Data.TaggedError("Deviation")<{ readonly statement: string; readonly answer: string }> {}

export type Probe = Effect.Effect<void, Deviation, Scope.Scope>

export interface ProbeSession {
  readonly connection: PgConnection.PgConnection
  /** Runs a statement; the first value of its first row, as text. */
  readonly run: (sql: string) => Effect.Effect<string | undefined, Deviation>
  /** Runs a statement whose first value has to be this one. */
  readonly returns: (sql: string, expected: string | undefined) => Effect.Effect<void, Deviation>
  /** Runs a statement that has to fail with this SQLSTATE. */
  readonly fails: (sql: string, code: string) => Effect.Effect<void, Deviation>
  /** Sends a statement that waits for a lock of another session. */
  readonly sends: (sql: string) => Effect.Effect<Fiber.Fiber<string | undefined, Deviation>>
}

export const openSession = Effect.fnUntraced(function* (
  options: ConnectionOptions
): Effect.fn.Return<ProbeSession, Deviation, Scope.Scope> {
  const prepared = { ...options, preparedStatementCacheSize: 10 }
  const connection = yield* PgConnection.make(prepared).pipe(Effect.mapError(deviationOf("connect")))
  const first = (sql: string, prepare: boolean) =>
    Effect.map(connection.queryValues(sql, [], prepare), ([row]) => {
      const value = row?.[0]
      return value === undefined || value === null ? undefined : String(value)
    })
  const run: ProbeSession["run"] = (sql) => Effect.mapError(first(sql, false), deviationOf(sql))
  return {
    connection,
    run,
    returns: (sql, expected) =>
      Effect.flatMap(run(sql), (value) =>
        value === expected ? Effect.void : new Deviation({ statement: sql, answer: `${value}, not ${expected}` })
      ),
    fails: (sql, code) =>
      Effect.matchEffect(first(sql, false), {
        onFailure: (error) => (codeOf(error) === code ? Effect.void : Effect.fail(deviationOf(sql)(error))),
        onSuccess: () => new Deviation({ statement: sql, answer: `succeeded, where SQLSTATE ${code} is expected` })
      }),
    sends: (sql) => Effect.forkDetach(run(sql))
  }
})

export const deviationOf =
  (statement: string) =>
  (error: SqlError): Deviation =>
    new Deviation({ statement, answer: sqlMessage(error) })

const codeOf = (error: SqlError): string | undefined => {
  const { cause } = error.reason
  return cause instanceof Error && "code" in cause ? String(cause.code) : undefined
}
