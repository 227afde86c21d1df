/** Redelivery: queues a delivered or exhausted delivery again, with the same event and delivery id. */
import { Effect } from "effect"
import { WebhookWakeup } from "../ports/webhook-wakeup.ts"
import { inTransaction, inView, readTogether } from "../ports/storage/run.ts"
import { exclusive, type Transaction } from "../ports/storage.ts"
import { earlier, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { subscriptionEnded, findOwnSubscription } from "./change.ts"
import { ownerLocks, readRepresentedSide, readAuthorityState } from "./subscription-authority.ts"
import {
  WebhookDeliveries,
  WebhookEvents,
  WebhookSubscriptions,
  type DeliveryRow,
  type SubscriptionRow
} from "./store.ts"
import type { WebhookCaller } from "./subscriber.ts"
import { hasEnded, stateOf } from "./subscription.ts"
import { traced } from "../vocabulary/traced.ts"

/** Up to eight more attempts, the first immediately, at most 80 in all. A pending delivery is left unchanged. */
export const redeliver = traced("webhooks.redeliver")(function* (
  by: WebhookCaller,
  subscriptionId: string,
  deliveryId: string
) {
  const { notify } = yield* WebhookWakeup
  const planned = yield* findOwnSubscription(by, subscriptionId)
  const { projectId, event } = yield* findDelivery(subscriptionId, deliveryId)
  const locks = [
    ...by.locks,
    ...by.authorityLocks(planned),
    ...ownerLocks(planned, projectId),
    exclusive("subscription", subscriptionId)
  ]
  return yield* inTransaction({ locks }, function* (transaction) {
    const [subscription, row] = yield* readTogether([
      transaction.get(WebhookSubscriptions, [subscriptionId]),
      transaction.get(WebhookDeliveries, [deliveryId])
    ])
    const now = yield* transaction.now
    yield* by.requireLive(transaction, now)
    if (subscription === undefined || row === undefined) return yield* refuse("NOT_FOUND")
    const [side, authorityState] = yield* readTogether([
      readRepresentedSide(transaction, subscription, projectId, now),
      readAuthorityState(transaction, subscription, now)
    ])
    if (side === undefined)
      return yield* refuse(planned.grantId === null ? "FORBIDDEN" : "FORBIDDEN_AGENT_PROJECT_SCOPE")
    if (hasEnded(stateOf(subscription, now)) || authorityState === "ENDED")
      return yield* refuse("STATE_CONFLICT", { detail: subscriptionEnded })
    const changes = yield* queueAgain(transaction, subscription, row, now)
    yield* transaction.afterCommit(notify)
    return { subscription, row: { ...row, ...changes }, event, authorityState, now }
  })
})

/** A delivery of this subscription; any other is refused as not found. */
const findDelivery = Effect.fnUntraced(function* (subscriptionId: string, deliveryId: string) {
  return yield* inView(function* (reader) {
    const row = yield* reader.get(WebhookDeliveries, [deliveryId])
    if (row?.subscriptionId !== subscriptionId) return yield* refuse("NOT_FOUND")
    // Inserted before its delivery and never deleted.
    const { event } = (yield* reader.get(WebhookEvents, [row.eventId]))!
    return { projectId: row.projectId, event }
  })
})

const queueAgain = Effect.fnUntraced(function* (
  transaction: Transaction,
  { subscriptionId, isPaused, dueAt, exhausted }: SubscriptionRow,
  { deliveryId, state, totalAttempts }: DeliveryRow,
  now: Instant
) {
  if (state === "PENDING") return {}
  if (state === "CANCELLED") {
    return yield* refuse("STATE_CONFLICT", {
      detail: "The delivery is cancelled because the authority behind it has ended."
    })
  }
  if (totalAttempts >= limits.webhookAttemptsTotal) return yield* refuse("REDELIVERY_LIMIT")
  const queued = { state: "PENDING" as const, scheduledAttempts: 0, dueAt: now }
  yield* transaction.update(WebhookDeliveries, [deliveryId], queued)
  yield* transaction.update(WebhookSubscriptions, [subscriptionId], {
    exhausted: exhausted - (state === "EXHAUSTED" ? 1 : 0),
    ...(isPaused ? {} : { dueAt: earlier(dueAt, now) })
  })
  return queued
})
