/** Wakes the webhook workers of every process after a commit, without waiting for them. */
import { Context, type Effect } from "effect"

export class WebhookWakeup extends Context.Service<
  WebhookWakeup,
  {
    /** Signals that deliveries may be due; never waits and never fails. */
    readonly notify: Effect.Effect<void>
    /** Waits for a signal since it last returned. Signals can be lost: workers also poll. */
    readonly awaitNotification: Effect.Effect<void>
  }
>()("countersign/ports/WebhookWakeup") {}
