/**
 * The transaction between the open connection and the first byte of a request: it checks the authority again, builds
 * the body and records the attempt. If it refuses, nothing is sent.
 */
import { Effect } from "effect"
import { sha256Hex } from "../canonical/digest.ts"
import type { WebhookRequest } from "../ports/webhook-sender.ts"
import { Secrets } from "../ports/secrets.ts"
import { inTransaction, inView, readTogether } from "../ports/storage/run.ts"
import { exclusive, type Reader, type Storage, type Transaction } from "../ports/storage.ts"
import { readNextAction } from "../projects/stored-next-action.ts"
import { now as currentTime, toMilliseconds, type Instant } from "../vocabulary/instant.ts"
import type { LeasedSend } from "./claim.ts"
import { envelopeOf } from "./event.ts"
import { ownerLocks, readRepresentedSide, readAuthorityState } from "./subscription-authority.ts"
import { signatureOf } from "./signature.ts"
import {
  WebhookAttempts,
  WebhookDeliveries,
  WebhookSubscriptions,
  type EventRow,
  type SubscriptionRow
} from "./store.ts"
import { stateOf } from "./subscription.ts"
import { traced } from "../vocabulary/traced.ts"

/**
 * Why nothing is sent. `LOST`: another worker has the lease. `TOO_LATE`: the deadline has passed. `DEFERRED` and
 * `KEY_UNAVAILABLE`: the delivery is postponed. `SUBSCRIPTION_INACTIVE`: it is sent once the subscription is resumed, and never
 * if that has ended. `AUTHORITY_ENDED`: it is cancelled.
 */
export type SendRefusal =
  | "LOST"
  | "TOO_LATE"
  | "DEFERRED"
  | "KEY_UNAVAILABLE"
  | "SUBSCRIPTION_INACTIVE"
  | "AUTHORITY_ENDED"

export type AttemptRecord =
  | { readonly isRecorded: true; readonly attempt: number; readonly request: WebhookRequest }
  | { readonly isRecorded: false; readonly refusal: SendRefusal }

export interface AttemptPlan {
  readonly subscription: SubscriptionRow
  readonly event: EventRow
  /** Nothing is sent from this moment on, recorded or not; never after the lease end. */
  readonly deadline: Instant
  /** Receives the number of the attempt after its commit, also if the fiber is interrupted meanwhile. */
  readonly note: (attempt: number) => Effect.Effect<void>
}

/** A send whose connection is open. */
export interface ConnectedSend {
  readonly send: LeasedSend
  readonly plan: AttemptPlan
}

/** Records the attempts of several sends in one transaction; each send is refused for itself. */
export const recordAttempts = traced("webhooks.recordAttempts")(function* (
  connected: ReadonlyArray<ConnectedSend>
): Effect.fn.Return<ReadonlyArray<AttemptRecord>, never, Storage | Secrets> {
  const nextActions = yield* readNextActions(connected)
  const locks = connected.flatMap(({ send, plan }) => [
    ...ownerLocks(plan.subscription, plan.event.projectId),
    exclusive("subscription", send.subscriptionId)
  ])
  return yield* inTransaction({ locks }, function* (transaction) {
    const found = yield* readTogether(connected.map((one) => readCurrent(transaction, one)))
    const now = yield* transaction.now
    const refusals = yield* readTogether(
      connected.map((one, index) => refusalNow(transaction, one, found[index]!, now))
    )
    return yield* Effect.forEach(connected, (one, index) =>
      recordAttempt(transaction, one, {
        ...found[index]!,
        refusal: refusals[index],
        nextAction: nextActions[index],
        now
      })
    )
  })
})

/** The rows under the locks: the subscription and the delivery. */
const readCurrent = (reader: Reader, { send }: ConnectedSend) =>
  readTogether({
    row: reader.get(WebhookSubscriptions, [send.subscriptionId]),
    delivery: reader.get(WebhookDeliveries, [send.deliveryId])
  })

type CurrentRows = Effect.Success<ReturnType<typeof readCurrent>>

