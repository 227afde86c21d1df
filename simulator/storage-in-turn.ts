/**
 * A store that does one thing at a time. Where a worker runs beside the steps of a script, its transactions and theirs
 * follow each other in the order in which they were asked for, which is the same in memory and on Postgres.
 */
import type { Storage } from "../src/ports/storage.ts"
import type { Turnstile } from "./kernel/turnstile.ts"

type StorageShape = Storage["Service"]

export const inTurn = ({ pass }: Turnstile, storage: StorageShape): StorageShape => ({
  transaction: (plan, body) => pass(storage.transaction(plan, body)),
  view: (body) => pass(storage.view(body)),
  claim: (table, claim) => pass(storage.claim(table, claim)),
  health: pass(storage.health)
})
