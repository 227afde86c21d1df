/** A whole service on a database of its own that counts the statements of its transactions and views. */
import { Context, Effect, Layer } from "effect"
import { newestOf } from "../../src/adapters/migrator.ts"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import * as PostgresStorage from "../../src/adapters/postgres-storage/layer.ts"
import { migrations } from "../../src/migrations/all.ts"
import { lockTables, tables } from "../../src/tables.ts"
import { freshService, testService } from "./service.ts"

export class Counted extends Context.Service<
  Counted,
  {
    readonly connection: ConnectionOptions
    /** The statements of each transaction and view, without BEGIN and COMMIT. */
    readonly counts: Array<number>
  }
>()("test/Counted") {}

export const countingService = Layer.unwrap(
  Effect.map(freshService, (connection) => {
    const counts: Array<number> = []
    const storage = PostgresStorage.layer({
      connection,
      tables,
      lockTables,
      schemaWanted: newestOf(migrations),
      observe: ({ statements }) => void counts.push(statements - 2)
    })
    return Layer.merge(testService(storage), Layer.succeed(Counted, { connection, counts }))
  })
)
