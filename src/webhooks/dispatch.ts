/** What a worker of callbacks does, pass after pass: fan out, claim, and send without waiting for the slowest. */
import { Effect, FiberSet, Option, Queue, Semaphore, type Scope } from "effect"
import type { SecureRandom } from "effect/crypto"
import type { CallbackSender } from "../ports/callback-sender.ts"
import { CallbackWakeup } from "../ports/callback-wakeup.ts"
import type { Secrets } from "../ports/secrets.ts"
import { isHealthy, Storage } from "../ports/storage.ts"
import { later, now as currentTime, toMilliseconds } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { claimSends, endClaimed, type LeasedSend, type Room } from "./claim.ts"
import { fanOutDue } from "./fan-out.ts"
import { type Health, knownFor } from "./fitness.ts"
import { noteUnderWay } from "./metrics.ts"
import { CallbackPace } from "../ports/callback-pace.ts"
import { sendCallback } from "./send.ts"
import { Settling, settlingTogether } from "./settle-together.ts"
import { WebhookSubscriptions, type SubscriptionRow } from "./store.ts"

/** Works until it is interrupted; then every send that is under way is given back, and other workers are told. */
export const dispatchCallbacks = Effect.gen(function* () {
  const { ring } = yield* CallbackWakeup
  const storage = yield* Storage
  const health = yield* knownFor(storage.health)
  const reasons = yield* Queue.sliding<void>(1)
  const look = Effect.asVoid(Queue.offer(reasons, undefined))
  // Added before the places, so that it runs once the last of the sends has been given back.
  yield* Effect.addFinalizer(() => ring)
  const places = yield* takePlaces(look)
  yield* Effect.forkScoped(emptyOutbox(health, places, look))
  return yield* sendWhatIsDue(health, places, Queue.take(reasons))
}).pipe(Effect.scoped)

/** Numbers what was committed, beside the sends: a commit to which many listen keeps nobody waiting. */
const emptyOutbox = Effect.fnUntraced(function* (health: Health, places: Places, look: Effect.Effect<void>) {
  const { interval } = yield* CallbackPace
  const { ring, rung } = yield* CallbackWakeup
  for (;;) {
    const { isAny, isMore } = (yield* whereFit(health, fanOutDue(look))) ?? nothing
    // What this worker has numbered and has no place for, another may send.
    if (isAny && places.room().places === 0) yield* ring
    if (isMore) continue
    // Whether somebody rang or the time came, the next pass looks at what there is. A ring may also mean what was
    // numbered before: a redelivery, a resumption, sends that another worker gave back.
    if (Option.isSome(yield* Effect.timeoutOption(rung, interval))) yield* look
  }
})

const nothing = { isAny: false, isMore: false }

const sendWhatIsDue = Effect.fnUntraced(function* (health: Health, places: Places, reason: Effect.Effect<void>) {
  const storage = yield* Storage
  const { interval } = yield* CallbackPace
  for (;;) {
    const isMore = yield* whereFit(health, passOf(places))
    if (isMore === undefined) yield* Effect.sleep(limits.callbackFitness)
    if (isMore !== false) continue
    const wait = places.room().places === 0 ? interval : yield* untilDue(storage, places.room().places, interval)
    yield* Effect.timeoutOption(reason, wait)
  }
})

/** Undefined where the store or the clocks are not fit for a pass; and for one that died, which is logged. */
const whereFit = <A, R>(health: Health, pass: Effect.Effect<A, never, R>): Effect.Effect<A | undefined, never, R> =>
  Effect.flatMap(health, (found) => (isHealthy(found) ? pass : Effect.undefined)).pipe(
    Effect.catchCause((cause) => Effect.as(Effect.logError("callback pass", cause), undefined))
  )

/** True where another pass would find more at once. */
const passOf = (places: Places) =>
  Effect.suspend(() => {
    const room = places.room()
    if (room.places === 0) return Effect.succeed(false)
    const claimed = Effect.tap(claimSends(room), ({ sends, ended }) =>
      Effect.andThen(
        Effect.forEach(sends, places.send, { discard: true }),
        Effect.forEach(ended, places.end, { discard: true })
      )
    )
    // A worker that is stopped in between would leave what it has claimed to the end of the lease.
    return Effect.map(Effect.uninterruptible(claimed), ({ isMore }) => isMore)
  })

/** How long until the first subscription is due that nobody has claimed, at most one interval. */
const untilDue = (storage: Storage["Service"], places: number, interval: number) =>
  Effect.gen(function* () {
    // The first ones may belong to a worker that died: one more than could be claimed here tells of the next.
    const first = yield* storage.view((reader) =>
      reader.range(WebhookSubscriptions, "byDue", { prefix: [], limit: places + 1 })
    )
    const now = toMilliseconds(yield* currentTime)
    const waits = first.map(({ dueAt, leasedUntil }) => toMilliseconds(later(dueAt, leasedUntil)) - now)
    // What is due already was claimed by somebody a moment ago, or the store cannot serve now.
    return Math.min(interval, Math.max(limits.callbackWaitLeast, Math.min(interval, ...waits)))
  }).pipe(Effect.catchCause(() => Effect.succeed(interval)))

/** The sends of one worker that are under way. */
interface Places {
  readonly room: () => Room
  /** Sends beside the others; its place is free once it has ended. */
  readonly send: (send: LeasedSend) => Effect.Effect<void>
  /** Ends a subscription beside the sends: it may have to wait for its projects. */
  readonly end: (row: SubscriptionRow) => Effect.Effect<void>
}

/** `freed` is told of each end. */
const takePlaces = Effect.fnUntraced(function* (
  freed: Effect.Effect<unknown>
): Effect.fn.Return<Places, never, Storage | CallbackSender | Secrets | SecureRandom.SecureRandom | Scope.Scope> {
  const { batch } = yield* CallbackPace
  const context = yield* Effect.context<Storage | CallbackSender | Secrets | SecureRandom.SecureRandom>()
  const fibers = yield* FiberSet.make<void>()
  const settling = yield* settlingTogether
  const taken = { all: 0, failing: 0 }
  const ending = new Set<string>()
  const endings = yield* Semaphore.make(limits.callbackEndings)
  const change = ({ isFailing }: LeasedSend, by: 1 | -1) => {
    taken.all += by
    if (isFailing) taken.failing += by
  }
  return {
    room: () => ({
      places: batch - taken.all,
      // However many endpoints fail, half of the places are for the others.
      failing: Math.max(1, Math.floor(batch / 2)) - taken.failing
    }),
    send: (send) =>
      Effect.suspend(() => {
        change(send, 1)
        const ended = Effect.andThen(
          Effect.sync(() => change(send, -1)),
          Effect.andThen(noteUnderWay(-1), freed)
        )
        const sending = Effect.andThen(noteUnderWay(1), Effect.ensuring(sendCallback(send), ended)).pipe(
          Effect.provideService(Settling, settling)
        )
        return Effect.asVoid(FiberSet.run(fibers, Effect.provideContext(sending, context)))
      }),
    end: (row) =>
      Effect.suspend(() => {
        // It comes up again while it waits for its turn.
        if (ending.has(row.subscriptionId)) return Effect.void
        ending.add(row.subscriptionId)
        const ended = Effect.sync(() => void ending.delete(row.subscriptionId))
        const run = Effect.ensuring(endings.withPermits(1)(Effect.orDie(endClaimed(row))), ended)
        return Effect.asVoid(FiberSet.run(fibers, Effect.provideContext(run, context)))
      })
  }
})
