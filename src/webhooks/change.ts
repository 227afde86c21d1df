/** What an owner does with a subscription: pause, resume, revoke, rotate its secret. Each is safe to repeat. */
import { Effect } from "effect"
import { Secrets } from "../ports/secrets.ts"
import { CallbackWakeup } from "../ports/callback-wakeup.ts"
import { exclusive, Storage, type Transaction } from "../ports/storage.ts"
import { idSeed } from "../vocabulary/ids.ts"
import { never, type Instant } from "../vocabulary/instant.ts"
import { refuse, type Refused } from "../vocabulary/refusals.ts"
import { tokenFrom } from "../vocabulary/token.ts"
import { listen, stopListening } from "./listeners.ts"
import { sideOn, standingOf } from "./owner.ts"
import { WebhookPlaces, WebhookSubscriptions, type SubscriptionRow } from "./store.ts"
import type { Caller } from "./subscriber.ts"
import { hasEnded, stateOf } from "./subscription.ts"

/** From the answer on nothing is queued; what is pending stays, and nothing of it is sent until it is resumed. */
export const pauseSubscription = Effect.fn("webhooks.pause")(function* (by: Caller, subscriptionId: string) {
  return yield* change(by, subscriptionId, (transaction, row, now) =>
    Effect.gen(function* () {
      yield* requireStanding(transaction, row, now)
      if (row.isPaused) return {}
      yield* stopListeningAnywhere(transaction, row)
      // A worker that has just claimed it takes nothing of it.
      return { isPaused: true, dueAt: never, leaseToken: "" }
    })
  )
})

/** From the answer on events are queued again, none of the time between; what is pending goes on at once. */
export const resumeSubscription = Effect.fn("webhooks.resume")(function* (by: Caller, subscriptionId: string) {
  const { ring } = yield* CallbackWakeup
  return yield* change(by, subscriptionId, (transaction, row, now) =>
    Effect.gen(function* () {
      yield* requireStanding(transaction, row, now)
      if (!row.isPaused) return {}
      for (const projectId of row.projectIds) {
        // A project that is out of reach by now stays in the subscription, and is not listened to.
        const side = yield* sideOn(transaction, row, projectId, now)
        if (side !== undefined) yield* listen(transaction, row, projectId, side)
      }
      yield* transaction.afterCommit(ring)
      return { isPaused: false, dueAt: now }
    })
  )
})

/** Irreversible: from the answer on nothing is queued and nothing is sent; what is pending is cancelled. */
export const revokeSubscription = Effect.fn("webhooks.revoke")(function* (by: Caller, subscriptionId: string) {
  return yield* change(by, subscriptionId, endSubscription)
})

/** From the answer on callbacks are signed with another secret, and what the earlier one signed is not verified any more. */
export const rotateSecret = Effect.fn("webhooks.rotateSecret")(function* (
  by: Caller,
  subscriptionId: string,
  /** The version that somebody saw: where it has changed since, there is nothing to replace. */
  seenVersion?: number
) {
  const secrets = yield* Secrets
  const ids = yield* idSeed
  const secret = tokenFrom("callback", ids("plan").secret())
  const sealedSecret = yield* secrets.seal("CALLBACK", secret)
  yield* findSigned(by, subscriptionId)
  const changed = yield* change(by, subscriptionId, (transaction, row, now) =>
    Effect.gen(function* () {
      yield* requireStanding(transaction, row, now)
      const { secretVersion } = row
      if (secretVersion !== (seenVersion ?? secretVersion)) {
        return yield* refuse("STATE_CONFLICT", { detail: "The secret was replaced meanwhile." })
      }
      return { sealedSecret, secretVersion: secretVersion + 1 }
    })
  )
  return { ...changed, secret }
})

/** Under the roots of the subscription, its projects and its owner's places: nobody listens and sends any more. */
export const endSubscription = Effect.fnUntraced(function* (
  transaction: Transaction,
  row: SubscriptionRow,
  now: Instant
) {
  yield* stopListeningAnywhere(transaction, row)
  yield* transaction.update(WebhookPlaces, [row.owner, row.subscriptionId], { endsAt: now })
  return { revokedAt: now, dueAt: never, leaseToken: "" }
})

/** Without its authority it has ended, too, whether or not a worker has come to it: it can only be revoked. */
const requireStanding = Effect.fnUntraced(function* (transaction: Transaction, row: SubscriptionRow, now: Instant) {
  if ((yield* standingOf(transaction, row, now)) === "ENDED") return yield* refuse("STATE_CONFLICT", { detail: ended })
})

/** The roots of whoever changes who listens: projects first, so that no event commits beside it. */
export const changeRoots = ({ subscriptionId, projectIds, owner }: SubscriptionRow) => [
  ...projectIds.map((projectId) => exclusive("project", projectId)),
  exclusive("subscription", subscriptionId),
  exclusive("counter", owner)
]

export const stopListeningAnywhere = (transaction: Transaction, { subscriptionId, projectIds }: SubscriptionRow) =>
  Effect.forEach(projectIds, (projectId) => stopListening(transaction, subscriptionId, projectId), { discard: true })

/** Applies a change to a subscription that is the caller's own and has not ended; answers with it as it is then. */
const change = Effect.fnUntraced(function* <R>(
  by: Caller,
  subscriptionId: string,
  apply: (
    transaction: Transaction,
    row: SubscriptionRow,
    now: Instant
  ) => Effect.Effect<Partial<SubscriptionRow>, Refused, R>
) {
  const storage = yield* Storage
  // Its owner, its projects and whose authority it rests on never change, so they can be planned by.
  const planned = yield* findOwn(by, subscriptionId)
  const roots = [...by.roots, ...by.rootsOn(planned), ...changeRoots(planned)]
  return yield* storage.transaction({ roots, urgent: true }, (transaction) =>
    Effect.gen(function* () {
      const row = yield* transaction.get(WebhookSubscriptions, [subscriptionId])
      const now = yield* transaction.now
      yield* by.requireLive(transaction, now)
      if (row === undefined) return yield* refuse("NOT_FOUND")
      if (hasEnded(stateOf(row, now))) return yield* refuse("STATE_CONFLICT", { detail: ended })
      const changes = yield* apply(transaction, row, now)
      yield* transaction.update(WebhookSubscriptions, [subscriptionId], changes)
      return { row: { ...row, ...changes }, now }
    })
  )
})

/** One whose secret is this caller's to use: what its owner signs with is not for whoever oversees the owner. */
export const findSigned = Effect.fnUntraced(function* (by: Caller, subscriptionId: string) {
  const row = yield* findOwn(by, subscriptionId)
  return by.ownsSecret(row) ? row : yield* refuse("FORBIDDEN", { detail: secretOfAgent })
})

const secretOfAgent =
  "The secret of an agent's subscription is the agent's own: only the agent changes it and verifies with it."

export const ended = "This subscription has ended; make another one."

/** A subscription of this caller; any other is unknown to them. */
export const findOwn = Effect.fnUntraced(function* (by: Caller, subscriptionId: string) {
  const storage = yield* Storage
  const row = yield* storage.view((reader) => reader.get(WebhookSubscriptions, [subscriptionId]))
  return row !== undefined && by.owns(row) ? row : yield* refuse("NOT_FOUND")
})
