/**
 * Lets one through at a time, in the order in which they came. Before it leaves, all others come as far as they can: so
 * who is next is the same whether what is done inside leaves the process or not.
 */
import { Effect } from "effect"
import type { Kernel } from "./kernel.ts"

export class Turnstile {
  readonly #kernel: Kernel
  readonly #waiting: Array<() => void> = []
  #isTaken = false

  constructor(kernel: Kernel) {
    this.#kernel = kernel
  }

  /** A wait cannot be interrupted, since everybody inside comes out: then `inside` is not begun. */
  readonly pass = <A, E, R>(inside: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.uninterruptibleMask((restore) =>
      this.#enter.pipe(
        Effect.andThen(restore(inside)),
        Effect.onExit(() => Effect.andThen(this.#kernel.park("turn"), this.#leave))
      )
    )

  readonly #enter: Effect.Effect<void> = Effect.callback<void>((resume) => {
    const enter = () => resume(Effect.void)
    if (this.#isTaken) return void this.#waiting.push(enter)
    this.#isTaken = true
    enter()
  })

  readonly #leave: Effect.Effect<void> = Effect.sync(() => {
    const next = this.#waiting.shift()
    if (next === undefined) this.#isTaken = false
    else next()
  })
}
