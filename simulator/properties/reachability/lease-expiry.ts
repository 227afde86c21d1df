/** Vacuity check: leases recover from crashes (spec 6.4), so at least one schedule must reach an expired lease. */
import { WebhookDeliveries } from "../../../src/webhooks/store.ts"
import { monitoredProperty, witness } from "../property.ts"
import { changesTo } from "../support/commits.ts"

export const leaseExpiry = monitoredProperty<null>({
  name: "lease expiry",
  kind: "sometimes",
  says: "A delivery whose lease expired is reclaimed by another worker.",
  initial: null,
  next: (_, moment) =>
    changesTo(moment, WebhookDeliveries).some(({ was, is }) => {
      const isReclaimed = was !== undefined && is !== undefined && was.leaseToken !== "" && is.leaseToken !== ""
      return isReclaimed && was.leaseToken !== is.leaseToken
    })
      ? witness
      : null
})
