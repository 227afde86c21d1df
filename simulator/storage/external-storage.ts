/**
 * A real store under virtual time: every external call is registered with the scheduler, which freezes time until it
 * returns. The body of a transaction runs inside the simulator.
 */
import { Effect } from "effect"
import type { Reader, Storage, Transaction } from "../../src/ports/storage.ts"
import type { VirtualScheduler } from "../kernel/scheduler.ts"

type StorageShape = Storage["Service"]

export const withExternalCalls = (kernel: VirtualScheduler, storage: StorageShape): StorageShape => ({
  transaction: (plan, body) =>
    kernel.external("storage.transaction", (inside) =>
      storage.transaction(plan, (transaction) => inside(body(announceTransaction(kernel, transaction))))
    ),
  view: (body) =>
    kernel.external("storage.view", (inside) => storage.view((reader) => inside(body(announceReader(kernel, reader))))),
  claim: (table, claim) => kernel.external("storage.claim", () => storage.claim(table, claim)),
  // The clock of the database is real time, which the world does not use.
  health: Effect.map(
    kernel.external("storage.health", () => storage.health),
    (health) => ({ ...health, clockOffset: 0 })
  )
})

const announceReader = (kernel: VirtualScheduler, reader: Reader): Reader => ({
  get: (table, key) => kernel.external("storage.get", () => reader.get(table, key)),
  find: (table, index, values) => kernel.external("storage.find", () => reader.find(table, index, values)),
  range: (table, index, range) => kernel.external("storage.range", () => reader.range(table, index, range))
})

const announceTransaction = (kernel: VirtualScheduler, transaction: Transaction): Transaction => ({
  ...announceReader(kernel, transaction),
  afterCommit: (wake) => transaction.afterCommit(wake),
  lock: (root) => kernel.external("storage.lock", () => transaction.lock(root)),
  now: kernel.external("storage.now", () => transaction.now),
  insert: (table, row) => kernel.external("storage.insert", () => transaction.insert(table, row)),
  update: (table, key, changes) => kernel.external("storage.update", () => transaction.update(table, key, changes)),
  remove: (table, key) => kernel.external("storage.remove", () => transaction.remove(table, key))
})
