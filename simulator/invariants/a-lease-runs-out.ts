/** Vacuity check: leases recover from crashes (spec 6.4), so at least one schedule must reach an expired lease. */
import { WebhookDeliveries } from "../../src/webhooks/store.ts"
import { invariant, reached } from "./invariant.ts"
import { changesTo } from "./support/commits.ts"

export const aLeaseRunsOut = invariant<null>({
  name: "a lease runs out",
  kind: "sometimes",
  says: "A delivery whose lease expired is reclaimed by another worker.",
  begins: null,
  sees: (_, moment) =>
    changesTo(moment, WebhookDeliveries).some(({ was, is }) => {
      const isReclaimed = was !== undefined && is !== undefined && was.leaseToken !== "" && is.leaseToken !== ""
      return isReclaimed && was.leaseToken !== is.leaseToken
    })
      ? reached
      : null
})
