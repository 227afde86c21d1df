/** How a commit wakes whoever sends callbacks, in this process or another, without waiting for them. */
import { Context, Effect, Queue } from "effect"

export class CallbackWakeup extends Context.Service<
  CallbackWakeup,
  {
    /** Says that there may be something to send; never waits and never fails. */
    readonly ring: Effect.Effect<void>
    /** Waits until somebody rang since it last returned. A ring may be lost: whoever waits also looks by the clock. */
    readonly rung: Effect.Effect<void>
  }
>()("countersign/ports/CallbackWakeup") {}

/** Between the two ends of one process. */
export const wakeupWithinProcess: Effect.Effect<CallbackWakeup["Service"]> = Effect.map(
  Queue.sliding<void>(1),
  (rings) => ({ ring: Effect.asVoid(Queue.offer(rings, undefined)), rung: Queue.take(rings) })
)
