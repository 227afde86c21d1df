/**
 * Runs steps between the authentication of a request and its transaction (TOCTOU tests). It wraps the Storage port, so
 * that the point is the same on both stores.
 */
import { Context, Deferred, Effect } from "effect"
import type { LockPlan, Storage } from "../../src/ports/storage.ts"

/** The point, reached once: the request waits there until it is resumed. */
export class InterleavingHook {
  readonly #reached = Deferred.makeUnsafe<void>()
  readonly #resumed = Deferred.makeUnsafe<void>()
  #hasHappened = false

  /** Completes when the request reaches the point. */
  readonly reached: Effect.Effect<void> = Deferred.await(this.#reached)

  readonly resume: Effect.Effect<void> = Effect.asVoid(Deferred.succeed(this.#resumed, undefined))

  readonly wait: Effect.Effect<void> = Effect.suspend(() => {
    if (this.#hasHappened) return Effect.void
    this.#hasHappened = true
    return Effect.andThen(Deferred.succeed(this.#reached, undefined), Deferred.await(this.#resumed))
  })
}

/** The hook for the request that a fiber handles. */
export const CurrentHook = Context.Reference<InterleavingHook | undefined>("countersign/simulator/CurrentHook", {
  defaultValue: () => undefined
})

export const withInterleavingHook = (storage: Storage["Service"]): Storage["Service"] => ({
  ...storage,
  transaction: (plan, body) =>
    Effect.flatMap(Effect.service(CurrentHook), (hook) => {
      const transaction = storage.transaction(plan, body)
      return hook === undefined || isLastUsedUpdate(plan) ? transaction : Effect.andThen(hook.wait, transaction)
    })
})

/** The use of a credential or session is recorded before the request's own transaction, under that lock only. */
export const isLastUsedUpdate = ({ locks }: LockPlan): boolean =>
  locks.every(({ kind, mode }) => mode === "exclusive" && (kind === "credential" || kind === "person"))
