/** The worker loop of webhooks: fan out, claim, and send concurrently. */
import { Effect, FiberSet, Option, Queue, Semaphore, type Scope } from "effect"
import type { SecureRandom } from "effect/crypto"
import type { Caches } from "../ports/caches.ts"
import type { WebhookSender } from "../ports/webhook-sender.ts"
import { WebhookWakeup } from "../ports/webhook-wakeup.ts"
import type { Secrets } from "../ports/secrets.ts"
import { inView } from "../ports/storage/run.ts"
import { isHealthy, Storage } from "../ports/storage.ts"
import { later, now as currentTime, toMilliseconds } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { claimSends, endClaimedSubscription, type LeasedSend, type WorkerCapacity } from "./claim.ts"
import { fanOutDue } from "./fan-out.ts"
import { type HealthCheck, cacheHealth } from "./health-cache.ts"
import { changeSendsInProgress } from "./metrics.ts"
import { ConfiguredWebhookTiming } from "../ports/webhook-timing.ts"
import { sendWebhook } from "./send.ts"
import { CurrentSendSteps, makeBatchedSteps } from "./send-steps.ts"
import { WebhookSubscriptions, type SubscriptionRow } from "./store.ts"

/** Runs until interrupted; then releases every send in progress and wakes other workers. */
export const dispatchWebhooks = Effect.gen(function* () {
  const { notify } = yield* WebhookWakeup
  const storage = yield* Storage
  const health = yield* cacheHealth(storage.health)
  const signals = yield* Queue.sliding<void>(1)
  const requestPass = Effect.asVoid(Queue.offer(signals, undefined))
  // Finalizers run in reverse: this one runs after every send has been released.
  yield* Effect.addFinalizer(() => notify)
  const places = yield* makeCapacity(requestPass)
  yield* Effect.forkScoped(fanOutContinuously(health, places, requestPass))
  return yield* sendDue(health, places, Queue.take(signals))
}).pipe(Effect.scoped)

/** Fans out the outbox concurrently to the sends: a commit with many listeners delays no send. */
const fanOutContinuously = Effect.fnUntraced(function* (
  health: HealthCheck,
  places: Capacity,
  requestPass: Effect.Effect<void>
) {
  const { interval } = yield* ConfiguredWebhookTiming
  const { notify, awaitNotification } = yield* WebhookWakeup
  for (;;) {
    const { isAny, isMore } = (yield* ifHealthy(health, fanOutDue(requestPass))) ?? noEvents
    // Another worker may have capacity for the deliveries numbered here.
    if (isAny && places.room().places === 0) yield* notify
    if (isMore) continue
    // A wake-up may also concern deliveries numbered before: a redelivery, a resumption, or sends released by another
    // worker. So the next pass always looks for due sends.
    if (Option.isSome(yield* Effect.timeoutOption(awaitNotification, interval))) yield* requestPass
  }
})

const noEvents = { isAny: false, isMore: false }

const sendDue = Effect.fnUntraced(function* (health: HealthCheck, places: Capacity, signal: Effect.Effect<void>) {
  const { interval } = yield* ConfiguredWebhookTiming
  for (;;) {
    const isMore = yield* ifHealthy(health, passOf(places))
    if (isMore === undefined) yield* Effect.sleep(limits.webhookHealthCache)
    if (isMore !== false) continue
    const wait = places.room().places === 0 ? interval : yield* untilDue(places.room().places, interval)
    yield* Effect.timeoutOption(signal, wait)
  }
})

/** Runs a pass if the store and the clocks are healthy; undefined if not, and if the pass died, which is logged. */
const ifHealthy = <A, R>(
  health: HealthCheck,
  pass: Effect.Effect<A, never, R>
): Effect.Effect<A | undefined, never, R> =>
  Effect.flatMap(health, (found) => (isHealthy(found) ? pass : Effect.undefined)).pipe(
    Effect.catchCause((cause) => Effect.as(Effect.logError("webhook pass failed", cause), undefined))
  )

