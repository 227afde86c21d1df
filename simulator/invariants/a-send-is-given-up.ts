/** Authority is checked again right before each send (spec 6.2): a search has to come to a send that this stops. */
import { WebhookDeliveries } from "../../src/webhooks/store.ts"
import { invariant, reached } from "./invariant.ts"
import { changesTo } from "./support/commits.ts"

export const aSendIsGivenUp = invariant<null>({
  name: "a send is given up because its authority ended",
  kind: "sometimes",
  says: "A worker that was about to send finds that nobody may be told any more.",
  begins: null,
  sees: (_, moment) =>
    changesTo(moment, WebhookDeliveries).some(({ was, is }) => was?.state === "PENDING" && is?.state === "CANCELLED")
      ? reached
      : null
})
