/**
 * Wakes the webhook workers of every process on one database. A notification lost while Postgres is unreachable costs at
 * most one polling interval.
 */
import { Effect, Layer, Queue } from "effect"
import { WebhookWakeup } from "../ports/webhook-wakeup.ts"
import { Notifications } from "./notifications.ts"

const channel = "countersign_callbacks"

/** Nothing listens before the first wait. */
export const makeWebhookWakeup = Effect.gen(function* () {
  const notifications = yield* Notifications
  const wakeups = yield* Queue.sliding<void>(1)
  const wake = Effect.asVoid(Queue.offer(wakeups, undefined))
  const listening = yield* Effect.cached(
    notifications.subscribe({
      channel,
      onListening: wake,
      onMessage: ({ isOwn }) => (isOwn ? Effect.void : wake)
    })
  )
  return WebhookWakeup.of({
    // A worker in this process is woken without Postgres.
    notify: Effect.andThen(notifications.notify(channel), wake),
    awaitNotification: Effect.andThen(listening, Queue.take(wakeups))
  })
})

export const layer = Layer.effect(WebhookWakeup, makeWebhookWakeup)