/** True if another pass would find more immediately. */
const passOf = (places: Capacity) =>
  Effect.suspend(() => {
    const room = places.room()
    if (room.places === 0) return Effect.succeed(false)
    const claimed = Effect.tap(claimSends(room), ({ sends, ended }) =>
      Effect.andThen(
        Effect.forEach(sends, places.send, { discard: true }),
        Effect.forEach(ended, places.end, { discard: true })
      )
    )
    // Interrupted in between, a worker would leave its claims until the lease expires.
    return Effect.map(Effect.uninterruptible(claimed), ({ hasMore }) => hasMore)
  })

/** Milliseconds until the first unclaimed subscription is due, at most one interval. */
const untilDue = (places: number, interval: number) =>
  Effect.gen(function* () {
    // The first ones may be leased to a worker that died: reading one more than the capacity shows the next.
    const first = yield* inView((reader) =>
      reader.range(WebhookSubscriptions, "byDue", { prefix: [], limit: places + 1 })
    )
    const now = toMilliseconds(yield* currentTime)
    const waits = first.map(({ dueAt, leasedUntil }) => toMilliseconds(later(dueAt, leasedUntil)) - now)
    // A subscription that is already due was just claimed by another worker, or the store is unavailable.
    return Math.min(interval, Math.max(limits.webhookIdleWaitLeast, Math.min(interval, ...waits)))
  }).pipe(Effect.catchCause(() => Effect.succeed(interval)))

/** The sends in progress in one worker. */
interface Capacity {
  readonly room: () => WorkerCapacity
  /** Starts a send concurrently; its place is released when it ends. */
  readonly send: (send: LeasedSend) => Effect.Effect<void>
  /** Ends a subscription concurrently to the sends: it may wait for the locks of its projects. */
  readonly end: (row: SubscriptionRow) => Effect.Effect<void>
}

/** `freed` runs when a send ends. */
const makeCapacity = Effect.fnUntraced(function* (
  freed: Effect.Effect<unknown>
): Effect.fn.Return<
  Capacity,
  never,
  Storage | Caches | WebhookSender | Secrets | SecureRandom.SecureRandom | Scope.Scope
> {
  const { batch } = yield* ConfiguredWebhookTiming
  const context = yield* Effect.context<Storage | Caches | WebhookSender | Secrets | SecureRandom.SecureRandom>()
  const fibers = yield* FiberSet.make<void>()
  const steps = yield* makeBatchedSteps
  const inUse = { all: 0, failing: 0 }
  const ending = new Set<string>()
  const endings = yield* Semaphore.make(limits.webhookEndings)
  const change = ({ isFailing }: LeasedSend, by: 1 | -1) => {
    inUse.all += by
    if (isFailing) inUse.failing += by
  }
  return {
    room: () => ({
      places: batch - inUse.all,
      // Half of the places are reserved for subscriptions that do not fail.
      failing: Math.max(1, Math.floor(batch / 2)) - inUse.failing
    }),
    send: (send) =>
      Effect.suspend(() => {
        change(send, 1)
        const ended = Effect.andThen(
          Effect.sync(() => change(send, -1)),
          Effect.andThen(changeSendsInProgress(-1), freed)
        )
        const sending = Effect.andThen(changeSendsInProgress(1), Effect.ensuring(sendWebhook(send), ended)).pipe(
          Effect.provideService(CurrentSendSteps, steps)
        )
        return Effect.asVoid(FiberSet.run(fibers, Effect.provideContext(sending, context)))
      }),
    end: (row) =>
      Effect.suspend(() => {
        // The subscription can be claimed again while it waits for a permit.
        if (ending.has(row.subscriptionId)) return Effect.void
        ending.add(row.subscriptionId)
        const ended = Effect.sync(() => void ending.delete(row.subscriptionId))
        const run = Effect.ensuring(endings.withPermits(1)(Effect.orDie(endClaimedSubscription(row))), ended)
        return Effect.asVoid(FiberSet.run(fibers, Effect.provideContext(run, context)))
      })
  }
})
