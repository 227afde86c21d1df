/**
 * Fans out outbox events to numbered deliveries of each subscription, under the subscription's lock. A worker does it,
 * and every read of a history. The visible events of a project are a prefix of its chain, so an event that commits
 * later always gets a higher number.
 */
import { Cause, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { inTransaction, inView, readTogether } from "../ports/storage/run.ts"
import { exclusive, Storage, type Reader, type Transaction } from "../ports/storage.ts"
import { addMilliseconds, earlier, never, now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { formatCheckpoint, formatDeliveryId } from "./opaque-ids.ts"
import { readAuthorityEnd } from "./subscription-authority.ts"
import { ConfiguredWebhookTiming } from "../ports/webhook-timing.ts"
import {
  WebhookDeliveries,
  WebhookEvents,
  WebhookProjectCursors,
  WebhookSubscriptions,
  type EventRow
} from "./store.ts"
import { stateOf } from "./subscription.ts"
import { traced } from "../vocabulary/traced.ts"

/** Numbers the due outbox events for each of their subscriptions; `numbered` runs after each subscription. */
export const fanOutDue = traced("webhooks.fanOutDue")(function* (numbered: Effect.Effect<void> = Effect.void) {
  const storage = yield* Storage
  const random = yield* SecureRandom.SecureRandom
  const { batch, lease } = yield* ConfiguredWebhookTiming
  const dueBy = yield* currentTime
  const token = yield* random.uuidV4()
  const claim = { dueBy, leaseUntil: addMilliseconds(dueBy, lease), token, limit: batch }
  // An interrupted worker releases the events that it has not numbered.
  return yield* Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const due = yield* storage.claim(WebhookEvents, claim)
      if (due.length === 0) return { isAny: false, isMore: false }
      const left = yield* Effect.onInterrupt(restore(fanOutAll(due, numbered)), () =>
        settleEvents(due, token, { leasedUntil: dueBy })
      )
      const done = due.filter((event) => !event.subscriptionIds.some((id) => left.has(id)))
      if (done.length > 0) yield* settleEvents(done, token, { dueAt: never })
      return { isAny: true, isMore: due.length === batch && done.length > 0 }
    })
  )
})

/** Returns the subscriptions whose events could not be numbered. */
const fanOutAll = Effect.fnUntraced(function* (due: ReadonlyArray<EventRow>, numbered: Effect.Effect<void>) {
  const among = new Set(due.map(({ projectId }) => projectId))
  const subscriptionIds = [...new Set(due.flatMap((event) => event.subscriptionIds))].toSorted()
  const left = yield* Effect.forEach(subscriptionIds, (id) => Effect.tap(fanOutOrLeave(id, among), () => numbered), {
    concurrency: limits.webhookFanOut
  })
  return new Set(left.flat())
})

/** A failure for one subscription does not delay others: its events are due again when their lease expires. */
const fanOutOrLeave = (subscriptionId: string, among: ReadonlySet<string>) =>
  Effect.catchCause(Effect.as(fanOut(subscriptionId, among), []), (cause) =>
    Cause.hasInterruptsOnly(cause)
      ? Effect.failCause(cause)
      : Effect.as(Effect.logWarning("events could not be numbered now", { subscriptionId }, cause), [subscriptionId])
  )

/**
 * Numbers the committed events of one subscription, on all of its projects or only on `among`. Idempotent, also under
 * concurrency.
 */
export const fanOut = traced("webhooks.fanOut")(function* (subscriptionId: string, among?: ReadonlySet<string>) {
  const events = yield* inView((reader) => readUnnumbered(reader, subscriptionId, among))
  if (events.length === 0) return
  yield* inTransaction({ locks: [exclusive("subscription", subscriptionId)] }, (transaction) =>
    number(transaction, subscriptionId, events)
  )
})

