/** Statements of the plain peer, by `pg`: each is prepared once for each connection, and those sent together share a round trip. */
import pg from "pg"
import type { AnyTable } from "../../../src/ports/table.ts"

pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text) => new Date(text).toISOString())

export interface Statement {
  readonly name: string
  readonly text: string
  readonly values: Array<unknown>
}

export const openPool = (connectionString: string, max: number) =>
  new pg.Pool({ connectionString, max, pipeline: true, options: "-c TimeZone=UTC -c lock_timeout=2s" } as pg.PoolConfig)

/** Sends statements without waiting for the answers of earlier ones; throws the first error once all have ended. */
export const sendTogether = async (
  connection: pg.Pool | pg.PoolClient,
  statements: ReadonlyArray<Statement | string>
): Promise<ReadonlyArray<pg.QueryResult>> => {
  const settled = await Promise.allSettled(statements.map((statement) => connection.query(statement as string)))
  return settled.map((one) => {
    if (one.status === "rejected") throw one.reason
    return one.value
  })
}

/** The columns of a table under the names of its declaration. */
export const columnsOf = (table: AnyTable, alias: string): string =>
  Object.keys(table.columns)
    .map((name) => `${alias}.${columnName(name)} as "${name}"`)
    .join(", ")

export const columnName = (name: string): string => name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`)
