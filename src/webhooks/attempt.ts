/**
 * The first of two transactions between the open connection and the first byte of a request: it builds the body and records
 * the attempt, so that it is durable before anything is sent; whether it may be sent, the second one decides.
 */
import { Effect } from "effect"
import { sha256Hex } from "../canonical/digest.ts"
import { inTransaction, inView, readTogether } from "../ports/storage/run.ts"
import { exclusive, type Reader, type Storage, type Transaction } from "../ports/storage.ts"
import { readNextAction } from "../projects/stored-next-action.ts"
import { now as currentTime, toMilliseconds, type Instant } from "../vocabulary/instant.ts"
import { traced } from "../vocabulary/traced.ts"
import { envelopeOf } from "./event.ts"
import type { ConnectedSend } from "./plan.ts"
import type { SendRefusal } from "./send-refusal.ts"
import { WebhookAttempts, WebhookDeliveries, type DeliveryRow, type SubscriptionRow } from "./store.ts"
import { readRepresentedSide } from "./subscription-authority.ts"

/** A recorded attempt and what it sends. */
export interface RecordedAttempt {
  readonly attempt: number
  /** Unix seconds, as signed. */
  readonly timestamp: number
  readonly body: string
}

export type AttemptRecord =
  | ({ readonly isRecorded: true } & RecordedAttempt)
  | { readonly isRecorded: false; readonly refusal: SendRefusal }

/** Records the attempts of several sends in one transaction; each send is refused for itself. */
export const recordAttempts = traced("webhooks.recordAttempts")(function* (
  connected: ReadonlyArray<ConnectedSend>
): Effect.fn.Return<ReadonlyArray<AttemptRecord>, never, Storage> {
  const nextActions = yield* readNextActions(connected)
  const locks = connected.map(({ send }) => exclusive("subscription", send.subscriptionId))
  return yield* inTransaction({ locks }, function* (transaction) {
    const deliveries = yield* readTogether(
      connected.map(({ send }) => transaction.get(WebhookDeliveries, [send.deliveryId]))
    )
    const now = yield* transaction.now
    return yield* Effect.forEach(connected, (one, index) => {
      const delivery = deliveries[index]
      const nextAction = nextActions[index]
      if (delivery?.leaseToken !== one.send.token || delivery.leasedUntil <= now) return refused("LOST")
      if (one.plan.deadline <= now) return refused("TOO_LATE")
      if (nextAction === undefined) return refused("AUTHORITY_ENDED")
      return recordAttempt(transaction, one, { delivery, nextAction, now })
    })
  })
})

interface AttemptSituation {
  readonly delivery: DeliveryRow
  readonly nextAction: object
  readonly now: Instant
}

const recordAttempt = Effect.fnUntraced(function* (
  transaction: Transaction,
  { send: { deliveryId, subscriptionId, token }, plan: { event, note } }: ConnectedSend,
  { delivery, nextAction, now }: AttemptSituation
): Effect.fn.Return<AttemptRecord> {
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
  yield* transaction.afterCommit(note({ attempt, previous: delivery.lastAttempt }))
  return { isRecorded: true, attempt, timestamp, body }
})

const refused = (refusal: SendRefusal): Effect.Effect<AttemptRecord> => Effect.succeed({ isRecorded: false, refusal })

/** The next action of each owner's side at this moment. */
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
