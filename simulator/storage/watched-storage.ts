/**
 * Observes the commits of a store. It wraps the Storage port, so that memory and Postgres report the same: the rows that
 * each committed transaction wrote, in order.
 */
import { Effect } from "effect"
import { ownKey } from "../../src/ports/storage/lookups.ts"
import type { Storage, Transaction } from "../../src/ports/storage.ts"
import type { AnyTable, RowOf } from "../../src/ports/table.ts"
import { CurrentStep } from "../environment/faults/armed-faults.ts"
import { Actor } from "../kernel/actor.ts"
import type { Write } from "../observation/observation.ts"

type StorageShape = Storage["Service"]

export const watchCommits = (
  storage: StorageShape,
  committed: (actor: string, step: number | undefined, writes: ReadonlyArray<Write>) => void
): StorageShape => ({
  ...storage,
  transaction: (plan, body) =>
    Effect.suspend(() => {
      let writes: Array<Write> = []
      const run = storage.transaction(plan, (transaction) => {
        // A body may run more than once; only the writes of its last run are committed.
        writes = []
        return body(watchWrites(transaction, writes))
      })
      return Effect.tap(run, () =>
        Effect.map(Effect.all([Effect.service(Actor), Effect.service(CurrentStep)]), ([actor, step]) => {
          if (writes.length > 0) committed(actor, step, writes)
        })
      )
    })
})

const watchWrites = (transaction: Transaction, writes: Array<Write>): Transaction => {
  const note = (write: Write) => Effect.sync(() => writes.push(write))
  return {
    get: (table, key) => transaction.get(table, key),
    find: (table, index, values) => transaction.find(table, index, values),
    range: (table, index, range) => transaction.range(table, index, range),
    hints: transaction.hints,
    lock: (root) => transaction.lock(root),
    now: transaction.now,
    afterCommit: (wake) => transaction.afterCommit(wake),
    insert: (table, row) =>
      Effect.tap(transaction.insert(table, row), note({ change: "insert", table: table.name, key: keyOf(table, row) })),
    update: (table, key, changes) =>
      Effect.tap(
        transaction.update(table, key, changes),
        note({ change: "update", table: table.name, key: ownKey(table, key) })
      ),
    remove: (table, key) =>
      Effect.tap(transaction.remove(table, key), note({ change: "remove", table: table.name, key: ownKey(table, key) }))
  }
}

const keyOf = <T extends AnyTable>(table: T, row: RowOf<T>): Write["key"] =>
  table.key.map((column: string) => Reflect.get(row, column) as Write["key"][number])
