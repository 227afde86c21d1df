/** Vacuity check: authority is checked before each send (spec 6.2), so one schedule must cancel a delivery. */
import { WebhookDeliveries } from "../../../src/webhooks/store.ts"
import { monitoredProperty, witness } from "../property.ts"
import { changesTo } from "../support/commits.ts"

export const cancelledDelivery = monitoredProperty<null>({
  name: "cancelled delivery",
  kind: "sometimes",
  says: "A worker cancels a delivery because the authority of its subscription has ended.",
  initial: null,
  next: (_, moment) =>
    changesTo(moment, WebhookDeliveries).some(({ was, is }) => was?.state === "PENDING" && is?.state === "CANCELLED")
      ? witness
      : null
})
