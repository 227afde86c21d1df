/** Subscriptions with queued deliveries, and the claims of a test's worker. */
import { Deferred, Effect } from "effect"
import { exclusive, Storage, type Plan, type Transaction } from "../../src/ports/storage.ts"
import type { Instant } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { claimSends, type Room } from "../../src/webhooks/claim.ts"
import { fanOutDue } from "../../src/webhooks/fan-out.ts"
import { fill, setDelivery, setSubscription, storedOf, subscribed } from "./callbacks.ts"
import { command, readProject, respondTo, startProject, type Started } from "./parties.ts"
import { made } from "./workspace.ts"

/** The full capacity of one worker. */
export const wholeRoom = { places: limits.callbackBatch, failing: limits.callbackBatch / 2 }

export const times = (count: number) => Array.from({ length: count }, (_, index) => index)

/** The supplier's agent accepts the terms, which appends an event. */
export const respond = Effect.fnUntraced(function* (started: Started) {
  const { supplierAgent, projectId } = started
  const view = yield* readProject(supplierAgent.token, projectId)
  made(yield* command(supplierAgent.token, projectId, "respond", respondTo(view, started)))
})

/** A project with that many subscriptions of its buyer's agent, and one event not yet numbered. */
export const committed = Effect.fnUntraced(function* (count = 1) {
  const started = yield* startProject()
  const { token } = started.buyerAgent
  const made = yield* Effect.forEach(times(count), () => subscribed(token, [started.projectId]))
  yield* respond(started)
  return { ...started, token, ids: made.map(({ subscription }) => subscription.id) }
})

/** The same, with the event numbered. */
export const queuedFor = Effect.fnUntraced(function* (count = 1) {
  const world = yield* committed(count)
  yield* fanOutDue()
  return { ...world, id: world.ids[0]! }
})

/** Makes that many deliveries of a subscription due since then. */
export const dueSince = Effect.fnUntraced(function* (id: string, dueAt: Instant, count = 1) {
  yield* fill(id, count)
  const { deliveries } = yield* storedOf(id)
  for (const { deliveryId } of deliveries) yield* setDelivery(id, deliveryId, { dueAt })
  yield* setSubscription(id, { dueAt })
})

export const subscriptionOf = (id: string) => Effect.map(storedOf(id), ({ subscription }) => subscription)

export const claimed = (places: Room = wholeRoom) => Effect.map(claimSends(places), ({ sends }) => sends)

/** The storage with an effect that runs after rows have been claimed. */
export const withAfterClaim = Effect.fnUntraced(function* (act: Effect.Effect<unknown>) {
  const storage = yield* Storage
  const claim: Storage["Service"]["claim"] = (table, given) => Effect.tap(storage.claim(table, given), () => act)
  return Storage.of({ ...storage, claim })
})

/** The storage with a wrapper around transactions on certain locks. */
export const withTransactions = Effect.fnUntraced(function* (
  around: <A, E, R>(plan: Plan, run: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
) {
  const storage = yield* Storage
  const transaction = <A, E, R>(plan: Plan, body: (transaction: Transaction) => Effect.Effect<A, E, R>) =>
    around(plan, storage.transaction(plan, body))
  return Storage.of({ ...storage, transaction })
})

/** Holds the lock of the project in another transaction until the scope ends. */
export const holdProject = Effect.fnUntraced(function* (projectId: string) {
  const storage = yield* Storage
  const locked = yield* Deferred.make<void>()
  const holding = storage.transaction({ roots: [exclusive("project", projectId)] }, () =>
    Effect.andThen(Deferred.succeed(locked, undefined), Effect.never)
  )
  yield* Effect.forkScoped(holding)
  yield* Deferred.await(locked)
})
