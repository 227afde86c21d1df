/** Wakes the webhook workers of every process after a commit, without waiting for them. */
import { Context, type Effect } from "effect"

export class CallbackWakeup extends Context.Service<
  CallbackWakeup,
  {
    /** Signals that deliveries may be due; never waits and never fails. */
    readonly ring: Effect.Effect<void>
    /** Waits for a signal since it last returned. Signals can be lost: workers also poll. */
    readonly rung: Effect.Effect<void>
  }
>()("countersign/ports/CallbackWakeup") {}