/** Unnumbered events of its projects in commit order, without those committed after its authority ended. */
const readUnnumbered = Effect.fnUntraced(function* (
  reader: Reader,
  subscriptionId: string,
  among: ReadonlySet<string> | undefined
) {
  const [subscription, cursors] = yield* readTogether([
    reader.get(WebhookSubscriptions, [subscriptionId]),
    readProjectCursors(reader, subscriptionId)
  ])
  if (subscription === undefined) return []
  const [found, endedAt] = yield* readTogether([
    readTogether(
      cursors
        .filter(({ projectId }) => among?.has(projectId) ?? true)
        .map(({ projectId, numberedThrough }) =>
          reader.range(WebhookEvents, "byProject", {
            prefix: [projectId],
            after: [numberedThrough + 1, ""],
            limit: limits.eventsPerProject
          })
        )
    ),
    readAuthorityEnd(reader, subscription)
  ])
  return found
    .flat()
    .filter((event) => event.subscriptionIds.includes(subscriptionId))
    .filter(({ committedAt }) => endedAt === undefined || committedAt < endedAt)
    .toSorted(compareByCommit)
})

const readProjectCursors = (reader: Reader, subscriptionId: string) =>
  reader.range(WebhookProjectCursors, "key", { prefix: [subscriptionId], limit: limits.projectsPerSubscription })

/** Event timestamps of one project are monotonic, so this order preserves its sequence. */
const compareByCommit = (one: EventRow, other: EventRow): number => {
  if (one.committedAt !== other.committedAt) return one.committedAt < other.committedAt ? -1 : 1
  if (one.projectId !== other.projectId) return one.projectId < other.projectId ? -1 : 1
  return one.sequence - other.sequence
}

const number = Effect.fnUntraced(function* (
  transaction: Transaction,
  subscriptionId: string,
  events: ReadonlyArray<EventRow>
) {
  const [subscription, cursors] = yield* readTogether([
    transaction.get(WebhookSubscriptions, [subscriptionId]),
    readProjectCursors(transaction, subscriptionId)
  ])
  const now = yield* transaction.now
  if (subscription === undefined) return
  const numberedByProject = new Map(cursors.map(({ projectId, numberedThrough }) => [projectId, numberedThrough]))
  const fresh = events.filter(({ projectId, sequence }) => sequence > (numberedByProject.get(projectId) ?? sequence))
  if (fresh.length === 0) return
  let deliveryCount = subscription.deliveryCount
  const advanced = new Map<string, number>()
  for (const { eventId, type, projectId, sequence } of fresh) {
    deliveryCount += 1
    advanced.set(projectId, sequence)
    yield* insertDelivery(transaction, { subscriptionId, number: deliveryCount, eventId, type, projectId }, now)
  }
  for (const [projectId, numberedThrough] of advanced) {
    yield* transaction.update(WebhookProjectCursors, [subscriptionId, projectId], { numberedThrough })
  }
  const isSending = stateOf(subscription, now) === "ACTIVE"
  const dueAt = isSending ? earlier(subscription.dueAt, now) : subscription.dueAt
  yield* transaction.update(WebhookSubscriptions, [subscriptionId], { deliveryCount, dueAt })
})

interface NewDelivery extends Pick<EventRow, "eventId" | "type" | "projectId"> {
  readonly subscriptionId: string
  readonly number: number
}

const insertDelivery = (transaction: Transaction, queued: NewDelivery, now: Instant) => {
  const { subscriptionId, number, eventId, type, projectId } = queued
  const deliveryId = formatDeliveryId(subscriptionId, eventId)
  return transaction.insert(WebhookDeliveries, {
    deliveryId,
    subscriptionId,
    number,
    checkpoint: formatCheckpoint(subscriptionId, deliveryId),
    eventId,
    eventType: type,
    projectId,
    state: "PENDING",
    scheduledAttempts: 0,
    totalAttempts: 0,
    lastAttempt: null,
    dueAt: now,
    leaseToken: ""
  })
}

/** Updates claimed events that are still under this lease. */
const settleEvents = Effect.fnUntraced(function* (
  due: ReadonlyArray<EventRow>,
  token: string,
  changes: Partial<Pick<EventRow, "dueAt" | "leasedUntil">>
) {
  const eventIds = due.map(({ eventId }) => eventId).toSorted()
  const locks = eventIds.map((eventId) => exclusive("event", eventId))
  yield* inTransaction({ locks }, function* (transaction) {
    const events = yield* readTogether(eventIds.map((eventId) => transaction.get(WebhookEvents, [eventId])))
    for (const event of events) {
      if (event?.leaseToken !== token) continue
      yield* transaction.update(WebhookEvents, [event.eventId], { ...changes, leaseToken: "" })
    }
  })
})
