/**
 * Leases due sends, up to a worker's free capacity. Subscriptions are claimed, not sends, and each has few places, so
 * that unresponsive endpoints do not starve others.
 */
import { Cause, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { inTransaction, inView, readTogether } from "../ports/storage/run.ts"
import { exclusive, Storage, type Transaction } from "../ports/storage.ts"
import {
  addMilliseconds,
  earlier,
  later,
  never,
  now as currentTime,
  toMilliseconds,
  type Instant
} from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { claimableAt, hasAttemptLeft } from "./delivery.ts"
import { recordBacklogAge, reportExhausted, type ExhaustedSend } from "./metrics.ts"
import { readAuthorityState } from "./subscription-authority.ts"
import { ConfiguredWebhookTiming } from "../ports/webhook-timing.ts"
import { endIfUnauthorized, expireSubscription } from "./subscription-end.ts"
import { WebhookDeliveries, WebhookSubscriptions, type DeliveryRow, type SubscriptionRow } from "./store.ts"
import { sendsInProgress, nextDueAt, concurrencyLimit, stateOf } from "./subscription.ts"
import { traced } from "../vocabulary/traced.ts"

/** A send leased to this worker until `until`. */
export interface LeasedSend {
  readonly subscriptionId: string
  readonly deliveryId: string
  readonly token: string
  readonly until: Instant
  /** True if the subscription's last attempt failed. */
  readonly isFailing: boolean
}

/** The free capacity of a worker. */
export interface WorkerCapacity {
  readonly places: number
  /** The part of it allowed for subscriptions whose last attempt failed. */
  readonly failing: number
}

export interface ClaimResult {
  readonly sends: ReadonlyArray<LeasedSend>
  /** Subscriptions that have expired, or whose authority has ended: to be passed to `endClaimedSubscription`. */
  readonly ended: ReadonlyArray<SubscriptionRow>
  /** True if another claim would find more immediately. */
  readonly hasMore: boolean
}

export const claimSends = traced("webhooks.claimSends")(function* (
  room: WorkerCapacity
): Effect.fn.Return<ClaimResult, never, Storage | SecureRandom.SecureRandom> {
  const storage = yield* Storage
  const random = yield* SecureRandom.SecureRandom
  const { lease, timeout } = yield* ConfiguredWebhookTiming
  const dueBy = yield* currentTime
  const token = yield* random.uuidV4()
  // A short lease on the subscription: after a failed pass, others do not wait for a whole lease.
  const leaseUntil = addMilliseconds(dueBy, Math.ceil(lease / 3))
  const claimed = yield* storage.claim(WebhookSubscriptions, { dueBy, leaseUntil, token, limit: room.places })
  if (claimed.length === 0) {
    yield* recordBacklogAge(0)
    return { sends: [], ended: [], hasMore: false }
  }
  const { ended, held, active } = yield* partitionByAuthority(claimed)
  const { sends, spent, behind, isMoreDue } = yield* leaseSends(active, { held, token, room, lease, timeout })
  yield* recordBacklogAge(behind)
  yield* Effect.forEach(spent, reportExhausted, { discard: true })
  return { sends, ended, hasMore: sends.length < room.places && (isMoreDue || claimed.length === room.places) }
})

/** Separates ended subscriptions from the others, and marks those that wait for a renewal. */
const partitionByAuthority = Effect.fnUntraced(function* (claimed: ReadonlyArray<SubscriptionRow>) {
  const now = yield* currentTime
  const authorityStates = yield* inView((reader) =>
    readTogether(claimed.map((row) => readAuthorityState(reader, row, now)))
  )
  const isOver = (row: SubscriptionRow, index: number) =>
    stateOf(row, now) === "EXPIRED" || authorityStates[index] === "ENDED"
  return {
    ended: claimed.filter(isOver),
    held: new Set(claimed.filter((_, index) => authorityStates[index] === "HELD").map((row) => row.subscriptionId)),
    active: claimed.filter((row, index) => !isOver(row, index))
  }
})

/** Ends a claimed subscription that is over. After a failure it is due again when its lease expires. */
export const endClaimedSubscription = Effect.fn("webhooks.endClaimedSubscription")((row: SubscriptionRow) =>
  Effect.flatMap(currentTime, (now) =>
    stateOf(row, now) === "EXPIRED" ? expireSubscription(row) : endIfUnauthorized(row)
  ).pipe(
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.failCause(cause)
        : Effect.logWarning("a subscription could not be ended now", { subscriptionId: row.subscriptionId }, cause)
    )
  )
)

interface LeaseOptions {
  readonly held: ReadonlySet<string>
  readonly token: string
  readonly room: WorkerCapacity
  readonly lease: number
  readonly timeout: number
}

