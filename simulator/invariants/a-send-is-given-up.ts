/** Vacuity check: authority is checked before each send (spec 6.2), so one schedule must cancel a delivery. */
import { WebhookDeliveries } from "../../src/webhooks/store.ts"
import { invariant, reached } from "./invariant.ts"
import { changesTo } from "./support/commits.ts"

export const aSendIsGivenUp = invariant<null>({
  name: "a send is given up because its authority ended",
  kind: "sometimes",
  says: "A worker cancels a delivery because the authority of its subscription has ended.",
  begins: null,
  sees: (_, moment) =>
    changesTo(moment, WebhookDeliveries).some(({ was, is }) => was?.state === "PENDING" && is?.state === "CANCELLED")
      ? reached
      : null
})
