/**
 * Fans out outbox events to numbered deliveries of each subscription, under the subscriptions' locks. A worker does it,
 * and every read of a history. The visible events of a project are a prefix of its chain, so an event that commits
 * later always gets a higher number.
 */
import { Cause, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { inTransaction, inView, readTogether } from "../ports/storage/run.ts"
import { exclusive, Storage, type Reader, type Transaction } from "../ports/storage.ts"
import type { RowOf } from "../ports/table.ts"
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

/** Numbers the due outbox events for each of their subscriptions; `numbered` runs after each transaction. */
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

/** Returns the subscriptions whose events could not be numbered; `numbered` runs after each transaction. */
const fanOutAll = Effect.fnUntraced(function* (due: ReadonlyArray<EventRow>, numbered: Effect.Effect<void>) {
  const among = new Set(due.map(({ projectId }) => projectId))
  const subscriptionIds = [...new Set(due.flatMap((event) => event.subscriptionIds))].toSorted()
  const left: Array<string> = []
  for (let from = 0; from < subscriptionIds.length; from += limits.webhookFanOutTogether) {
    const together = subscriptionIds.slice(from, from + limits.webhookFanOutTogether)
    left.push(...(yield* Effect.tap(fanOutOrLeave(together, among), () => numbered)))
  }
  return new Set(left)
})

/**
 * Returns the subscriptions whose events could not be numbered: they are due again when their lease expires. After a
 * failure each subscription is tried alone, so that one does not delay the others.
 */
const fanOutOrLeave = (
  subscriptionIds: ReadonlyArray<string>,
  among: ReadonlySet<string>
): Effect.Effect<ReadonlyArray<string>, never, Storage> =>
  Effect.catchCause(Effect.as(fanOut(subscriptionIds, among), []), (cause) => {
    if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
    if (subscriptionIds.length === 1) {
      return Effect.as(
        Effect.logWarning("events could not be numbered now", { subscriptionIds }, cause),
        subscriptionIds
      )
    }
    const alone = Effect.forEach(subscriptionIds, (id) => fanOutOrLeave([id], among), {
      concurrency: limits.webhookFanOutAlone
    })
    return Effect.map(alone, (left) => left.flat())
  })

/**
 * Numbers the committed events of these subscriptions in one transaction, on all of their projects or only on `among`.
 * Idempotent, also under concurrency.
 */
export const fanOut = traced("webhooks.fanOut")(function* (
  subscriptionIds: ReadonlyArray<string>,
  among?: ReadonlySet<string>
) {
  const unnumbered = (yield* inView((reader) => readUnnumbered(reader, subscriptionIds, among))).filter(
    ({ events }) => events.length > 0
  )
  if (unnumbered.length === 0) return
  const locks = unnumbered.map(({ subscriptionId }) => exclusive("subscription", subscriptionId))
  yield* inTransaction({ locks }, function* (transaction) {
    const found = yield* readTogether(unnumbered.map((one) => readNumbering(transaction, one)))
    const now = yield* transaction.now
    for (const one of found) yield* number(transaction, one, now)
  })
})

interface UnnumberedEvents {
  readonly subscriptionId: string
  readonly events: ReadonlyArray<EventRow>
}

/** Each with its unnumbered events in commit order, without those committed after its authority ended. */
const readUnnumbered = Effect.fnUntraced(function* (
  reader: Reader,
  subscriptionIds: ReadonlyArray<string>,
  among: ReadonlySet<string> | undefined
): Effect.fn.Return<ReadonlyArray<UnnumberedEvents>> {
  const found = yield* readTogether(subscriptionIds.map((subscriptionId) => readSubscriber(reader, subscriptionId)))
  const cursors = found.map((one) => one.cursors.filter(({ projectId }) => among?.has(projectId) ?? true))
  const pages = yield* readPages(reader, cursors.flat())
  return found.map(({ subscription, endedAt }, index) => {
    const subscriptionId = subscriptionIds[index]!
    if (subscription === undefined) return { subscriptionId, events: [] }
    const events = cursors[index]!.flatMap((cursor) => pages.get(pageOf(cursor)) ?? [])
      .filter((event) => event.subscriptionIds.includes(subscriptionId))
      .filter(({ committedAt }) => endedAt === undefined || committedAt < endedAt)
      .toSorted(compareByCommit)
    return { subscriptionId, events }
  })
})

const readSubscriber = Effect.fnUntraced(function* (reader: Reader, subscriptionId: string) {
  const [subscription, cursors] = yield* readTogether([
    reader.get(WebhookSubscriptions, [subscriptionId]),
    readProjectCursors(reader, subscriptionId)
  ])
  const endedAt = subscription === undefined ? undefined : yield* readAuthorityEnd(reader, subscription)
  return { subscription, cursors, endedAt }
})

type ProjectCursor = Pick<RowOf<typeof WebhookProjectCursors>, "projectId" | "numberedThrough">

/** The events after these cursors: subscriptions that have reached the same event share one page. */
const readPages = (reader: Reader, cursors: ReadonlyArray<ProjectCursor>) => {
  const distinct = new Map(cursors.map((cursor) => [pageOf(cursor), cursor]))
  const pages = Array.from(distinct, ([page, { projectId, numberedThrough }]) => {
    const after = [numberedThrough + 1, ""]
    const events = reader.range(WebhookEvents, "byProject", {
      prefix: [projectId],
      after,
      limit: limits.eventsPerProject
    })
    return Effect.map(events, (found) => [page, found] as const)
  })
  return Effect.map(readTogether(pages), (found) => new Map(found))
}

const pageOf = ({ projectId, numberedThrough }: ProjectCursor): string => `${projectId} ${numberedThrough}`

const readProjectCursors = (reader: Reader, subscriptionId: string) =>
  reader.range(WebhookProjectCursors, "key", { prefix: [subscriptionId], limit: limits.projectsPerSubscription })

/** Event timestamps of one project are monotonic, so this order preserves its sequence. */
const compareByCommit = (one: EventRow, other: EventRow): number => {
  if (one.committedAt !== other.committedAt) return one.committedAt < other.committedAt ? -1 : 1
  if (one.projectId !== other.projectId) return one.projectId < other.projectId ? -1 : 1
  return one.sequence - other.sequence
}

/** The rows under the lock. */
const readNumbering = (transaction: Transaction, { subscriptionId, events }: UnnumberedEvents) =>
  readTogether({
    events: Effect.succeed(events),
    subscription: transaction.get(WebhookSubscriptions, [subscriptionId]),
    cursors: readProjectCursors(transaction, subscriptionId)
  })

const number = Effect.fnUntraced(function* (
  transaction: Transaction,
  { events, subscription, cursors }: Effect.Success<ReturnType<typeof readNumbering>>,
  now: Instant
) {
  if (subscription === undefined) return
  const { subscriptionId } = subscription
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
    leasedUntil: now,
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
