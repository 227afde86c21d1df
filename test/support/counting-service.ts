/** A whole service on a database of its own that counts the statements of its transactions and views. */
import { Context, Effect, Layer } from "effect"
import { schemaRangeOf } from "../../src/migrations/migration.ts"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import * as PostgresStorage from "../../src/adapters/postgres-storage/layer.ts"
import type { Counts } from "../../src/adapters/postgres-storage/session.ts"
import { migrations } from "../../src/migrations/all.ts"
import { lockTables, tables } from "../../src/tables.ts"
import { freshService, testService } from "./service.ts"

export class Counted extends Context.Service<
  Counted,
  {
    readonly connection: ConnectionOptions
    /** Statements, with BEGIN and COMMIT, and round trips of each transaction and view. */
    readonly observed: Array<Counts>
  }
>()("test/Counted") {}

/** The statements of each transaction and view, without BEGIN and COMMIT. */
export const statementsOf = (observed: ReadonlyArray<Counts>): ReadonlyArray<number> =>
  observed.map(({ statements }) => statements - 2)

/** Storage that adds the counts of each of its transactions and views to `observed`. */
export const countingStorage = (connection: ConnectionOptions, observed: Array<Counts>) =>
  PostgresStorage.layer({
    connection,
    tables,
    lockTables,
    schema: schemaRangeOf(migrations),
    observe: (one) => void observed.push(one)
  })

export const countingService = Layer.unwrap(
  Effect.map(freshService, (connection) => {
    const observed: Array<Counts> = []
    return Layer.merge(
      testService(countingStorage(connection, observed)),
      Layer.succeed(Counted, { connection, observed })
    )
  })
)
