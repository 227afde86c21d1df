/**
 * A real store under virtual time: every external call is registered with the scheduler, which freezes time until it
 * returns. The body of a transaction runs inside the simulator.
 */
import { Effect } from "effect"
import type { Reader, Storage, Transaction } from "../../src/ports/storage.ts"
import type { VirtualScheduler } from "../kernel/scheduler.ts"

type StorageShape = Storage["Service"]

export const withExternalCalls = (scheduler: VirtualScheduler, storage: StorageShape): StorageShape => ({
  transaction: (plan, body) =>
    scheduler.external("storage.transaction", (inside) =>
      storage.transaction(plan, (transaction) => inside(body(announceTransaction(scheduler, transaction))))
    ),
  view: (body) =>
    scheduler.external("storage.view", (inside) =>
      storage.view((reader) => inside(body(announceReader(scheduler, reader))))
    ),
  claim: (table, claim) => scheduler.external("storage.claim", () => storage.claim(table, claim)),
  // The clock of the database is real time, which the world does not use.
  health: Effect.map(
    scheduler.external("storage.health", () => storage.health),
    (health) => ({ ...health, clockOffset: 0 })
  )
})

const announceReader = (scheduler: VirtualScheduler, reader: Reader): Reader => ({
  get: (table, key) => scheduler.external("storage.get", () => reader.get(table, key)),
  find: (table, index, values) => scheduler.external("storage.find", () => reader.find(table, index, values)),
  range: (table, index, range) => scheduler.external("storage.range", () => reader.range(table, index, range))
})

const announceTransaction = (scheduler: VirtualScheduler, transaction: Transaction): Transaction => ({
  ...announceReader(scheduler, transaction),
  hints: announceReader(scheduler, transaction.hints),
  afterCommit: (wake) => transaction.afterCommit(wake),
  lock: (root) => scheduler.external("storage.lock", () => transaction.lock(root)),
  now: scheduler.external("storage.now", () => transaction.now),
  insert: (table, row) => scheduler.external("storage.insert", () => transaction.insert(table, row)),
  update: (table, key, changes) => scheduler.external("storage.update", () => transaction.update(table, key, changes)),
  remove: (table, key) => scheduler.external("storage.remove", () => transaction.remove(table, key))
})
