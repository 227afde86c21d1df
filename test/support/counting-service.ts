/** A whole service on a database of its own that counts the statements of its transactions and views. */
import { Context, Effect, Layer } from "effect"
import { newestOf } from "../../src/adapters/migrator.ts"
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
    /** The statements of each transaction and view, without BEGIN and COMMIT. */
    readonly counts: Array<number>
    /** Statements, with BEGIN and COMMIT, and round trips of each transaction and view. */
    readonly observed: Array<Counts>
  }
>()("test/Counted") {}

export const countingService = Layer.unwrap(
  Effect.map(freshService, (connection) => {
    const counts: Array<number> = []
    const observed: Array<Counts> = []
    const storage = PostgresStorage.layer({
      connection,
      tables,
      lockTables,
      schemaWanted: newestOf(migrations),
      observe: (one) => {
        counts.push(one.statements - 2)
        observed.push(one)
      }
    })
    return Layer.merge(testService(storage), Layer.succeed(Counted, { connection, counts, observed }))
  })
)
