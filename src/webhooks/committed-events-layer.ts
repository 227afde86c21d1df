/** Implements `CommittedEvents`: inserts each event into the outbox and wakes the worker after the commit. */
import { Effect, Layer } from "effect"
import { canonicalText } from "../canonical/jcs.ts"
import { WebhookWakeup } from "../ports/webhook-wakeup.ts"
import { CommittedEvents } from "../projects/committed-events.ts"
import { webhookPayloadOf } from "./event.ts"
import { readListeners } from "./listeners.ts"
import { WebhookEvents } from "./store.ts"

export const committedEvents = Layer.effect(
  CommittedEvents,
  Effect.map(WebhookWakeup, ({ notify }) => ({
    queue: (transaction, event, { project, row }) =>
      Effect.gen(function* () {
        const payload = webhookPayloadOf(event, project)
        const listeners = yield* readListeners(transaction, row.projectId)
        const now = yield* transaction.now
        const active = listeners.filter(
          ({ eventTypes, expiresAt }) => eventTypes.includes(payload.type) && now < expiresAt
        )
        if (active.length === 0) return
        yield* transaction.insert(WebhookEvents, {
          eventId: payload.id,
          projectId: row.projectId,
          sequence: event.sequence,
          type: payload.type,
          event: canonicalText(payload),
          subscriptionIds: active.map(({ subscriptionId }) => subscriptionId),
          // The project's own time: monotonic across the clocks of all servers.
          committedAt: event.occurredAt,
          dueAt: now,
          leasedUntil: now,
          leaseToken: ""
        })
        yield* transaction.afterCommit(notify)
      })
  }))
)
