/**
 * Takes sends that are due, for as many places as a worker has. Subscriptions are claimed, not sends, and each has few
 * places: one endpoint that does not answer, or any number of them, leaves the others theirs.
 */
import { Cause, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
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
import { hasAttemptLeft } from "./delivery.ts"
import { noteBehind, noteExhausted, type SpentSend } from "./metrics.ts"
import { standingOf } from "./owner.ts"
import { CallbackPace } from "../ports/callback-pace.ts"
import { endWithAuthority, expire } from "./end.ts"
import { WebhookDeliveries, WebhookSubscriptions, type DeliveryRow, type SubscriptionRow } from "./store.ts"
import { liveFlights, nextLook, placesOf, stateOf } from "./subscription.ts"

/** A send that belongs to this worker until then. */
export interface LeasedSend {
  readonly subscriptionId: string
  readonly deliveryId: string
  readonly token: string
  readonly until: Instant
  /** True where the subscription's last attempt failed. */
  readonly isFailing: boolean
}

/** The places that a worker has left. */
export interface Room {
  readonly places: number
  /** Of these, how many may go to subscriptions whose last attempt failed. */
  readonly failing: number
}

export interface Claimed {
  readonly sends: ReadonlyArray<LeasedSend>
  /** Subscriptions that have expired, or whose authority has ended: `endClaimed` is for these, beside the sends. */
  readonly ended: ReadonlyArray<SubscriptionRow>
  /** True where another claim would find more at once. */
  readonly isMore: boolean
}

export const claimSends = Effect.fn("webhooks.claimSends")(function* (
  room: Room
): Effect.fn.Return<Claimed, never, Storage | SecureRandom.SecureRandom> {
  const storage = yield* Storage
  const random = yield* SecureRandom.SecureRandom
  const { lease, timeout } = yield* CallbackPace
  const dueBy = yield* currentTime
  const token = yield* random.uuidV4()
  // Only until its sends are taken: a pass that fails keeps nobody waiting for a whole lease.
  const leaseUntil = addMilliseconds(dueBy, Math.ceil(lease / 3))
  const claimed = yield* storage.claim(WebhookSubscriptions, { dueBy, leaseUntil, token, limit: room.places })
  if (claimed.length === 0) {
    yield* noteBehind(0)
    return { sends: [], ended: [], isMore: false }
  }
  const { ended, held, going } = yield* sortByStanding(claimed)
  const { sends, spent, behind } = yield* take(going, { held, token, room, lease, timeout })
  yield* noteBehind(behind)
  yield* Effect.forEach(spent, noteExhausted, { discard: true })
  return { sends, ended, isMore: claimed.length === room.places && sends.length < room.places }
})

/** Apart: those that have ended, those that wait for a renewal, and all that are not over. */
const sortByStanding = Effect.fnUntraced(function* (claimed: ReadonlyArray<SubscriptionRow>) {
  const storage = yield* Storage
  const now = yield* currentTime
  const standings = yield* storage.view((reader) =>
    Effect.forEach(claimed, (row) => standingOf(reader, row, now), { concurrency: "unbounded" })
  )
  const isOver = (row: SubscriptionRow, index: number) =>
    stateOf(row, now) === "EXPIRED" || standings[index] === "ENDED"
  return {
    ended: claimed.filter(isOver),
    held: new Set(claimed.filter((_, index) => standings[index] === "HELD").map((row) => row.subscriptionId)),
    going: claimed.filter((row, index) => !isOver(row, index))
  }
})

/** Ends what a claim found to be over. What cannot be ended now comes up again once its lease is over. */
export const endClaimed = Effect.fn("webhooks.endClaimed")((row: SubscriptionRow) =>
  Effect.flatMap(currentTime, (now) => (stateOf(row, now) === "EXPIRED" ? expire(row) : endWithAuthority(row))).pipe(
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.failCause(cause)
        : Effect.logWarning("a subscription could not be ended now", { subscriptionId: row.subscriptionId }, cause)
    )
  )
)

interface Taking {
  readonly held: ReadonlySet<string>
  readonly token: string
  readonly room: Room
  readonly lease: number
  readonly timeout: number
}

