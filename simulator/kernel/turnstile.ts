/**
 * Lets one through at a time. Who is next where several wait is a choice; before one leaves, all others come as far as
 * they can: so what there is to choose from is the same whether what is done inside leaves the process or not. Where
 * calls go on beside each other outside, it stands open.
 */
import { Effect } from "effect"
import type { Gate } from "./gate.ts"
import type { Kernel } from "./kernel.ts"

export class Turnstile implements Gate {
  readonly #kernel: Kernel
  #isTaken = false

  constructor(kernel: Kernel) {
    this.#kernel = kernel
  }

  get isOpen(): boolean {
    return !this.#isTaken
  }

  enter(): void {
    this.#isTaken = true
  }

  /** A wait cannot be interrupted, since everybody who is let in comes out: then `inside` is not begun. */
  readonly pass = <A, E, R>(what: string, inside: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    this.#kernel.isConcurrent
      ? inside
      : Effect.uninterruptibleMask((restore) =>
          Effect.andThen(this.#kernel.park(what, this), restore(inside)).pipe(
            Effect.onExit(() => Effect.andThen(this.#kernel.land, this.#leave))
          )
        )

  readonly #leave: Effect.Effect<void> = Effect.sync(() => {
    this.#isTaken = false
  })
}