const refusalNow = (
  reader: Reader,
  { send, plan }: ConnectedSend,
  { row, delivery }: CurrentRows,
  now: Instant
): Effect.Effect<SendRefusal | undefined> => {
  if (row === undefined || delivery?.leaseToken !== send.token || delivery.leasedUntil <= now)
    return Effect.succeed("LOST")
  if (plan.deadline <= now) return Effect.succeed("TOO_LATE")
  return refusalOf(reader, row, plan.event.projectId, now)
}

interface AttemptSituation extends CurrentRows {
  readonly refusal: SendRefusal | undefined
  readonly nextAction: object | undefined
  readonly now: Instant
}

const recordAttempt = Effect.fnUntraced(function* (
  transaction: Transaction,
  { send: { deliveryId, subscriptionId, token }, plan: { event, note } }: ConnectedSend,
  { row, delivery, refusal, nextAction, now }: AttemptSituation
): Effect.fn.Return<AttemptRecord, never, Secrets> {
  if (refusal !== undefined) return refused(refusal)
  if (row === undefined || delivery === undefined) return refused("LOST")
  // The side was gained after the next action was read; the next attempt includes it.
  if (nextAction === undefined) return refused("DEFERRED")
  const secret = yield* openSecret(row)
  if (secret === undefined) return refused("KEY_UNAVAILABLE")
  const body = envelopeOf(event.event, nextAction)
  const timestamp = Math.floor(toMilliseconds(now) / 1000)
  const envelopeDigest = sha256Hex(body)
  const attempt = delivery.totalAttempts + 1
  yield* transaction.insert(WebhookAttempts, {
    deliveryId,
    attempt,
    subscriptionId,
    at: now,
    envelopeDigest,
    timestamp,
    leaseToken: token,
    outcome: null,
    statusCode: null,
    durationMs: null
  })
  yield* transaction.update(WebhookDeliveries, [deliveryId], {
    scheduledAttempts: delivery.scheduledAttempts + 1,
    totalAttempts: attempt,
    lastAttempt: { at: now, outcome: null, statusCode: null, durationMs: null, envelopeDigest }
  })
  yield* transaction.afterCommit(note(attempt))
  const headers = {
    "content-type": "application/json",
    "service-event-id": event.eventId,
    "service-delivery-id": deliveryId,
    "service-timestamp": String(timestamp),
    "service-signature": signatureOf(secret, String(timestamp), body)
  }
  return { isRecorded: true, attempt, request: { headers, body } }
})

/** Why no event of this project may be sent for a subscription now, its secret apart; undefined if it may. */
export const refusalOf = Effect.fnUntraced(function* (
  reader: Reader,
  row: SubscriptionRow,
  projectId: string,
  now: Instant
): Effect.fn.Return<SendRefusal | undefined> {
  const state = stateOf(row, now)
  if (state !== "ACTIVE") return "SUBSCRIPTION_INACTIVE"
  const [authorityState, side] = yield* readTogether([
    readAuthorityState(reader, row, now),
    readRepresentedSide(reader, row, projectId, now)
  ])
  if (authorityState === "HELD") return "DEFERRED"
  return authorityState === "ENDED" || side === undefined ? "AUTHORITY_ENDED" : undefined
})

/** The secret that signs; undefined without the key that sealed it, so that no verifiable signature can be made. */
export const openSecret = ({ sealedSecret }: Pick<SubscriptionRow, "sealedSecret">) =>
  Effect.map(Secrets, (secrets) => secrets.open("CALLBACK", sealedSecret))

const refused = (refusal: SendRefusal): AttemptRecord => ({ isRecorded: false, refusal })

/** The next action of each owner's side at this moment; undefined where the owner represents no side any more. */
const readNextActions = Effect.fnUntraced(function* (connected: ReadonlyArray<ConnectedSend>) {
  const now = yield* currentTime
  return yield* inView((reader) =>
    readTogether(
      connected.map(({ plan: { subscription, event } }) => nextActionFor(reader, subscription, event.projectId, now))
    )
  )
})

/** The next action of the owner's side at this moment; undefined if the owner represents no side any more. */
export const nextActionFor = (reader: Reader, owned: SubscriptionRow, projectId: string, now: Instant) =>
  readNextAction(reader, projectId, readRepresentedSide(reader, owned, projectId, now), now)
