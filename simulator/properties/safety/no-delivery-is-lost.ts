/** A delivery is pending, delivered, exhausted or cancelled with its authority: never lost (spec 6.2, 6.4). */
import { addDelivery, deliveryProblem, noDeliveries, subscriptionProblem } from "../../../src/integrity/queues.ts"
import { WebhookAttempts, WebhookDeliveries, WebhookSubscriptions } from "../../../src/webhooks/store.ts"
import { violation, monitoredProperty, rowIn, type Rows, rowsWithPrefix } from "../property.ts"
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
      const last = rowIn(rows, WebhookAttempts, [delivery.deliveryId, delivery.totalAttempts])
      const words = deliveryProblem(delivery, last)
      if (words !== undefined) return violation(`${delivery.deliveryId} ${words}`)
    }
    for (const id of touched) {
      const subscription = rowIn(rows, WebhookSubscriptions, [id])
      const words =
        subscription === undefined ? "is gone" : subscriptionProblem(subscription, deliveriesOf(id, rows), observed.at)
      if (words !== undefined) return violation(`${id} ${words}`)
    }
    return null
  }
})

const deliveriesOf = (subscriptionId: string, rows: Rows) =>
  rowsWithPrefix(rows, WebhookDeliveries, [subscriptionId], "byNumber").reduce(addDelivery, noDeliveries)
