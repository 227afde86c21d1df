/** Verifies for a receiver that this service sent a webhook, and returns the current next action (6.3). */
import { Effect } from "effect"
import { sha256Hex } from "../canonical/digest.ts"
import { listJobs } from "../jobs/operations.ts"
import { viewStatus } from "../jobs/view.ts"
import { inView } from "../ports/storage/run.ts"
import { now as currentTime } from "../vocabulary/instant.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { nextActionFor } from "./attempt.ts"
import { findWithUsableSecret } from "./change.ts"
import { isFresh, isSignedBy, type SignedWebhook } from "./signature.ts"
import { openSecret } from "./signing-secret.ts"
import { WebhookAttempts, WebhookDeliveries, WebhookEvents } from "./store.ts"
import type { WebhookCaller } from "./subscriber.ts"
import { traced } from "../vocabulary/traced.ts"

/** Checks freshness, then the signature, then that exactly these bytes were sent. Read-only. */
export const verifyWebhook = traced("webhooks.verify")(function* (
  by: WebhookCaller,
  subscriptionId: string,
  webhook: SignedWebhook
) {
  const now = yield* currentTime
  yield* inView((reader) => by.requireLive(reader, now))
  const subscription = yield* findWithUsableSecret(by, subscriptionId)
  if (!isFresh(webhook, now)) return yield* refuse("WEBHOOK_TIMESTAMP_STALE")
  const secret = yield* openSecret(subscription)
  if (secret === undefined || !isSignedBy(secret, webhook)) return yield* refuse("WEBHOOK_SIGNATURE_INVALID")
  const sent = yield* findSent(subscriptionId, sha256Hex(webhook.rawBody))
  if (sent === undefined) return yield* refuse("WEBHOOK_EVENT_UNKNOWN")
  const currentNextAction = yield* inView((reader) => nextActionFor(reader, subscription, sent.projectId, now))
  if (currentNextAction === undefined) {
    return yield* refuse(subscription.grantId === null ? "FORBIDDEN" : "FORBIDDEN_AGENT_PROJECT_SCOPE")
  }
  return { subscription, ...sent, currentNextAction }
})

/** The current saved jobs of the calling agent. */
export const listCurrentJobs = Effect.fnUntraced(function* (projectId: string) {
  const jobs = yield* listJobs(projectId)
  return jobs.map(viewStatus)
})

/** The delivery with an attempt that sent these bytes. */
const findSent = Effect.fnUntraced(function* (subscriptionId: string, envelopeDigest: string) {
  return yield* inView(function* (reader) {
    const [attempt] = yield* reader.range(WebhookAttempts, "byDigest", {
      prefix: [subscriptionId, envelopeDigest],
      limit: 1
    })
    if (attempt === undefined) return undefined
    const delivery = yield* reader.get(WebhookDeliveries, [attempt.deliveryId])
    const event = yield* reader.get(WebhookEvents, [delivery!.eventId])
    return { deliveryId: attempt.deliveryId, projectId: delivery!.projectId, event: event!.event }
  })
})
