/** The cost of a claim among few payment attempts that are read back no more, and among very many. */
import { Effect, Layer } from "effect"
import { migrate } from "../../src/adapters/migrator.ts"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import { claimRows } from "../../src/adapters/postgres-storage/statements.ts"
import { CommerceOrders } from "../../src/commerce/store.ts"
import { migrations } from "../../src/migrations/all.ts"
import { Storage } from "../../src/ports/storage.ts"
import { addMilliseconds, never, now } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { postgresStorage } from "../support/service.ts"
import { inDatabase } from "./backlog.ts"
import type { Extent } from "./extent.ts"
import { readable, type Figure, type Section } from "./figure.ts"
import { median } from "./measure.ts"
import { fillAttempts } from "./payment-history.ts"
import { planOf } from "./plans.ts"

const few = 1_000

/** Two databases with the same due attempts, claimed in turns; the first turn warms both up. */
export const compareAttemptClaims = Effect.fnUntraced(function* (
  server: ConnectionOptions,
  { claims, finishedWebhooks: many }: Extent
) {
  const [small, large] = [
    yield* databaseWith(server, "attempts_small", few),
    yield* databaseWith(server, "attempts_large", many)
  ]
  const [ofSmall, ofLarge] = [yield* claimsOf(small), yield* claimsOf(large)]
  const turns: Array<readonly [number, number]> = []
  for (let turn = 0; turn <= claims; turn++) turns.push([yield* ofSmall, yield* ofLarge])
  const [amongFew, amongMany] = ([0, 1] as const).map((side) => median(turns.slice(1).map((turn) => turn[side]))) as [
    number,
    number
  ]
  const figure: Figure = {
    what: `a claim of ${limits.paymentBatch} attempts among ${readable(many)}, against ${readable(few)}`,
    measured: `${readable(amongMany)} ms`,
    against: `${readable(amongFew)} ms`,
    ratio: amongMany / amongFew,
    aim: { atMost: 1.5 }
  }
  return { title: "Claims of due payment attempts", figures: [figure], notes: [yield* planIn(large)] } satisfies Section
}, Effect.scoped)

const databaseWith = Effect.fnUntraced(function* (server: ConnectionOptions, name: string, finished: number) {
  yield* inDatabase(server, [`create database ${name} template template0`])
  const database = { ...server, database: name }
  yield* migrate(database, migrations)
  yield* fillAttempts(database, { finished, due: limits.paymentBatch })
  return database
})

/** Milliseconds of a claim of a full batch, which is undone afterwards. */
const claimsOf = Effect.fnUntraced(function* (database: ConnectionOptions) {
  const context = yield* Layer.build(postgresStorage(database))
  const undo = inDatabase(database, [
    `update commerce_orders set leased_until = '2026-01-01', lease_token = '' where due_at < '${never}'`
  ])
  return Effect.gen(function* () {
    const storage = yield* Storage
    const claim = yield* claimNow
    const began = performance.now()
    const claimed = yield* storage.claim(CommerceOrders, claim)
    const took = performance.now() - began
    if (claimed.length !== limits.paymentBatch) throw new Error(`${claimed.length} attempts were claimed`)
    yield* undo
    return took
  }).pipe(Effect.provideContext(context))
})

const claimNow = Effect.map(now, (dueBy) => ({
  dueBy,
  leaseUntil: addMilliseconds(dueBy, limits.paymentLease),
  token: "token",
  limit: limits.paymentBatch
}))

const planIn = Effect.fnUntraced(function* (database: ConnectionOptions) {
  const nodes = yield* planOf(database, claimRows(CommerceOrders, yield* claimNow))
  const told = nodes.map(({ type, index, rows, pages }) => `${index ?? type} (${rows} rows, ${pages} pages)`)
  return `  claim ${CommerceOrders.name}: ${told.join(" > ")}`
})
