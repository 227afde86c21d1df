/** What a send needs before it connects: its subscription, its event, and whether it may be sent. */
import { Effect } from "effect"
import type { Secrets } from "../ports/secrets.ts"
import { inView, readTogether } from "../ports/storage/run.ts"
import type { Reader, Storage } from "../ports/storage.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { traced } from "../vocabulary/traced.ts"
import type { LeasedSend } from "./claim.ts"
import type { NumberedAttempt } from "./delivery.ts"
import { refusalOf, type SendRefusal } from "./send-refusal.ts"
import { openSecret } from "./signing-secret.ts"
import { WebhookDeliveries, WebhookEvents, WebhookSubscriptions, type EventRow, type SubscriptionRow } from "./store.ts"

export interface SendPlan {
  readonly subscription: SubscriptionRow
  readonly event: EventRow
  /** Why nothing may be sent now; undefined if it may. */
  readonly refusal: SendRefusal | undefined
}

/** What an attempt over an open connection needs. */
export interface AttemptPlan extends Omit<SendPlan, "refusal"> {
  /** Nothing is sent from this moment on, recorded or not; never after the lease end. */
  readonly deadline: Instant
  /** Receives the attempt after its commit, also if the fiber is interrupted meanwhile. */
  readonly note: (recorded: NumberedAttempt) => Effect.Effect<void>
}

/** A send with its plan, its connection open. */
export interface ConnectedSend {
  readonly send: LeasedSend
  readonly plan: AttemptPlan
}

/** Plans several sends on one snapshot; undefined for each whose lease was lost. */
export const planSends = traced("webhooks.planSends")(function* (
  sends: ReadonlyArray<LeasedSend>
): Effect.fn.Return<ReadonlyArray<SendPlan | undefined>, never, Storage | Secrets> {
  const now = yield* currentTime
  return yield* inView((reader) => readTogether(sends.map((send) => planSend(reader, send, now))))
})

const planSend = Effect.fnUntraced(function* (
  reader: Reader,
  { subscriptionId, deliveryId, token }: LeasedSend,
  now: Instant
): Effect.fn.Return<SendPlan | undefined, never, Secrets> {
  const [subscription, delivery] = yield* readTogether([
    reader.get(WebhookSubscriptions, [subscriptionId]),
    reader.get(WebhookDeliveries, [deliveryId])
  ])
  if (subscription === undefined || delivery?.leaseToken !== token) return undefined
  const [event, refusal] = yield* readTogether([
    reader.get(WebhookEvents, [delivery.eventId]),
    refusalOf(reader, subscription, delivery.projectId, now)
  ])
  if (event === undefined) return undefined
  const isSigned = refusal !== undefined || (yield* openSecret(subscription)) !== undefined
  return { subscription, event, refusal: isSigned ? refusal : "KEY_UNAVAILABLE" }
})
