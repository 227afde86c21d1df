/**
 * The second of two transactions between the open connection and the first byte of a request. It checks the authority under
 * its locks and writes the request while it holds them: a stop waits for it, so that nothing is sent once a stop is
 * acknowledged. It changes no row.
 */
import { Effect } from "effect"
import type { Secrets } from "../ports/secrets.ts"
import { inTransaction, readTogether } from "../ports/storage/run.ts"
import { exclusive, type Reader, type Storage } from "../ports/storage.ts"
import type { PendingResponse, WebhookRequest } from "../ports/webhook-sender.ts"
import type { Instant } from "../vocabulary/instant.ts"
import { traced } from "../vocabulary/traced.ts"
import type { RecordedAttempt } from "./attempt.ts"
import type { ConnectedSend } from "./plan.ts"
import { refusalOf, type SendRefusal } from "./send-refusal.ts"
import { signedHeaders } from "./signature.ts"
import { openSecret } from "./signing-secret.ts"
import { WebhookSubscriptions, type SubscriptionRow } from "./store.ts"
import { ownerLocks } from "./subscription-authority.ts"

/** A send whose attempt is durable. */
export interface RecordedSend extends ConnectedSend {
  readonly recorded: RecordedAttempt
  /** Writes the request; it waits for no answer, and writes nothing if it runs again. */
  readonly begin: (request: WebhookRequest) => Effect.Effect<PendingResponse>
}

export type BeginResult =
  | { readonly hasBegun: true; readonly response: PendingResponse }
  | { readonly hasBegun: false; readonly refusal: SendRefusal }

/** Writes the requests of several sends in one transaction; each is refused for itself. */
export const beginSends = traced("webhooks.beginSends")(function* (
  sends: ReadonlyArray<RecordedSend>
): Effect.fn.Return<ReadonlyArray<BeginResult>, never, Storage | Secrets> {
  const locks = sends.flatMap(({ send, plan }) => [
    ...ownerLocks(plan.subscription, plan.event.projectId),
    exclusive("subscription", send.subscriptionId)
  ])
  return yield* inTransaction({ locks }, function* (transaction) {
    const rows = yield* readTogether(
      sends.map(({ send }) => transaction.get(WebhookSubscriptions, [send.subscriptionId]))
    )
    const now = yield* transaction.now
    const judged = yield* readTogether(sends.map((one, index) => judge(transaction, one, rows[index], now)))
    // Together, since a client may look once more at an idle connection before it writes.
    return yield* Effect.forEach(sends, (one, index) => beginSend(one, judged[index]!), { concurrency: "unbounded" })
  })
})

/** The subscription that signs, or why nothing is sent. */
const judge = Effect.fnUntraced(function* (
  reader: Reader,
  { plan: { deadline, event } }: RecordedSend,
  row: SubscriptionRow | undefined,
  now: Instant
): Effect.fn.Return<SubscriptionRow | SendRefusal> {
  if (row === undefined) return "LOST"
  // The lease that its attempt was recorded under lasts longer.
  if (deadline <= now) return "TOO_LATE"
  return (yield* refusalOf(reader, row, event.projectId, now)) ?? row
})

const beginSend = Effect.fnUntraced(function* (
  { send: { deliveryId }, plan: { event }, recorded: { body, timestamp }, begin }: RecordedSend,
  judged: SubscriptionRow | SendRefusal
): Effect.fn.Return<BeginResult, never, Secrets> {
  if (typeof judged === "string") return { hasBegun: false, refusal: judged }
  // After a rotation this is the new secret, whatever the attempt was planned with.
  const secret = yield* openSecret(judged)
  if (secret === undefined) return { hasBegun: false, refusal: "KEY_UNAVAILABLE" }
  const headers = signedHeaders(secret, { eventId: event.eventId, deliveryId, timestamp: String(timestamp) }, body)
  return { hasBegun: true, response: yield* begin({ headers, body }) }
})
