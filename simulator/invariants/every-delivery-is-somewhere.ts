/** A delivery is pending, acknowledged, exhausted or stopped with its authority: never forgotten (spec 6.2, 6.4). */
import { never } from "../../src/vocabulary/instant.ts"
import {
  WebhookAttempts,
  WebhookDeliveries,
  WebhookSubscriptions,
  type DeliveryRow,
  type SubscriptionRow
} from "../../src/webhooks/store.ts"
import { broken, invariant, type Moment, rowIn, type Rows, rowsUnder } from "./invariant.ts"
import { firstKeysOf, writesTo } from "./support/commits.ts"

export const everyDeliveryIsSomewhere = invariant<null>({
  name: "every delivery is somewhere",
  kind: "always",
  says: "Each delivery was acknowledged, waits for a moment that comes, or shows why nothing more is tried.",
  begins: null,
  sees: (_, moment) => {
    const { observed, rows } = moment
    if (observed.kind !== "commit") return null
    const touched = new Set(firstKeysOf(observed, WebhookSubscriptions))
    for (const { key, change } of writesTo(observed, WebhookDeliveries)) {
      const delivery = rowIn(rows, WebhookDeliveries, key)
      if (delivery === undefined || change === "remove") return broken(`the delivery ${key[0]} is gone`)
      touched.add(delivery.subscriptionId)
      const words = wrongIn(delivery, moment)
      if (words !== undefined) return broken(`${delivery.deliveryId} ${words}`)
    }
    for (const id of touched) {
      const subscription = rowIn(rows, WebhookSubscriptions, [id])
      const words = subscription === undefined ? "is gone" : wrongInSubscription(subscription, moment)
      if (words !== undefined) return broken(`${id} ${words}`)
    }
    return null
  }
})

const wrongIn = (delivery: DeliveryRow, { rows }: Moment): string | undefined => {
  const { state, dueAt, leaseToken, lastAttempt } = delivery
  if (state === "PENDING") return dueAt === never ? "waits for nothing" : undefined
  if (dueAt !== never || leaseToken !== "") return `is ${state} and goes on`
  switch (state) {
    case "DELIVERED":
      return wasAcknowledged(delivery, rows) ? undefined : "counts as delivered and was not acknowledged"
    case "EXHAUSTED":
      return delivery.scheduledAttempts >= 8 || delivery.totalAttempts >= 80 ? undefined : "was given up too early"
    case "CANCELLED":
      return lastAttempt?.outcome === "AUTHORITY_ENDED" ? undefined : "was cancelled and does not show why"
  }
}

/** Its last attempt is the one that was. */
const wasAcknowledged = ({ deliveryId, totalAttempts, lastAttempt }: DeliveryRow, rows: Rows): boolean => {
  const attempt = rowIn(rows, WebhookAttempts, [deliveryId, totalAttempts])
  const status = attempt?.statusCode ?? 0
  const is2xx = status >= 200 && status < 300
  return attempt?.outcome === "ACKNOWLEDGED" && is2xx && lastAttempt?.outcome === "ACKNOWLEDGED"
}

/** While a subscription is active a worker looks at it, at the latest to end it; and what was given up is counted. */
const wrongInSubscription = (row: SubscriptionRow, { observed, rows }: Moment): string | undefined => {
  const { subscriptionId, revokedAt, isPaused, expiresAt, dueAt, exhausted, deliveryCount } = row
  const deliveries = rowsUnder(rows, WebhookDeliveries, [subscriptionId], "byPlace")
  const given = deliveries.filter(({ state }) => state === "EXHAUSTED").length
  if (given !== exhausted) return `says that ${exhausted} deliveries were given up, and ${given} were`
  const gap = deliveries.find(({ number }, index) => number !== index + 1)
  if (gap !== undefined || deliveryCount !== deliveries.length) return `does not number its deliveries without a gap`
  const isActive = revokedAt === null && !isPaused && observed.at < expiresAt
  return isActive && expiresAt < dueAt ? "is active and no worker looks at it" : undefined
}
