/** The history of a subscription's deliveries in the order in which they were numbered (6.5). */
import { Effect } from "effect"
import { Storage, type Reader } from "../ports/storage.ts"
import { now as currentTime } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { findOwn } from "./change.ts"
import { checkpointOf } from "./delivery.ts"
import { fanOut } from "./fan-out.ts"
import { standingOf } from "./owner.ts"
import { WebhookDeliveries, WebhookEvents, WebhookSubscriptions, type DeliveryRow } from "./store.ts"
import type { Caller } from "./subscriber.ts"

/**
 * A page behind `after`. What has committed is numbered first, so that the end of the history is its end now; a checkpoint
 * that was given is never passed by what commits later.
 */
export const readHistory = Effect.fn("webhooks.readHistory")(function* (
  by: Caller,
  subscriptionId: string,
  after: string | undefined
) {
  const storage = yield* Storage
  const now = yield* currentTime
  const planned = yield* findOwn(by, subscriptionId)
  yield* storage.view((reader) => Effect.andThen(by.requireLive(reader, now), by.requireReach(reader, planned, now)))
  yield* fanOut(planned.subscriptionId)
  return yield* storage.view((reader) =>
    Effect.gen(function* () {
      yield* by.requireLive(reader, now)
      const subscription = (yield* reader.get(WebhookSubscriptions, [subscriptionId]))!
      const start = yield* numberAfter(reader, subscriptionId, after)
      // One more than a page shows tells whether there are more.
      const limit = limits.callbacksOnPage + 1
      const found = yield* reader.range(WebhookDeliveries, "byPlace", {
        prefix: [subscriptionId],
        after: [start, "~"],
        limit
      })
      const rows = found.slice(0, limits.callbacksOnPage)
      const deliveries = yield* Effect.forEach(rows, (row) => withEvent(reader, row), { concurrency: "unbounded" })
      const checkpoint = rows.at(-1)?.checkpoint ?? after ?? checkpointOf(subscriptionId, undefined)
      const standing = yield* standingOf(reader, subscription, now)
      return { subscription, standing, deliveries, next: found.length === limit ? checkpoint : null, checkpoint, now }
    })
  )
})

export const withEvent = (reader: Reader, row: DeliveryRow) =>
  // Written before the delivery, and kept.
  Effect.map(reader.get(WebhookEvents, [row.eventId]), (event) => ({ row, event: event!.event }))

/** The number behind which a page begins: 0 for the beginning, and for the checkpoint of an empty history. */
const numberAfter = Effect.fnUntraced(function* (reader: Reader, subscriptionId: string, after: string | undefined) {
  if (after === undefined || after === checkpointOf(subscriptionId, undefined)) return 0
  if (after.startsWith("whd_")) return yield* refuse("WEBHOOK_CURSOR_RESET_REQUIRED")
  if (!isCheckpoint.test(after)) return yield* refuse("WEBHOOK_CURSOR_INVALID")
  const row = yield* reader.find(WebhookDeliveries, "byCheckpoint", [subscriptionId, after])
  return row?.number ?? (yield* refuse("WEBHOOK_CURSOR_INVALID"))
})

const isCheckpoint = /^whc1_whd_[0-9a-f]{64}$/
