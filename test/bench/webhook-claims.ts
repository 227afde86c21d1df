/** The cost of a claim among few finished webhooks, and among very many. */
import { Effect, Layer, type Scope } from "effect"
import { SecureRandom } from "effect/crypto"
import { migrate } from "../../src/adapters/migrator.ts"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import { claimRows } from "../../src/adapters/postgres-storage/statements.ts"
import { migrations } from "../../src/migrations/all.ts"
import { addMilliseconds, never, now } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { claimSends } from "../../src/webhooks/claim.ts"
import { WebhookEvents, WebhookSubscriptions } from "../../src/webhooks/store.ts"
import { postgresStorage, testService } from "../support/service.ts"
import { inDatabase, makeSubscriptions, queueDeliveries } from "./backlog.ts"
import { fillHistory } from "./webhook-history.ts"
import type { Extent } from "./extent.ts"
import { readable, type Figure } from "./figure.ts"
import { median } from "./measure.ts"
import { planOf } from "./plans.ts"

const few = 1_000

export interface ClaimCosts {
  readonly figure: Figure
  /** The query plans of the claims among the many. */
  readonly plans: ReadonlyArray<string>
}

/** Two databases with the same due webhooks, claimed in turns. */
export const compareClaims = Effect.fnUntraced(function* (server: ConnectionOptions, extent: Extent) {
  const { claims, finishedWebhooks: many } = extent
  const origin = yield* newDatabase(server, "claims_origin", "template0")
  yield* migrate(origin, migrations)
  const subscriptionIds = yield* makeSubscriptions(limits.webhookBatch).pipe(
    Effect.provide(testService(postgresStorage(origin)))
  )
  yield* queueDeliveries(origin, subscriptionIds, subscriptionIds.length * (limits.webhookAttemptsPerSubscription + 1))
  const small = yield* newDatabase(server, "claims_small", "claims_origin")
  const large = yield* newDatabase(server, "claims_large", "claims_origin")
  yield* fillHistory(small, { finished: few, due: 0 })
  yield* fillHistory(large, { finished: many, due: 0 })
  const [amongFew, amongMany] = yield* inTurns(
    claims,
    claimsOf(small, subscriptionIds),
    claimsOf(large, subscriptionIds)
  )
  const figure: Figure = {
    what: `a claim of ${limits.webhookBatch} sends among ${readable(many)} finished ones, against ${readable(few)}`,
    measured: `${readable(median(amongMany))} ms`,
    against: `${readable(median(amongFew))} ms`,
    ratio: median(amongMany) / median(amongFew),
    aim: { atMost: 1.5 }
  }
  return { figure, plans: yield* plansOf(large) } satisfies ClaimCosts
}, Effect.scoped)

const newDatabase = (server: ConnectionOptions, name: string, template: string) =>
  Effect.as(inDatabase(server, [`create database ${name} template ${template}`]), { ...server, database: name })

/** The first call of each warms it up. */
const inTurns = Effect.fnUntraced(function* <E>(
  turns: number,
  one: Effect.Effect<Effect.Effect<number, E>, E, Scope.Scope>,
  other: Effect.Effect<Effect.Effect<number, E>, E, Scope.Scope>
) {
  const times = Effect.all([yield* one, yield* other])
  const pairs = yield* Effect.forEach(Array.from({ length: turns }), () => times)
  const measured = pairs.slice(1)
  return [measured.map(([of]) => of), measured.map(([, of]) => of)] as const
})

/** Milliseconds of a claim that fills a worker's capacity; the data is reset afterwards. */
const claimsOf = Effect.fnUntraced(function* (database: ConnectionOptions, subscriptionIds: ReadonlyArray<string>) {
  const context = yield* Layer.build(Layer.merge(postgresStorage(database), SecureRandom.layerWebCrypto))
  const places = limits.webhookBatch
  const undo = undoClaims(database, subscriptionIds)
  return Effect.gen(function* () {
    const began = performance.now()
    const { sends } = yield* Effect.provideContext(claimSends({ places, failing: places }), context)
    const took = performance.now() - began
    if (sends.length !== places) throw new Error(`${sends.length} sends were claimed`)
    yield* undo
    return took
  })
})

/** Lets the deliveries of these subscriptions be claimed again. */
export const undoClaims = (database: ConnectionOptions, subscriptionIds: ReadonlyArray<string>) => {
  const ids = subscriptionIds.map((id) => `'${id}'`).join(", ")
  return inDatabase(database, [
    `update webhook_deliveries set leased_until = now(), lease_token = ''
     where subscription_id in (${ids}) and due_at < '${never}'`,
    `update webhook_subscriptions set due_at = now() - interval '1 minute', leased_until = now(), flights = '[]'
     where subscription_id in (${ids})`
  ])
}

const plansOf = Effect.fnUntraced(function* (database: ConnectionOptions) {
  const dueBy = yield* now
  const claim = {
    dueBy,
    leaseUntil: addMilliseconds(dueBy, limits.webhookLease),
    token: "",
    limit: limits.webhookBatch
  }
  return yield* Effect.forEach([WebhookSubscriptions, WebhookEvents], (table) =>
    Effect.map(planOf(database, claimRows(table, claim)), (nodes) => {
      const told = nodes.map(({ type, index, rows, pages }) => `${index ?? type} (${rows} rows, ${pages} pages)`)
      return `  claim ${table.name}: ${told.join(" > ")}`
    })
  )
})
