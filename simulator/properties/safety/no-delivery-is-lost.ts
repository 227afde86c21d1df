/** A delivery is pending, delivered, exhausted or cancelled with its authority: never lost (spec 6.2, 6.4). */
import { never } from "../../../src/vocabulary/instant.ts"
import {
  WebhookAttempts,
  WebhookDeliveries,
  WebhookSubscriptions,
  type DeliveryRow,
  type SubscriptionRow
} from "../../../src/webhooks/store.ts"
import { violation, monitoredProperty, type Moment, rowIn, type Rows, rowsWithPrefix } from "../property.ts"
import { firstKeysOf, writesTo } from "../support/commits.ts"

export const noDeliveryIsLost = monitoredProperty<null>({
  name: "no delivery is lost",
  kind: "always",
  says: "Each delivery is acknowledged, scheduled, or has a recorded reason why it is no longer attempted.",
  judges: { kinds: [], commitsTo: [WebhookSubscriptions, WebhookDeliveries] },
  initial: null,
  next: (_, moment) => {
    const { observed, rows } = moment
    if (observed.kind !== "commit") return null
    const touched = new Set(firstKeysOf(observed, WebhookSubscriptions))
    for (const { key, change } of writesTo(observed, WebhookDeliveries)) {
      const delivery = rowIn(rows, WebhookDeliveries, key)
      if (delivery === undefined || change === "remove") return violation(`the delivery ${key[0]} is gone`)
      touched.add(delivery.subscriptionId)
      const words = deliveryProblem(delivery, moment)
      if (words !== undefined) return violation(`${delivery.deliveryId} ${words}`)
    }
    for (const id of touched) {
      const subscription = rowIn(rows, WebhookSubscriptions, [id])
      const words = subscription === undefined ? "is gone" : subscriptionProblem(subscription, moment)
      if (words !== undefined) return violation(`${id} ${words}`)
    }
    return null
  }
})

const deliveryProblem = (delivery: DeliveryRow, { rows }: Moment): string | undefined => {
  const { state, dueAt, leasedUntil, leaseToken, lastAttempt } = delivery
  if (state === "PENDING" && leasedUntil === never) return "is leased without an end"
  if (state === "PENDING") return dueAt === never ? "is pending without a due time" : undefined
  if (dueAt !== never || leaseToken !== "") return `is ${state} and still scheduled or leased`
  switch (state) {
    case "DELIVERED":
      return wasAcknowledged(delivery, rows) ? undefined : "is delivered without an acknowledgement"
    case "EXHAUSTED":
      return delivery.scheduledAttempts >= 8 || delivery.totalAttempts >= 80 ? undefined : "was exhausted too early"
    case "CANCELLED":
      return lastAttempt?.outcome === "AUTHORITY_ENDED" ? undefined : "was cancelled without a recorded reason"
  }
}

/** True if the last attempt was acknowledged with a 2xx status. */
const wasAcknowledged = ({ deliveryId, totalAttempts, lastAttempt }: DeliveryRow, rows: Rows): boolean => {
  const attempt = rowIn(rows, WebhookAttempts, [deliveryId, totalAttempts])
  const status = attempt?.statusCode ?? 0
  const is2xx = status >= 200 && status < 300
  return attempt?.outcome === "ACKNOWLEDGED" && is2xx && lastAttempt?.outcome === "ACKNOWLEDGED"
}

/** An active subscription is scheduled, at the latest for its expiry, and exhausted deliveries are counted. */
const subscriptionProblem = (row: SubscriptionRow, { observed, rows }: Moment): string | undefined => {
  const { subscriptionId, revokedAt, isPaused, expiresAt, dueAt, exhausted, deliveryCount } = row
  const deliveries = rowsWithPrefix(rows, WebhookDeliveries, [subscriptionId], "byNumber")
  const count = deliveries.filter(({ state }) => state === "EXHAUSTED").length
  if (count !== exhausted) return `counts ${exhausted} exhausted deliveries and has ${count}`
  const gap = deliveries.find(({ number }, index) => number !== index + 1)
  if (gap !== undefined || deliveryCount !== deliveries.length) return `has a gap in its delivery numbers`
  const isActive = revokedAt === null && !isPaused && observed.at < expiresAt
  return isActive && expiresAt < dueAt ? "is active and not scheduled" : undefined
}
