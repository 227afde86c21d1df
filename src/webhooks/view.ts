/** Maps webhook rows to wire views (2.10, decisions "Webhooks"). */
import { parseCanonical, type CanonicalText } from "../canonical/jcs.ts"
import { never, type Instant } from "../vocabulary/instant.ts"
import { claimableAt } from "./delivery.ts"
import type { WebhookPayload } from "./event.ts"
import type { OwnWebhook } from "./person-wire.ts"
import type { SubscriptionWithAuthority } from "./list.ts"
import type { AuthorityState } from "./subscription-authority.ts"
import type { DeliveryRow, SubscriptionRow } from "./store.ts"
import { hasEnded, stateOf, type SubscriptionState } from "./subscription.ts"
import type { WebhookDelivery, WebhookDeliveryPage, WebhookResult, WebhookSubscription } from "./wire.ts"

export const viewSubscription = (row: SubscriptionRow, now: Instant): typeof WebhookSubscription.Type => {
  const { subscriptionId, target, projectIds, eventTypes, createdAt, expiresAt, secretVersion } = row
  const state = stateOf(row, now)
  return { id: subscriptionId, target, projectIds, eventTypes, state, createdAt, expiresAt, secretVersion }
}

/** A subscription in a person's list; its state includes the end of the authority behind it. */
export const viewOwnSubscription = (
  { row, agentName, authorityState }: SubscriptionWithAuthority,
  now: Instant
): typeof OwnWebhook.Type => ({
  ...viewSubscription(row, now),
  state: effectiveState(row, authorityState, now),
  agentName,
  exhausted: row.exhausted
})

/** A subscription has ended with its authority, even if no worker has processed that end yet. */
export const effectiveState = (
  row: SubscriptionRow,
  authorityState: AuthorityState,
  now: Instant
): SubscriptionState => {
  const state = stateOf(row, now)
  return authorityState === "ENDED" && !hasEnded(state) ? "REVOKED" : state
}

/** The response to a creation or a change. */
export const viewResult = ({
  row,
  now,
  secret,
  replayed
}: {
  readonly row: SubscriptionRow
  readonly now: Instant
  readonly secret?: string
  readonly replayed?: true
}): typeof WebhookResult.Type => ({
  subscription: viewSubscription(row, now),
  ...(secret === undefined ? {} : { secret }),
  ...(replayed === undefined ? {} : { replayed })
})

/** A delivery with the text of its event. */
export interface DeliveryWithEvent {
  readonly row: DeliveryRow
  readonly event: CanonicalText<WebhookPayload>
}

/** The state of the subscription and of its authority, which a delivery's view depends on. */
export interface DeliveryContext {
  readonly subscription: SubscriptionRow
  readonly authorityState: AuthorityState
  readonly now: Instant
}

export const viewDelivery = (
  { row, event }: DeliveryWithEvent,
  { subscription, authorityState, now }: DeliveryContext
): typeof WebhookDelivery.Type => {
  const { deliveryId, eventType, scheduledAttempts, totalAttempts, lastAttempt } = row
  const subscriptionState = effectiveState(subscription, authorityState, now)
  const state = row.state === "PENDING" && hasEnded(subscriptionState) ? "CANCELLED" : row.state
  const isWaiting =
    state === "PENDING" && subscriptionState === "ACTIVE" && authorityState === "LIVE" && row.dueAt !== never
  return {
    deliveryId,
    event: parseCanonical(event),
    eventType,
    state,
    scheduledAttempts,
    totalAttempts,
    nextAttemptAt: isWaiting ? claimableAt(row) : null,
    lastAttempt,
    ...(state === "PENDING" && authorityState === "HELD" ? { held: true as const } : {})
  }
}

export const viewHistory = ({
  deliveries,
  next,
  checkpoint,
  ...behind
}: DeliveryContext & {
  readonly deliveries: ReadonlyArray<DeliveryWithEvent>
  readonly next: string | null
  readonly checkpoint: string
}): typeof WebhookDeliveryPage.Type => ({
  deliveries: deliveries.map((delivery) => viewDelivery(delivery, behind)),
  next,
  checkpoint
})

export const viewVerified = <N, J>({
  deliveryId,
  event,
  currentNextAction,
  jobs
}: {
  readonly deliveryId: string
  readonly event: CanonicalText<WebhookPayload>
  readonly currentNextAction: N
  readonly jobs: ReadonlyArray<J>
}) => ({
  verified: true as const,
  deliveryId,
  event: parseCanonical(event),
  currentNextAction,
  jobs
})
