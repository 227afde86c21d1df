/** The delivery history of a subscription, in the order of delivery numbers (6.5). */
import { Effect } from "effect"
import { inReplicaView, inView, readTogether } from "../ports/storage/run.ts"
import type { Reader } from "../ports/storage.ts"
import { now as currentTime } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { findOwnSubscription } from "./change.ts"
import { fanOut } from "./fan-out.ts"
import { formatCheckpoint, parseCheckpoint } from "./opaque-ids.ts"
import { readAuthorityState } from "./subscription-authority.ts"
import { WebhookDeliveries, WebhookEvents, WebhookSubscriptions, type DeliveryRow } from "./store.ts"
import type { WebhookCaller } from "./subscriber.ts"
import { traced } from "../vocabulary/traced.ts"

/**
 * A page of deliveries after the checkpoint `after`. Committed events are numbered first, so that the history is
 * complete; an event that commits later is numbered after every checkpoint returned before.
 */
export const readHistory = traced("webhooks.readHistory")(function* (
  by: WebhookCaller,
  subscriptionId: string,
  after: string | undefined
) {
  const now = yield* currentTime
  const planned = yield* findOwnSubscription(by, subscriptionId)
  yield* inView((reader) => Effect.andThen(by.requireLive(reader, now), by.requireProjectAccess(reader, planned, now)))
  yield* fanOut([planned.subscriptionId])
  return yield* inReplicaView(function* (reader) {
    yield* by.requireLive(reader, now)
    const subscription = (yield* reader.get(WebhookSubscriptions, [subscriptionId]))!
    const start = yield* numberAfter(reader, subscriptionId, after)
    // One row more than a page shows whether there is a next page.
    const limit = limits.webhookDeliveriesOnPage + 1
    const found = yield* reader.range(WebhookDeliveries, "byNumber", {
      prefix: [subscriptionId],
      after: [start],
      limit
    })
    const rows = found.slice(0, limits.webhookDeliveriesOnPage)
    const deliveries = yield* readTogether(rows.map((row) => readDeliveryWithEvent(reader, row)))
    const checkpoint = rows.at(-1)?.checkpoint ?? after ?? formatCheckpoint(subscriptionId, undefined)
    const authorityState = yield* readAuthorityState(reader, subscription, now)
    return {
      subscription,
      authorityState,
      deliveries,
      next: found.length === limit ? checkpoint : null,
      checkpoint,
      now
    }
  })
})

export const readDeliveryWithEvent = (reader: Reader, row: DeliveryRow) =>
  // Inserted before its delivery and never deleted.
  Effect.map(reader.get(WebhookEvents, [row.eventId]), (event) => ({ row, event: event!.event }))

/** The number of the delivery that a page follows; 0 at the start of the history. */
const numberAfter = Effect.fnUntraced(function* (reader: Reader, subscriptionId: string, after: string | undefined) {
  if (after === undefined) return 0
  switch (parseCheckpoint(subscriptionId, after)) {
    case "START":
      return 0
    case "OUTDATED":
      return yield* refuse("WEBHOOK_CURSOR_RESET_REQUIRED")
    case "MALFORMED":
      return yield* refuse("WEBHOOK_CURSOR_INVALID")
    case "AFTER_DELIVERY": {
      const row = yield* reader.find(WebhookDeliveries, "byCheckpoint", [subscriptionId, after])
      return row?.number ?? (yield* refuse("WEBHOOK_CURSOR_INVALID"))
    }
  }
})
