/** All stored rows, to compare them before and after. */
import { Effect } from "effect"
import { Storage } from "../../src/ports/storage.ts"
import type { AnyTable } from "../../src/ports/table.ts"
import { tables } from "../../src/tables.ts"

/** Every row of every table, in the order of its key. */
export const everyRow = Effect.gen(function* () {
  const storage = yield* Storage
  return yield* storage.view((reader) =>
    Effect.map(
      Effect.forEach(tables, (table: AnyTable) =>
        Effect.map(reader.range(table, "key", { prefix: [], limit: 10_000 }), (rows) => [table.name, rows] as const)
      ),
      (entries) => Object.fromEntries(entries)
    )
  )
})
