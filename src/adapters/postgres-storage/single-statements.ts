/** Statements outside a transaction: each commits by itself. */
import type { PgConnection } from "@effect/sql-pg"
import { Clock, Effect, Exit } from "effect"
import type { Attempt } from "../../ports/storage/transaction-retry.ts"
import { inDueOrder } from "../../ports/storage/key-order.ts"
import type { Claim, Health } from "../../ports/storage.ts"
import type { SchemaRange } from "../../migrations/migration.ts"
import { migrationRecords, unknownContract } from "../schema-registration.ts"
import type { AnyTable, RowOf } from "../../ports/table.ts"
import { decodeRow } from "./columns.ts"
import { discardReadOnly, type Connections } from "./connections.ts"
import { failureOf } from "./failure.ts"
import type { Rows } from "./combined-reads.ts"
import { hasStandby } from "./standby.ts"
import { claimRows, type Statement } from "./statements.ts"

/** If the answer is lost, the rows stay leased to no worker until the lease expires, and the next claim finds them. */
export const claim = <T extends AnyTable>(
  connections: Connections,
  table: T,
  due: Claim
): Effect.Effect<Attempt<ReadonlyArray<RowOf<T>>, never>> =>
  connections.use((connection) => {
    const claimed = Effect.map(
      run(connection, claimRows(table, due)),
      (answer): Attempt<ReadonlyArray<RowOf<T>>, never> =>
        answer._tag === "Failed"
          ? answer
          : settled(
              inDueOrder(
                table,
                answer.rows.map((values) => decodeRow(table, values) as RowOf<T>)
              )
            )
    )
    return Effect.tap(claimed, discardReadOnly(connections, connection))
  })

/** Compares the clocks at the middle of the round trip. */
export const health = (
  connections: Connections,
  schema: SchemaRange,
  requireStandby: boolean
): Effect.Effect<Attempt<Health, never>> =>
  connections.use(
    Effect.fnUntraced(function* (connection) {
      const fit = yield* run(connection, schemaFit(schema))
      if (fit._tag === "Failed" && fit.failure.code !== undefinedTable) return fit
      const sentAt = yield* Clock.currentTimeMillis
      const server = yield* run(connection, serverState)
      const answeredAt = yield* Clock.currentTimeMillis
      if (server._tag === "Failed") return server
      const [writable, time, isReplicated] = server.rows[0]!
      // A worker that is not healthy writes nothing, and would never notice that another host takes writes by now.
      if (writable !== true) yield* connections.discard(connection)
      return settled({
        writable: writable === true,
        schemaFits: fit._tag === "Failed" ? schema.oldest === 0 : fit.rows[0]![0] === true,
        clockOffset: Number(time) - (sentAt + answeredAt) / 2,
        replicated: !requireStandby || isReplicated === true
      })
    })
  )

const undefinedTable = "42P01"

/** Every expand that the program knows has run, and no contract that it does not know. */
const schemaFit = (schema: SchemaRange): Statement => ({
  sql:
    `select coalesce(max(id) filter (where steps_left = 0), 0) >= ${schema.oldest} and ${unknownContract(schema)} is null` +
    ` from ${migrationRecords}`,
  parameters: [],
  label: "schema"
})

const serverState: Statement = {
  sql:
    "select not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off'," +
    ` (extract(epoch from clock_timestamp()) * 1000)::double precision, ${hasStandby}`,
  parameters: [],
  label: "server state"
}

const settled = <A>(value: A): Attempt<A, never> => ({ _tag: "Ended", exit: Exit.succeed(value) })

/** The rows of one statement, or its failure. */
export const run = (connection: PgConnection.PgConnection, statement: Statement) =>
  Effect.map(Effect.exit(connection.queryValues(statement.sql, statement.parameters)), (exit) =>
    Exit.isSuccess(exit)
      ? { _tag: "Answered" as const, rows: exit.value as Rows }
      : { _tag: "Failed" as const, failure: failureOf(exit.cause, statement.label) }
  )
