/** The actions that one attempt of a transaction runs after its commit; a retried attempt registers them anew. */
import { Effect, Exit } from "effect"
import type { Attempt } from "./transaction-retry.ts"

export class AfterCommitActions {
  readonly #wanted: Array<Effect.Effect<void>> = []

  add(wake: Effect.Effect<void>): Effect.Effect<void> {
    return Effect.sync(() => void this.#wanted.push(wake))
  }

  readonly run: Effect.Effect<void> = Effect.suspend(() => Effect.all(this.#wanted, { discard: true }))
}

/** Runs the actions where the attempt committed. They are not lost to an interruption in between. */
export const runAfterCommit = <A, E, R>(
  attempt: Effect.Effect<Attempt<A, E>, never, R>,
  wakes: AfterCommitActions
): Effect.Effect<Attempt<A, E>, never, R> =>
  Effect.tap(attempt, (ended) => (ended._tag === "Ended" && Exit.isSuccess(ended.exit) ? wakes.run : Effect.void))
