/** Rows of webhook attempts for tests of their partitions, without the rows that they belong to. */
import { Effect, type Scope } from "effect"
import { PgConnection } from "@effect/sql-pg"
import type { SqlError } from "effect/sql/SqlError"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"

/** Statements that insert without foreign keys, which tests of partitions need no other rows for. */
export const withoutForeignKeys = (connection: ConnectionOptions) =>
  Effect.tap(PgConnection.make(connection), (session) => session.query("set session_replication_role = replica"))

/** An attempt of a delivery that has ended, begun at each of these instants. */
export const attemptsAt = (...instants: ReadonlyArray<string>): string =>
  "insert into webhook_attempts select 'whd_' || number, number, 's', at, '', null, 't', 'ACKNOWLEDGED', 204, 12" +
  ` from unnest(array[${instants.map((at) => `'${at}'`).join(", ")}]::timestamptz[]) with ordinality as given (at, number)`

export const deliveriesOfAttempts =
  "insert into webhook_deliveries select delivery_id, 's', row_number() over (), delivery_id, 'e', 't', 'p', 'DELIVERED', 1, 1," +
  " null, '9999-12-31T23:59:59.999Z', '', now() from (select distinct delivery_id from webhook_attempts) as attempts"

/** The rows of each partition that has any, by the partition's name. */
export const rowsByPartition = (
  connection: ConnectionOptions
): Effect.Effect<Readonly<Record<string, number>>, SqlError, Scope.Scope> =>
  Effect.flatMap(PgConnection.make(connection), (session) =>
    Effect.map(
      session.queryValues("select tableoid::regclass::text, count(*)::int from webhook_attempts group by 1 order by 1"),
      (rows) => Object.fromEntries(rows.map(([name, count]) => [String(name), Number(count)]))
    )
  )
