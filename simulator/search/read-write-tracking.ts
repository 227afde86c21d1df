/**
 * A store wrapper that adds every result to the history of the calling fiber and records the reads and writes of each
 * transition. It wraps the store directly, so that no result bypasses it.
 */
import { Clock, Effect } from "effect"
import { ownKey } from "../../src/ports/storage/lookups.ts"
import type { Reader, Storage, Transaction } from "../../src/ports/storage.ts"
import type { AnyTable } from "../../src/ports/table.ts"
import { CurrentHistory } from "../kernel/fiber-history.ts"
import { digestOfRead } from "../storage/memory-storage/reader.ts"

/**
 * The reads and writes of one transition, by table and key; `*` is any row of a table. A fiber whose history changed
 * counts as written: `fiber worker`.
 */
export class ReadWriteSet {
  readonly reads = new Set<string>()
  readonly writes = new Set<string>()
}

type StorageShape = Storage["Service"]

export const trackReadsAndWrites = (storage: StorageShape, footprint: () => ReadWriteSet): StorageShape => ({
  transaction: (plan, body) =>
    recordingCall(
      ["transaction", plan],
      storage.transaction(plan, (transaction) => body(trackingWrites(transaction, footprint)))
    ),
  view: (body) =>
    recordingCall(
      ["view"],
      storage.view((reader) => body(trackingReads(reader, footprint)))
    ),
  claim: (table, claim) =>
    recordingCall(
      ["claim", table.name, claim],
      Effect.tap(storage.claim(table, claim), (rows) => {
        footprint().reads.add(`${table.name} *`)
        for (const row of rows) footprint().writes.add(rowName(table, row))
        return record(rows.map(digestOfRead))
      })
    ),
  health: storage.health
})

/** The call and the time of its return are part of the history, since another fiber can make another call. */
const recordingCall = <A, E, R>(what: ReadonlyArray<unknown>, asked: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.onExit(asked, (exit) => Effect.flatMap(Clock.currentTimeMillis, (now) => record([...what, now, exit._tag])))

const record = (what: unknown): Effect.Effect<void> =>
  Effect.map(Effect.service(CurrentHistory), (line) => line?.record(what ?? null))

const trackingReads = (reader: Reader, footprint: () => ReadWriteSet): Reader => ({
  get: (table, key) =>
    Effect.tap(reader.get(table, key), (row) => {
      footprint().reads.add(`${table.name} ${JSON.stringify(key)}`)
      return record([table.name, key, row && digestOfRead(row)])
    }),
  find: (table, index, values) =>
    Effect.tap(reader.find(table, index, values), (row) => {
      footprint().reads.add(`${table.name} *`)
      return record([table.name, index, values, row && digestOfRead(row)])
    }),
  range: (table, index, range) =>
    Effect.tap(reader.range(table, index, range), (rows) => {
      footprint().reads.add(`${table.name} *`)
      const related = range.matching?.related?.table.name
      if (related !== undefined) footprint().reads.add(`${related} *`)
      // The rows and the code that asked for them determine what follows; a declaration is no input.
      return record([table.name, index, { ...range, matching: related }, rows.map(digestOfRead)])
    })
})

const trackingWrites = (transaction: Transaction, footprint: () => ReadWriteSet): Transaction => {
  const note = (name: string) => Effect.sync(() => void footprint().writes.add(name))
  return {
    ...trackingReads(transaction, footprint),
    hints: trackingReads(transaction.hints, footprint),
    lock: (root) => transaction.lock(root),
    now: transaction.now,
    afterCommit: (wake) => transaction.afterCommit(wake),
    insert: (table, row) => Effect.tap(transaction.insert(table, row), note(rowName(table, row))),
    update: (table, key, changes) =>
      Effect.tap(transaction.update(table, key, changes), note(`${table.name} ${JSON.stringify(ownKey(table, key))}`)),
    remove: (table, key) =>
      Effect.tap(transaction.remove(table, key), note(`${table.name} ${JSON.stringify(ownKey(table, key))}`))
  }
}

const rowName = (table: AnyTable, row: object): string =>
  `${table.name} ${JSON.stringify(table.key.map((column: string) => Reflect.get(row, column)))}`
