/** Pause, resume, revoke and secret rotation of a subscription. Each is idempotent. */
import { Effect } from "effect"
import { Secrets } from "../ports/secrets.ts"
import { WebhookWakeup } from "../ports/webhook-wakeup.ts"
import { inTransaction, inView } from "../ports/storage/run.ts"
import { exclusive, type Transaction } from "../ports/storage.ts"
import { idSeed } from "../vocabulary/ids.ts"
import { never, type Instant } from "../vocabulary/instant.ts"
import type { RefusalCode } from "../vocabulary/refusal-rules.ts"
import { neverRefused, refuse, type Refusal } from "../vocabulary/refusals.ts"
import { tokenFrom } from "../vocabulary/token.ts"
import { listen, stopListening } from "./listeners.ts"
import { readRepresentedSide, readAuthorityState } from "./subscription-authority.ts"
import { WebhookQuotaSlots, WebhookSubscriptions, type SubscriptionRow } from "./store.ts"
import type { WebhookCaller } from "./subscriber.ts"
import { hasEnded, stateOf } from "./subscription.ts"
import { traced } from "../vocabulary/traced.ts"

/**
 * Once acknowledged, no event is queued; pending deliveries are kept and not sent until the subscription is resumed.
 */
export const pauseSubscription = traced("webhooks.pause")(function* (by: WebhookCaller, subscriptionId: string) {
  return yield* change(by, subscriptionId, (transaction, row, now) =>
    Effect.gen(function* () {
      yield* requireAuthority(transaction, row, now)
      if (row.isPaused) return {}
      yield* stopListeningAnywhere(transaction, row)
      // Clearing the lease token fences off a worker that has just claimed the subscription.
      return { isPaused: true, dueAt: never, leaseToken: "" }
    })
  )
})

/** Once acknowledged, new events are queued again and pending deliveries are due; events in between are not queued. */
export const resumeSubscription = traced("webhooks.resume")(function* (by: WebhookCaller, subscriptionId: string) {
  const { notify } = yield* WebhookWakeup
  return yield* change(by, subscriptionId, (transaction, row, now) =>
    Effect.gen(function* () {
      yield* requireAuthority(transaction, row, now)
      if (!row.isPaused) return {}
      for (const projectId of row.projectIds) {
        // A project that the authority has lost stays in the subscription without a listener.
        const side = yield* readRepresentedSide(transaction, row, projectId, now)
        if (side === undefined) continue
        // Projects are never removed.
        yield* listen(transaction, row, projectId, side).pipe(neverRefused("FORBIDDEN_AGENT_PROJECT_SCOPE"))
      }
      yield* transaction.afterCommit(notify)
      return { isPaused: false, dueAt: now }
    })
  )
})

/** Irreversible: once acknowledged, nothing is queued or sent, and pending deliveries are cancelled. */
export const revokeSubscription = traced("webhooks.revoke")(function* (by: WebhookCaller, subscriptionId: string) {
  return yield* change(by, subscriptionId, endSubscription)
})

/** Once acknowledged, webhooks are signed with the new secret, and signatures of the old one no longer verify. */
export const rotateSecret = traced("webhooks.rotateSecret")(function* (
  by: WebhookCaller,
  subscriptionId: string,
  /** The version that the caller saw: a rotation of any other version is refused. */
  expectedVersion?: number
) {
  const secrets = yield* Secrets
  const ids = yield* idSeed
  const secret = tokenFrom("callback", ids("plan").secret())
  const sealedSecret = yield* secrets.seal("CALLBACK", secret)
  yield* findWithUsableSecret(by, subscriptionId)
  const changed = yield* change(by, subscriptionId, (transaction, row, now) =>
    Effect.gen(function* () {
      yield* requireAuthority(transaction, row, now)
      const { secretVersion } = row
      if (secretVersion !== (expectedVersion ?? secretVersion)) {
        return yield* refuse("STATE_CONFLICT", {
          detail: "The secret was replaced in the meantime; reload and try again."
        })
      }
      return { sealedSecret, secretVersion: secretVersion + 1 }
    })
  )
  return { ...changed, secret }
})

