/**
 * A mutex whose next holder is a scheduling choice. Before a release all other fibers run to quiescence, so that the
 * options do not depend on whether the critical section made external calls. With concurrent external calls it is open.
 */
import { Effect } from "effect"
import type { Gate } from "./gate.ts"
import type { VirtualScheduler } from "./scheduler.ts"

export class ScheduledMutex implements Gate {
  readonly #scheduler: VirtualScheduler
  #isTaken = false

  constructor(scheduler: VirtualScheduler) {
    this.#scheduler = scheduler
  }

  get isOpen(): boolean {
    return !this.#isTaken
  }

  enter(): void {
    this.#isTaken = true
  }

  /** The wait is uninterruptible, so that every acquisition is released; after an interruption `inside` is not run. */
  readonly withLock = <A, E, R>(what: string, inside: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    this.#scheduler.isConcurrent
      ? inside
      : Effect.uninterruptibleMask((restore) =>
          Effect.andThen(this.#scheduler.park(what, this), restore(inside)).pipe(
            Effect.onExit(() => Effect.andThen(this.#scheduler.yieldToReady, this.#leave))
          )
        )

  readonly #leave: Effect.Effect<void> = Effect.sync(() => {
    this.#isTaken = false
  })
}
