/** Subscriptions in an operator's listing, with their backlog, without the secret and the path of the target. */
import { Effect } from "effect"
import { readListing, type PageRequest } from "../ports/storage/page.ts"
import { inView, readTogether } from "../ports/storage/run.ts"
import type { Reader } from "../ports/storage.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuseUnknownId } from "../vocabulary/refusals.ts"
import { readAuthorityState } from "./subscription-authority.ts"
import { WebhookDeliveries, WebhookQuotaSlots, WebhookSubscriptions, type SubscriptionRow } from "./store.ts"
import { sendsInProgress, stateOf } from "./subscription.ts"
import { traced } from "../vocabulary/traced.ts"

export interface SubscriptionFilter {
  /** The owner, or the person who authorized the owning grant. */
  readonly personId?: string
  readonly grantId?: string
}

export const listAllSubscriptions = traced("webhooks.listAll")(function* (
  { personId, grantId }: SubscriptionFilter,
  page: PageRequest<string>
) {
  const now = yield* currentTime
  return yield* inView(function* (reader) {
    const found = yield* grantId === undefined
      ? readListing(reader, WebhookSubscriptions, page, { byPerson: personId })
      : ofGrant(reader, grantId, page)
    return { ...found, items: yield* readTogether(found.items.map((row) => describeSubscription(reader, row, now))) }
  })
})

/** Each subscription was inserted together with its quota slot. */
const ofGrant = Effect.fnUntraced(function* (reader: Reader, grantId: string, page: PageRequest<string>) {
  const { items, next } = yield* readListing(reader, WebhookQuotaSlots, page, { key: grantId })
  const found = yield* readTogether(
    items.map(({ subscriptionId }) => reader.get(WebhookSubscriptions, [subscriptionId]))
  )
  return { items: found.flatMap((row) => row ?? []), next }
})

export const showSubscription = traced("webhooks.show")(function* (subscriptionId: string) {
  const now = yield* currentTime
  return yield* inView(function* (reader) {
    const row = yield* reader.get(WebhookSubscriptions, [subscriptionId])
    if (row === undefined) return yield* refuseUnknownId("subscription", subscriptionId)
    return {
      ...(yield* describeSubscription(reader, row, now)),
      projectIds: row.projectIds,
      eventTypes: row.eventTypes,
      deliveryCount: row.deliveryCount
    }
  })
})

const describeSubscription = Effect.fnUntraced(function* (reader: Reader, row: SubscriptionRow, now: Instant) {
  const [authorityState, upcoming] = yield* readTogether([
    readAuthorityState(reader, row, now),
    reader.range(WebhookDeliveries, "byDue", { prefix: [row.subscriptionId], limit: limits.backlogCounted + 1 })
  ])
  const { subscriptionId, grantId, personId, membershipId, createdAt, expiresAt, revokedAt, failures, exhausted } = row
  return {
    subscriptionId,
    state: stateOf(row, now),
    /** The state of its authority: `HELD` deliveries wait for the renewal of an expired grant. */
    standing: authorityState,
    receiver: new URL(row.target).origin,
    grantId,
    personId,
    membershipId,
    createdAt,
    expiresAt,
    revokedAt,
    failures,
    backlog: {
      ...backlogOf(upcoming),
      held: authorityState === "HELD",
      underWay: sendsInProgress(row, now).length,
      exhausted
    }
  }
})

/** `upcoming` is in the order of due times. */
const backlogOf = (upcoming: ReadonlyArray<{ readonly dueAt: Instant }>) => ({
  pending: Math.min(upcoming.length, limits.backlogCounted),
  hasMore: upcoming.length > limits.backlogCounted,
  oldestDueAt: upcoming[0]?.dueAt ?? null
})
