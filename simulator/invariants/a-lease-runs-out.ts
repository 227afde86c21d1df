/** A lease recovers from a crash (spec 6.4): a search has to come to one that ran out. */
import { WebhookDeliveries } from "../../src/webhooks/store.ts"
import { invariant, reached } from "./invariant.ts"
import { changesTo } from "./support/commits.ts"

export const aLeaseRunsOut = invariant<null>({
  name: "a lease runs out",
  kind: "sometimes",
  says: "A delivery that a worker held to the end of its lease is taken over.",
  begins: null,
  sees: (_, moment) =>
    changesTo(moment, WebhookDeliveries).some(({ was, is }) => {
      const isTakenOver = was !== undefined && is !== undefined && was.leaseToken !== "" && is.leaseToken !== ""
      return isTakenOver && was.leaseToken !== is.leaseToken
    })
      ? reached
      : null
})