const leaseSends = Effect.fnUntraced(function* (
  claimed: ReadonlyArray<SubscriptionRow>,
  { held, token, room, lease, timeout }: LeaseOptions
) {
  const locks = claimed.map(({ subscriptionId }) => exclusive("subscription", subscriptionId))
  return yield* inTransaction({ locks }, function* (transaction) {
    const found = yield* readUpcoming(transaction, claimed, room.places)
    const now = yield* transaction.now
    const until = addMilliseconds(now, lease)
    const left = { ...room }
    const sends: Array<LeasedSend> = []
    const spent: Array<ExhaustedSend> = []
    let behind = 0
    let isMoreDue = false
    for (const [index, page] of found.entries()) {
      const { row, upcoming } = page
      // It has changed since, or another worker has the lease.
      if (row?.leaseToken !== token) continue
      const { subscriptionId } = row
      behind = Math.max(behind, overdue(upcoming, now))
      const isFailing = row.failures > 0
      // One place is reserved for each subscription that follows.
      const share = left.places - (found.length - 1 - index)
      const free = isFailing ? Math.min(share, left.failing) : share
      const isHeld = held.has(subscriptionId)
      const taken = yield* leaseDeliveries(transaction, { ...page, row, free: isHeld ? 0 : free, token, until, now })
      const waits = isHeld ? limits.webhookDeferral : isFailing && free <= 0 ? crowdingDelay(upcoming, now, timeout) : 0
      const dueAt =
        taken.dueAt === never ? never : earlier(later(taken.dueAt, addMilliseconds(now, waits)), row.expiresAt)
      yield* transaction.update(WebhookSubscriptions, [subscriptionId], {
        dueAt,
        leasedUntil: now,
        leaseToken: "",
        flights: taken.flights,
        exhausted: row.exhausted + taken.spent.length
      })
      isMoreDue ||= dueAt <= now
      left.places -= taken.sends.length
      if (isFailing) left.failing -= taken.sends.length
      sends.push(...taken.sends.map((send) => ({ ...send, isFailing })))
      spent.push(...taken.spent.map(({ deliveryId }) => ({ subscriptionId, deliveryId })))
    }
    return { sends, spent, behind, isMoreDue }
  })
})

/** How long the first delivery that can be claimed has been due, in milliseconds. */
const overdue = (upcoming: ReadonlyArray<DeliveryRow>, now: Instant): number => {
  const first = upcoming.find((delivery) => claimableAt(delivery) <= now)
  return first === undefined ? 0 : toMilliseconds(now) - toMilliseconds(first.dueAt)
}

/** Waits as long again as it has been due, so that many failing subscriptions do not cause constant claims. */
const crowdingDelay = (upcoming: ReadonlyArray<DeliveryRow>, now: Instant, timeout: number): number =>
  Math.max(limits.webhookSlotWait, Math.min(overdue(upcoming, now), timeout))

/** Reads each subscription with its next deliveries: those in progress, those that it can take, and one more. */
const readUpcoming = (transaction: Transaction, claimed: ReadonlyArray<SubscriptionRow>, places: number) => {
  const share = Math.min(limits.webhookAttemptsPerSubscription, places - claimed.length + 1)
  return readTogether(
    claimed.map(({ subscriptionId, flights }) => {
      const limit = flights.length + share + 1
      return readTogether({
        row: transaction.get(WebhookSubscriptions, [subscriptionId]),
        upcoming: transaction.range(WebhookDeliveries, "byDue", { prefix: [subscriptionId], limit }),
        limit: Effect.succeed(limit)
      })
    })
  )
}

interface LeaseInput {
  readonly row: SubscriptionRow
  readonly upcoming: ReadonlyArray<DeliveryRow>
  /** The maximum of deliveries that were read. */
  readonly limit: number
  readonly free: number
  readonly token: string
  readonly until: Instant
  readonly now: Instant
}

/** Leases the due deliveries that have a place, and computes when the rest is due. */
const leaseDeliveries = Effect.fnUntraced(function* (transaction: Transaction, input: LeaseInput) {
  const { row, upcoming, limit, free, token, until, now } = input
  const { subscriptionId } = row
  const flights = sendsInProgress(row, now)
  if (stateOf(row, now) !== "ACTIVE") {
    return { sends: [], spent: [], flights, dueAt: nextDueAt(row, flights, upcoming.map(claimableAt), now) }
  }
  const due = upcoming.filter((delivery) => claimableAt(delivery) <= now)
  const spent = due.filter((delivery) => !hasAttemptLeft(delivery))
  for (const { deliveryId } of spent) {
    // Its worker died in the last allowed attempt.
    yield* transaction.update(WebhookDeliveries, [deliveryId], { state: "EXHAUSTED", dueAt: never, leaseToken: "" })
  }
  const places = Math.min(free, concurrencyLimit(row) - flights.length)
  const taken = due.filter(hasAttemptLeft).slice(0, Math.max(0, places))
  for (const { deliveryId } of taken) {
    yield* transaction.update(WebhookDeliveries, [deliveryId], { leasedUntil: until, leaseToken: token })
  }
  const sendsInProgressNow = [...flights, ...taken.map(({ deliveryId }) => ({ deliveryId, until }))]
  const handled = new Set([...taken, ...spent].map(({ deliveryId }) => deliveryId))
  const left = upcoming.filter(({ deliveryId }) => !handled.has(deliveryId)).map(claimableAt)
  // If all of the page that was read is due, more deliveries may be.
  const isMore = upcoming.length === limit && upcoming.every(({ dueAt }) => dueAt <= now)
  return {
    sends: taken.map(({ deliveryId }) => ({ subscriptionId, deliveryId, token, until })),
    spent,
    flights: sendsInProgressNow,
    dueAt: nextDueAt(
      row,
      sendsInProgressNow,
      [...left, ...sendsInProgressNow.map((flight) => flight.until), ...(isMore ? [now] : [])],
      now
    )
  }
})
