/** Creates a subscription: events of its projects that commit afterwards are queued for it. */
import { Effect, Result } from "effect"
import type { ActingPerson } from "../people/acting-person.ts"
import { Installation } from "../ports/installation.ts"
import { Secrets } from "../ports/secrets.ts"
import { inTransaction, inView, readTogether } from "../ports/storage/run.ts"
import { exclusive, type Reader, type Transaction } from "../ports/storage.ts"
import {
  committedTarget,
  isReplay,
  readStoredRequest,
  recordRequest,
  type IdempotentRequest
} from "../replay/idempotency.ts"
import { idSeed } from "../vocabulary/ids.ts"
import { addMilliseconds, now as currentTime, type Instant } from "../vocabulary/instant.ts"
import type { EventType } from "../vocabulary/event-types.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { tokenFrom } from "../vocabulary/token.ts"
import { endIfUnauthorized } from "./subscription-end.ts"
import { listen } from "./listeners.ts"
import { readAuthorityState } from "./subscription-authority.ts"
import { WebhookQuotaSlots, WebhookProjectCursors, WebhookSubscriptions, type SubscriptionRow } from "./store.ts"
import { personSubscriber, type Subscriber } from "./subscriber.ts"
import { readTarget } from "./target.ts"
import { traced } from "../vocabulary/traced.ts"

export interface SubscriptionInput {
  readonly target: string
  readonly projectIds: ReadonlyArray<string>
  readonly eventTypes: ReadonlyArray<EventType>
  readonly expiresAt: Instant
}

/** The secret is returned in the first response only; a replay of the request is answered without it. */
export const createSubscription = traced("webhooks.create")(function* (
  by: Subscriber,
  request: IdempotentRequest,
  input: SubscriptionInput
) {
  const secrets = yield* Secrets
  const { siteUrl } = yield* Installation
  const ids = yield* idSeed
  const target = yield* checkTarget(input.target, siteUrl)
  const plan = ids("plan")
  const subscriptionId = plan.next("webhook")
  const secret = tokenFrom("callback", plan.secret())
  const sealedSecret = yield* secrets.seal("CALLBACK", secret)
  const projectIds = input.projectIds.toSorted()
  yield* endUnauthorizedSubscriptions(by, projectIds)
  const deferred = [...projectIds.map((id) => exclusive("project", id)), exclusive("counter", by.owner)]
  const result = yield* inTransaction({ locks: by.locks, deferred }, function* (transaction) {
    const reached = yield* by.readAuthority(transaction, projectIds)
    if (reached.isInScope) for (const lockKey of deferred) yield* transaction.lock(lockKey)
    // Read under the locks: a concurrent duplicate of this request has committed by now, or waits for these locks.
    const earlier = yield* readStoredRequest(transaction, request)
    const now = yield* transaction.now
    yield* reached.requireLive(now)
    if (!reached.isInScope) return yield* refuse("FORBIDDEN_AGENT_PROJECT_SCOPE")
    if (yield* isReplay(earlier, request)) return { again: earlier!.target }
    yield* checkEnd(input.expiresAt, now)
    yield* takeQuotaSlot(transaction, by.owner, { subscriptionId, endsAt: input.expiresAt }, now)
    const row: SubscriptionRow = {
      subscriptionId,
      owner: by.owner,
      grantId: by.grantId,
      personId: reached.personId,
      membershipId: by.membershipId,
      target,
      projectIds,
      eventTypes: input.eventTypes,
      isPaused: false,
      createdAt: now,
      expiresAt: input.expiresAt,
      revokedAt: null,
      secretVersion: 1,
      sealedSecret,
      deliveryCount: 0,
      failures: 0,
      exhausted: 0,
      flights: [],
      dueAt: input.expiresAt,
      leasedUntil: now,
      leaseToken: ""
    }
    yield* transaction.insert(WebhookSubscriptions, row)
    for (const projectId of projectIds) {
      const side = yield* by.readRepresentedSide(transaction, projectId, now)
      const numberedThrough = yield* listen(transaction, row, projectId, side)
      yield* transaction.insert(WebhookProjectCursors, { subscriptionId, projectId, numberedThrough })
    }
    yield* recordRequest(transaction, request, subscriptionId, now)
    return { row, now }
  })
  return "again" in result ? yield* readReplayed(result.again) : { ...result, secret }
})

