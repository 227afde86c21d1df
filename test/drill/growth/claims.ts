/** Claims of due webhooks on the full database and on the empty one, in turns. */
import { Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import type { ConnectionOptions } from "../../../src/adapters/postgres-storage/connections.ts"
import { never } from "../../../src/vocabulary/instant.ts"
import { limits } from "../../../src/vocabulary/limits.ts"
import { claimSends } from "../../../src/webhooks/claim.ts"
import { inDatabase, makeSubscriptions, queueDeliveries } from "../../bench/backlog.ts"
import { cpuOfTree } from "../../bench/commands/cpu.ts"
import { undoClaims } from "../../bench/webhook-claims.ts"
import { postgresStorage, testService } from "../../support/service.ts"
import { type Cost, type Pair, pairsInTurns } from "./cost.ts"

/** Each claim fills the capacity of a worker; the first pairs warm up. */
export const measureClaims = Effect.fnUntraced(function* (
  databases: Pair<ConnectionOptions>,
  postmasterPid: number,
  { rounds, warmUp }: { readonly rounds: number; readonly warmUp: number }
) {
  const full = yield* claimsOn(databases.full, postmasterPid)
  const empty = yield* claimsOn(databases.empty, postmasterPid)
  const costs = yield* pairsInTurns(rounds + warmUp, { full: full.claim, empty: empty.claim })
  yield* full.end
  yield* empty.end
  return { full: costs.full.slice(warmUp), empty: costs.empty.slice(warmUp) } satisfies Pair<ReadonlyArray<Cost>>
}, Effect.scoped)

const places = limits.webhookBatch

const claimsOn = Effect.fnUntraced(function* (database: ConnectionOptions, postmasterPid: number) {
  const subscriptionIds = yield* makeSubscriptions(places).pipe(Effect.provide(testService(postgresStorage(database))))
  yield* queueDeliveries(database, subscriptionIds, places * (limits.webhookAttemptsPerSubscription + 1))
  const context = yield* Layer.build(Layer.merge(postgresStorage(database), SecureRandom.layerWebCrypto))
  const claim = Effect.gen(function* () {
    const cpuBefore = [process.cpuUsage(), cpuOfTree(postmasterPid)] as const
    const began = performance.now()
    const { sends } = yield* Effect.provideContext(claimSends({ places, failing: places }), context)
    const milliseconds = [performance.now() - began]
    const { user, system } = process.cpuUsage(cpuBefore[0])
    const postgres = cpuOfTree(postmasterPid) - cpuBefore[1]
    if (sends.length !== places) throw new Error(`${sends.length} sends were claimed`)
    yield* undoClaims(database, subscriptionIds)
    return { milliseconds, server: (user + system) / 1000, postgres } satisfies Cost
  })
  // No server that starts on the database later sends them.
  const ids = subscriptionIds.map((id) => `'${id}'`).join(", ")
  const end = inDatabase(database, [
    `update webhook_deliveries set due_at = '${never}', state = 'CANCELLED' where subscription_id in (${ids})`,
    `update webhook_subscriptions set due_at = '${never}' where subscription_id in (${ids})`
  ])
  return { claim, end }
})