const take = Effect.fnUntraced(function* (
  claimed: ReadonlyArray<SubscriptionRow>,
  { held, token, room, lease, timeout }: Taking
) {
  const storage = yield* Storage
  const roots = claimed.map(({ subscriptionId }) => exclusive("subscription", subscriptionId))
  return yield* storage.transaction({ roots }, (transaction) =>
    Effect.gen(function* () {
      const found = yield* readUpcoming(transaction, claimed)
      const now = yield* transaction.now
      const until = addMilliseconds(now, lease)
      const left = { ...room }
      const sends: Array<LeasedSend> = []
      const spent: Array<SpentSend> = []
      let behind = 0
      for (const [index, { row, upcoming }] of found.entries()) {
        // It has ended or changed since, or another worker has it.
        if (row?.leaseToken !== token) continue
        const { subscriptionId } = row
        behind = Math.max(behind, overdue(upcoming, now))
        const isFailing = row.failures > 0
        // Each that follows finds at least one place.
        const share = left.places - (found.length - 1 - index)
        const free = isFailing ? Math.min(share, left.failing) : share
        const isHeld = held.has(subscriptionId)
        const taken = yield* takeOf(transaction, { row, upcoming, free: isHeld ? 0 : free, token, until, now })
        const waits = isHeld ? limits.callbackDeferral : isFailing && free <= 0 ? crowdedFor(upcoming, now, timeout) : 0
        const dueAt =
          taken.dueAt === never ? never : earlier(later(taken.dueAt, addMilliseconds(now, waits)), row.expiresAt)
        yield* transaction.update(WebhookSubscriptions, [subscriptionId], {
          dueAt,
          leasedUntil: now,
          leaseToken: "",
          flights: taken.flights,
          exhausted: row.exhausted + taken.spent.length
        })
        left.places -= taken.sends.length
        if (isFailing) left.failing -= taken.sends.length
        sends.push(...taken.sends.map((send) => ({ ...send, isFailing })))
        spent.push(...taken.spent.map(({ deliveryId }) => ({ subscriptionId, deliveryId })))
      }
      return { sends, spent, behind }
    })
  )
})

/** How long the first of them has been due, in milliseconds. */
const overdue = ([first]: ReadonlyArray<DeliveryRow>, now: Instant): number =>
  first === undefined ? 0 : Math.max(0, toMilliseconds(now) - toMilliseconds(first.dueAt))

/** As long again as it has waited: many that fail together are not looked at all the time. */
const crowdedFor = (upcoming: ReadonlyArray<DeliveryRow>, now: Instant, timeout: number): number =>
  Math.max(limits.callbackPlaceWait, Math.min(overdue(upcoming, now), timeout))

/** Each subscription with its next deliveries: as many as it could take, and one more. */
const readUpcoming = (transaction: Transaction, claimed: ReadonlyArray<SubscriptionRow>) =>
  Effect.forEach(
    claimed,
    ({ subscriptionId }) =>
      Effect.all(
        {
          row: transaction.get(WebhookSubscriptions, [subscriptionId]),
          upcoming: transaction.range(WebhookDeliveries, "byDue", {
            prefix: [subscriptionId],
            limit: upcomingRead
          })
        },
        { concurrency: "unbounded" }
      ),
    { concurrency: "unbounded" }
  )

const upcomingRead = limits.callbacksPerSubscription + 1

interface Upcoming {
  readonly row: SubscriptionRow
  readonly upcoming: ReadonlyArray<DeliveryRow>
  readonly free: number
  readonly token: string
  readonly until: Instant
  readonly now: Instant
}

/** Leases what is due and has a place, and says when the rest is looked at. */
const takeOf = Effect.fnUntraced(function* (transaction: Transaction, given: Upcoming) {
  const { row, upcoming, free, token, until, now } = given
  const { subscriptionId } = row
  const flights = liveFlights(row, now)
  if (stateOf(row, now) !== "ACTIVE") {
    return { sends: [], spent: [], flights, dueAt: nextLook(row, flights, upcoming, now) }
  }
  const due = upcoming.filter(({ dueAt }) => dueAt <= now)
  const spent = due.filter((delivery) => !hasAttemptLeft(delivery))
  for (const { deliveryId } of spent) {
    // Its worker died in the last attempt that it had.
    yield* transaction.update(WebhookDeliveries, [deliveryId], { state: "EXHAUSTED", dueAt: never, leaseToken: "" })
  }
  const places = Math.min(free, placesOf(row) - flights.length)
  const taken = due.filter(hasAttemptLeft).slice(0, Math.max(0, places))
  for (const { deliveryId } of taken) {
    yield* transaction.update(WebhookDeliveries, [deliveryId], { dueAt: until, leaseToken: token })
  }
  const inAir = [...flights, ...taken.map(({ deliveryId }) => ({ deliveryId, until }))]
  const isTaken = new Set([...taken, ...spent].map(({ deliveryId }) => deliveryId))
  const left = upcoming.filter(({ deliveryId }) => !isTaken.has(deliveryId))
  // Where nothing is left of what was read, there may be more.
  const rest = left.length === 0 && upcoming.length === upcomingRead ? [{ dueAt: now }] : left
  return {
    sends: taken.map(({ deliveryId }) => ({ subscriptionId, deliveryId, token, until })),
    spent,
    flights: inAir,
    dueAt: nextLook(row, inAir, [...rest, ...inAir.map((flight) => ({ dueAt: flight.until }))], now)
  }
})
