/** How a commit wakes whoever sends callbacks, in this process or another, without waiting for them. */
import { Context, type Effect } from "effect"

export class CallbackWakeup extends Context.Service<
  CallbackWakeup,
  {
    /** Says that there may be something to send; never waits and never fails. */
    readonly ring: Effect.Effect<void>
    /** Waits until somebody rang since it last returned. A ring may be lost: whoever waits also looks by the clock. */
    readonly rung: Effect.Effect<void>
  }
>()("countersign/ports/CallbackWakeup") {}
