/** How a subscription ends that nobody revoked: it expires, or the authority behind it ends. */
import { Effect } from "effect"
import { shared, Storage } from "../ports/storage.ts"
import { authorityRoots } from "../access/authorize.ts"
import { never } from "../vocabulary/instant.ts"
import { changeRoots, endSubscription, stopListeningAnywhere } from "./change.ts"
import { stopListening } from "./listeners.ts"
import { sideOn, standingOf } from "./owner.ts"
import { WebhookSubscriptions, type SubscriptionRow } from "./store.ts"

/** Once it has expired nobody listens, and no worker looks at it again. */
export const expire = Effect.fn("webhooks.expire")(function* (planned: SubscriptionRow) {
  const storage = yield* Storage
  const { subscriptionId } = planned
  yield* storage.transaction({ roots: changeRoots(planned) }, (transaction) =>
    Effect.gen(function* () {
      const row = yield* transaction.get(WebhookSubscriptions, [subscriptionId])
      const now = yield* transaction.now
      if (row === undefined || now < row.expiresAt) return
      yield* stopListeningAnywhere(transaction, row)
      yield* transaction.update(WebhookSubscriptions, [subscriptionId], { dueAt: never, leaseToken: "" })
    })
  )
})

/**
 * With its authority it ends for good; an expired grant only holds it. Where the authority has lost one project alone, as
 * a send of that project found, nothing more of that project is queued: what happens there is its owner's to know no more.
 */
export const endWithAuthority = Effect.fn("webhooks.endWithAuthority")(function* (
  planned: SubscriptionRow,
  projectId?: string
) {
  const storage = yield* Storage
  const { subscriptionId, grantId, membershipId } = planned
  const owner = grantId === null ? [shared("membership", membershipId)] : authorityRoots({ grantId, membershipId })
  yield* storage.transaction({ roots: [...owner, ...changeRoots(planned)] }, (transaction) =>
    Effect.gen(function* () {
      const row = yield* transaction.get(WebhookSubscriptions, [subscriptionId])
      const now = yield* transaction.now
      if (row === undefined || row.revokedAt !== null) return
      if ((yield* standingOf(transaction, row, now)) === "ENDED") {
        const changes = yield* endSubscription(transaction, row, now)
        yield* transaction.update(WebhookSubscriptions, [subscriptionId], changes)
      } else if (projectId !== undefined && (yield* sideOn(transaction, row, projectId, now)) === undefined) {
        yield* stopListening(transaction, subscriptionId, projectId)
      }
    })
  )
})
