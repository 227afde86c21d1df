/** What one attempt of a transaction wants woken once it is durable; an attempt that ran again wants it anew. */
import { Effect, Exit } from "effect"
import type { Attempt } from "./attempts.ts"

export class Wakes {
  readonly #wanted: Array<Effect.Effect<void>> = []

  add(wake: Effect.Effect<void>): Effect.Effect<void> {
    return Effect.sync(() => void this.#wanted.push(wake))
  }

  readonly all: Effect.Effect<void> = Effect.suspend(() => Effect.all(this.#wanted, { discard: true }))
}

/** Wakes where the attempt ended in a commit. To be interrupted in between would lose it: whoever asked may have gone. */
export const thenWake = <A, E, R>(
  attempt: Effect.Effect<Attempt<A, E>, never, R>,
  wakes: Wakes
): Effect.Effect<Attempt<A, E>, never, R> =>
  Effect.tap(attempt, (ended) => (ended._tag === "Ended" && Exit.isSuccess(ended.exit) ? wakes.all : Effect.void))
