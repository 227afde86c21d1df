/** The listeners of a project, kept under the project's lock: an event is queued for exactly these. */
import { Effect } from "effect"
import type { Role } from "../access/actions.ts"
import { readTogether } from "../ports/storage/run.ts"
import type { Transaction } from "../ports/storage.ts"
import { readEventCount, recordSubscriptionCount } from "../projects/committed-events.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { WebhookListeners, type SubscriptionRow } from "./store.ts"

/** Adds a listener from this commit on; returns the number of earlier events, which are not queued for it. */
export const listen = Effect.fnUntraced(function* (
  transaction: Transaction,
  { subscriptionId, eventTypes, expiresAt }: SubscriptionRow,
  projectId: string,
  side: Role
) {
  const [events, listeners] = yield* readTogether([
    readEventCount(transaction, projectId),
    readListeners(transaction, projectId)
  ])
  if (events === undefined) return yield* refuse("FORBIDDEN_AGENT_PROJECT_SCOPE")
  const isListening = listeners.some((one) => one.subscriptionId === subscriptionId)
  if (isListening) return events
  if (listeners.filter((one) => one.side === side).length >= limits.subscriptionsPerSide) {
    const detail = `Limit reached: ${limits.subscriptionsPerSide} active subscriptions of this side on ${projectId}; pause or revoke one first.`
    return yield* refuse("SUBSCRIPTION_LIMIT", { detail })
  }
  yield* transaction.insert(WebhookListeners, { projectId, subscriptionId, side, eventTypes, expiresAt })
  yield* recordSubscriptionCount(transaction, projectId, listeners.length + 1)
  return events
})

/** Removes the listener: from this commit on, nothing more is queued for it. */
export const stopListening = Effect.fnUntraced(function* (
  transaction: Transaction,
  subscriptionId: string,
  projectId: string
) {
  const listeners = yield* readListeners(transaction, projectId)
  if (!listeners.some((one) => one.subscriptionId === subscriptionId)) return
  yield* transaction.remove(WebhookListeners, [projectId, subscriptionId])
  yield* recordSubscriptionCount(transaction, projectId, listeners.length - 1)
})

/** All listeners; the number of each side is bounded. */
export const readListeners = (transaction: Transaction, projectId: string) =>
  transaction.range(WebhookListeners, "key", { prefix: [projectId], limit: 2 * limits.subscriptionsPerSide })
