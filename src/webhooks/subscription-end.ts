/** Ends a subscription without a revocation: it has expired, or its authority has ended. */
import { inTransaction } from "../ports/storage/run.ts"
import { shared } from "../ports/storage.ts"
import { authorityLocks } from "../access/authorize.ts"
import { never } from "../vocabulary/instant.ts"
import { subscriptionLocks, endSubscription, stopListeningAnywhere } from "./change.ts"
import { stopListening } from "./listeners.ts"
import { readRepresentedSide, readAuthorityState } from "./subscription-authority.ts"
import { WebhookSubscriptions, type SubscriptionRow } from "./store.ts"
import { traced } from "../vocabulary/traced.ts"

/** Removes the listeners of an expired subscription and takes it out of the schedule. */
export const expireSubscription = traced("webhooks.expire")(function* (planned: SubscriptionRow) {
  const { subscriptionId } = planned
  yield* inTransaction({ locks: subscriptionLocks(planned) }, function* (transaction) {
    const row = yield* transaction.get(WebhookSubscriptions, [subscriptionId])
    const now = yield* transaction.now
    if (row === undefined || now < row.expiresAt) return
    yield* stopListeningAnywhere(transaction, row)
    yield* transaction.update(WebhookSubscriptions, [subscriptionId], { dueAt: never, leaseToken: "" })
  })
})

/**
 * Ends a subscription whose authority has ended; an expired grant only holds it. If the authority has lost only
 * `projectId`, the subscription stops listening to that project.
 */
export const endIfUnauthorized = traced("webhooks.endIfUnauthorized")(function* (
  planned: SubscriptionRow,
  projectId?: string
) {
  const { subscriptionId, grantId, membershipId } = planned
  const owner = grantId === null ? [shared("membership", membershipId)] : authorityLocks({ grantId, membershipId })
  yield* inTransaction({ locks: [...owner, ...subscriptionLocks(planned)] }, function* (transaction) {
    const row = yield* transaction.get(WebhookSubscriptions, [subscriptionId])
    const now = yield* transaction.now
    if (row === undefined || row.revokedAt !== null) return
    if ((yield* readAuthorityState(transaction, row, now)) === "ENDED") {
      const changes = yield* endSubscription(transaction, row, now)
      yield* transaction.update(WebhookSubscriptions, [subscriptionId], changes)
    } else if (
      projectId !== undefined &&
      (yield* readRepresentedSide(transaction, row, projectId, now)) === undefined
    ) {
      yield* stopListening(transaction, subscriptionId, projectId)
    }
  })
})