/** Removes all listeners and frees the quota slot, under the locks of the subscription, its projects and its owner. */
export const endSubscription = Effect.fnUntraced(function* (
  transaction: Transaction,
  row: SubscriptionRow,
  now: Instant
) {
  yield* stopListeningAnywhere(transaction, row)
  yield* transaction.update(WebhookQuotaSlots, [row.owner, row.subscriptionId], { endsAt: now })
  return { revokedAt: now, dueAt: never, leaseToken: "" }
})

/** Refuses a subscription whose authority has ended, even if no worker has processed that end yet. */
const requireAuthority = Effect.fnUntraced(function* (transaction: Transaction, row: SubscriptionRow, now: Instant) {
  if ((yield* readAuthorityState(transaction, row, now)) === "ENDED")
    return yield* refuse("STATE_CONFLICT", { detail: subscriptionEnded })
})

/** The lock keys of a change of listeners: projects first, so that no event commits concurrently. */
export const subscriptionLocks = ({ subscriptionId, projectIds, owner }: SubscriptionRow) => [
  ...projectIds.map((projectId) => exclusive("project", projectId)),
  exclusive("subscription", subscriptionId),
  exclusive("counter", owner)
]

export const stopListeningAnywhere = (transaction: Transaction, { subscriptionId, projectIds }: SubscriptionRow) =>
  Effect.forEach(projectIds, (projectId) => stopListening(transaction, subscriptionId, projectId), { discard: true })

/** Applies a change to an active or paused subscription of the caller, and returns it as changed. */
const change = Effect.fnUntraced(function* <R, Code extends RefusalCode = never>(
  by: WebhookCaller,
  subscriptionId: string,
  apply: (
    transaction: Transaction,
    row: SubscriptionRow,
    now: Instant
  ) => Effect.Effect<Partial<SubscriptionRow>, Refusal<Code>, R>
) {
  // Owner, projects and authority of a subscription are immutable, so the locks can be planned from this read.
  const planned = yield* findOwnSubscription(by, subscriptionId)
  const locks = [...by.locks, ...by.authorityLocks(planned), ...subscriptionLocks(planned)]
  return yield* inTransaction({ locks, urgent: true }, function* (transaction) {
    const row = yield* transaction.get(WebhookSubscriptions, [subscriptionId])
    const now = yield* transaction.now
    yield* by.requireLive(transaction, now)
    if (row === undefined) return yield* refuse("NOT_FOUND")
    if (hasEnded(stateOf(row, now))) return yield* refuse("STATE_CONFLICT", { detail: subscriptionEnded })
    const changes = yield* apply(transaction, row, now)
    yield* transaction.update(WebhookSubscriptions, [subscriptionId], changes)
    return { row: { ...row, ...changes }, now }
  })
})

/** A subscription whose secret the caller may use: the secret of an agent's subscription is not its person's. */
export const findWithUsableSecret = Effect.fnUntraced(function* (by: WebhookCaller, subscriptionId: string) {
  const row = yield* findOwnSubscription(by, subscriptionId)
  return by.ownsSecret(row) ? row : yield* refuse("FORBIDDEN", { detail: agentOwnsSecret })
})

const agentOwnsSecret =
  "The secret of an agent's subscription belongs to the agent: only the agent can rotate it or verify with it."

export const subscriptionEnded = "This subscription has ended; create a new one."

/** A subscription of this caller; any other is refused as not found. */
export const findOwnSubscription = Effect.fnUntraced(function* (by: WebhookCaller, subscriptionId: string) {
  const row = yield* inView((reader) => reader.get(WebhookSubscriptions, [subscriptionId]))
  return row !== undefined && by.owns(row) ? row : yield* refuse("NOT_FOUND")
})
