/** Subscriptions with queued deliveries, and the claims of a test's worker. */
import { Deferred, Effect } from "effect"
import { exclusive, Storage, type LockPlan, type Transaction } from "../../src/ports/storage.ts"
import type { Instant } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { claimSends, type WorkerCapacity } from "../../src/webhooks/claim.ts"
import { fanOutDue } from "../../src/webhooks/fan-out.ts"
import { insertDeliveries, setDelivery, setSubscription, storedOf, subscribeAsAgent } from "./webhooks.ts"
import { sendCommand, readProject, respondTo, startProject, type StartedProject } from "./parties.ts"
import { createdBody } from "./workspace.ts"

/** The full capacity of one worker. */
export const fullCapacity = { places: limits.webhookBatch, failing: limits.webhookBatch / 2 }

export const times = (count: number) => Array.from({ length: count }, (_, index) => index)

/** The supplier's agent accepts the terms, which appends an event. */
export const respond = Effect.fnUntraced(function* (started: StartedProject) {
  const { supplierAgent, projectId } = started
  const view = yield* readProject(supplierAgent.token, projectId)
  createdBody(yield* sendCommand(supplierAgent.token, projectId, "respond", respondTo(view, started)))
})

/** A project with that many subscriptions of its buyer's agent, and one event not yet numbered. */
export const projectWithEvent = Effect.fnUntraced(function* (count = 1) {
  const started = yield* startProject()
  const { token } = started.buyerAgent
  const made = yield* Effect.forEach(times(count), () => subscribeAsAgent(token, [started.projectId]))
  yield* respond(started)
  return { ...started, token, ids: made.map(({ subscription }) => subscription.id) }
})

/** The same, with the event numbered. */
export const projectWithDeliveries = Effect.fnUntraced(function* (count = 1) {
  const world = yield* projectWithEvent(count)
  yield* fanOutDue()
  return { ...world, id: world.ids[0]! }
})

/** Makes that many deliveries of a subscription due since then. */
export const setDueSince = Effect.fnUntraced(function* (id: string, dueAt: Instant, count = 1) {
  yield* insertDeliveries(id, count)
  const { deliveries } = yield* storedOf(id)
  for (const { deliveryId } of deliveries) yield* setDelivery(id, deliveryId, { dueAt })
  yield* setSubscription(id, { dueAt })
})

export const subscriptionOf = (id: string) => Effect.map(storedOf(id), ({ subscription }) => subscription)

export const claimDue = (places: WorkerCapacity = fullCapacity) => Effect.map(claimSends(places), ({ sends }) => sends)

/** The storage with an effect that runs after rows have been claimed. */
export const withAfterClaim = Effect.fnUntraced(function* (act: Effect.Effect<unknown>) {
  const storage = yield* Storage
  const claim: Storage["Service"]["claim"] = (table, given) => Effect.tap(storage.claim(table, given), () => act)
  return Storage.of({ ...storage, claim })
})

/** The storage with a wrapper around transactions on certain locks. */
export const withTransactions = Effect.fnUntraced(function* (
  around: <A, E, R>(plan: LockPlan, run: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
) {
  const storage = yield* Storage
  const transaction = <A, E, R>(plan: LockPlan, body: (transaction: Transaction) => Effect.Effect<A, E, R>) =>
    around(plan, storage.transaction(plan, body))
  return Storage.of({ ...storage, transaction })
})

/** Holds the lock of the project in another transaction until the scope ends. */
export const holdProject = Effect.fnUntraced(function* (projectId: string) {
  const storage = yield* Storage
  const locked = yield* Deferred.make<void>()
  const holding = storage.transaction({ locks: [exclusive("project", projectId)] }, () =>
    Effect.andThen(Deferred.succeed(locked, undefined), Effect.never)
  )
  yield* Effect.forkScoped(holding)
  yield* Deferred.await(locked)
})
