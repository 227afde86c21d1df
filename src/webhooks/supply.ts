/** Supplies to projects what happens with each event that commits: it goes into the outbox, and the worker is woken. */
import { Effect, Layer } from "effect"
import { canonicalText } from "../canonical/jcs.ts"
import { CallbackWakeup } from "../ports/callback-wakeup.ts"
import { CommittedEvents } from "../projects/committed-events.ts"
import { callbackEvent } from "./event.ts"
import { readListeners } from "./listeners.ts"
import { WebhookEvents } from "./store.ts"

export const committedEvents = Layer.effect(
  CommittedEvents,
  Effect.map(CallbackWakeup, ({ ring }) => ({
    queue: (transaction, event, { project, row }) =>
      Effect.gen(function* () {
        const told = callbackEvent(event, project)
        const listeners = yield* readListeners(transaction, row.projectId)
        const now = yield* transaction.now
        const active = listeners.filter(
          ({ eventTypes, expiresAt }) => eventTypes.includes(told.type) && now < expiresAt
        )
        if (active.length === 0) return
        yield* transaction.insert(WebhookEvents, {
          eventId: told.id,
          projectId: row.projectId,
          sequence: event.sequence,
          type: told.type,
          event: canonicalText(told),
          subscriptionIds: active.map(({ subscriptionId }) => subscriptionId),
          // As the project counts time: never backwards, whichever server's clock it was.
          committedAt: event.occurredAt,
          dueAt: now,
          leasedUntil: now,
          leaseToken: ""
        })
        yield* transaction.afterCommit(ring)
      })
  }))
)
