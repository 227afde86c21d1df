/**
 * A store that remembers: every fiber's history takes in what the store told it, and what a transition has read and
 * written is noted. It stands next to the store, so that nothing a fiber learns from it is left out.
 */
import { Clock, Effect } from "effect"
import type { Reader, Storage, Transaction } from "../../src/ports/storage.ts"
import type { AnyTable } from "../../src/ports/table.ts"
import { InLine } from "../kernel/line.ts"

/**
 * What was read and written since somebody went on, by table and key; `*` is any row of a table. Whose history had
 * something added to it was written to as well: `line worker`.
 */
export class Footprint {
  readonly reads = new Set<string>()
  readonly writes = new Set<string>()
}

type StorageShape = Storage["Service"]

export const remembering = (storage: StorageShape, footprint: () => Footprint): StorageShape => ({
  transaction: (plan, body) =>
    told(
      ["transaction", plan],
      storage.transaction(plan, (transaction) => body(noting(transaction, footprint)))
    ),
  view: (body) =>
    told(
      ["view"],
      storage.view((reader) => body(notingReads(reader, footprint)))
    ),
  claim: (table, claim) =>
    told(
      ["claim", table.name, claim],
      Effect.tap(storage.claim(table, claim), (rows) => {
        footprint().reads.add(`${table.name} *`)
        for (const row of rows) footprint().writes.add(rowName(table, row))
        return tell(rows)
      })
    ),
  health: storage.health
})

/** What was asked, and at which moment it came back, is part of what is learned: another fiber may ask something else. */
const told = <A, E, R>(what: ReadonlyArray<unknown>, asked: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.onExit(asked, (exit) => Effect.flatMap(Clock.currentTimeMillis, (now) => tell([...what, now, exit._tag])))

const tell = (what: unknown): Effect.Effect<void> =>
  Effect.map(Effect.service(InLine), (line) => line?.tell(what ?? null))

const notingReads = (reader: Reader, footprint: () => Footprint): Reader => ({
  get: (table, key) =>
    Effect.tap(reader.get(table, key), (row) => {
      footprint().reads.add(`${table.name} ${JSON.stringify(key)}`)
      return tell([table.name, key, row])
    }),
  find: (table, index, values) =>
    Effect.tap(reader.find(table, index, values), (row) => {
      footprint().reads.add(`${table.name} *`)
      return tell([table.name, index, values, row])
    }),
  range: (table, index, range) =>
    Effect.tap(reader.range(table, index, range), (rows) => {
      footprint().reads.add(`${table.name} *`)
      return tell([table.name, index, range, rows])
    })
})

const noting = (transaction: Transaction, footprint: () => Footprint): Transaction => {
  const note = (name: string) => Effect.sync(() => void footprint().writes.add(name))
  return {
    ...notingReads(transaction, footprint),
    lock: (root) => transaction.lock(root),
    now: transaction.now,
    afterCommit: (wake) => transaction.afterCommit(wake),
    insert: (table, row) => Effect.tap(transaction.insert(table, row), note(rowName(table, row))),
    update: (table, key, changes) =>
      Effect.tap(transaction.update(table, key, changes), note(`${table.name} ${JSON.stringify(key)}`)),
    remove: (table, key) => Effect.tap(transaction.remove(table, key), note(`${table.name} ${JSON.stringify(key)}`))
  }
}

const rowName = (table: AnyTable, row: object): string =>
  `${table.name} ${JSON.stringify(table.key.map((column: string) => Reflect.get(row, column)))}`