/** For a person. A replay is answered before any membership is checked. */
export const createSubscriptionAsPerson = traced("webhooks.createAsPerson")(function* (
  by: ActingPerson,
  request: IdempotentRequest,
  { organizationId, ...input }: SubscriptionInput & { readonly organizationId?: string | undefined }
) {
  const again = yield* committedTarget(request)
  if (again !== undefined) return yield* readReplayed(again)
  return yield* createSubscription(yield* personSubscriber(by, input.projectIds, organizationId), request, input)
})

/** The subscription was inserted in the same transaction as its idempotency key, and rows are never removed. */
const readReplayed = Effect.fnUntraced(function* (subscriptionId: string) {
  const row = yield* inView((reader) => reader.get(WebhookSubscriptions, [subscriptionId]))
  return { row: row!, now: yield* currentTime, replayed: true as const }
})

/** When the quota is used up, first ends the subscriptions whose authority has ended: for a live caller only. */
const endUnauthorizedSubscriptions = Effect.fnUntraced(function* (by: Subscriber, projectIds: ReadonlyArray<string>) {
  const now = yield* currentTime
  const unauthorized = yield* inView(function* (reader) {
    const live = yield* readActiveQuotaSlots(reader, by.owner, now)
    if (live.length < limits.subscriptionsPerOwner) return []
    yield* (yield* by.readAuthority(reader, projectIds)).requireLive(now)
    const rows = yield* readTogether(
      live.map(({ subscriptionId }) => reader.get(WebhookSubscriptions, [subscriptionId]))
    )
    const found = rows.flatMap((row) => row ?? [])
    const authorityStates = yield* readTogether(found.map((row) => readAuthorityState(reader, row, now)))
    return found.filter((_, index) => authorityStates[index] === "ENDED")
  })
  yield* Effect.forEach(unauthorized, (row) => endIfUnauthorized(row), { discard: true })
})

const checkTarget = (target: string, siteUrl: string) =>
  Result.match(readTarget(target, [siteUrl]), {
    onFailure: (message) => refuse("INVALID_REQUEST", { issues: [{ path: "target", message }] }),
    onSuccess: (accepted) => Effect.succeed(accepted)
  })

/** Expiry is exclusive, so it must be in the future. */
const checkEnd = (expiresAt: Instant, now: Instant) => {
  const isWithin = now < expiresAt && expiresAt <= addMilliseconds(now, limits.subscriptionLifetime)
  const message = "must be in the future, within 30 days"
  return isWithin ? Effect.void : refuse("INVALID_REQUEST", { issues: [{ path: "expiresAt", message }] })
}

/** Takes a quota slot; ended subscriptions do not count. */
const takeQuotaSlot = Effect.fnUntraced(function* (
  transaction: Transaction,
  owner: string,
  slot: { readonly subscriptionId: string; readonly endsAt: Instant },
  now: Instant
) {
  const live = yield* readActiveQuotaSlots(transaction, owner, now)
  if (live.length >= limits.subscriptionsPerOwner) {
    const detail = `Limit reached: ${limits.subscriptionsPerOwner} active subscriptions; ask their owner to end one.`
    return yield* refuse("SUBSCRIPTION_LIMIT", { detail })
  }
  yield* transaction.insert(WebhookQuotaSlots, { owner, ...slot })
})

const readActiveQuotaSlots = (reader: Reader, owner: string, now: Instant) =>
  reader.range(WebhookQuotaSlots, "byEnd", {
    prefix: [owner],
    // After every id: a subscription that ends at this moment has ended.
    after: [now, "~"],
    limit: limits.subscriptionsPerOwner
  })
