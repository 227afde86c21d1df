/**
 * Lets something happen to a request that was let in: after its credential was accepted, before the transaction that
 * would commit it begins. It stands around the Storage port, so that it is the same moment on either store.
 */
import { Context, Deferred, Effect } from "effect"
import type { Plan, Storage } from "../src/ports/storage.ts"

/** The moment, once: the request waits there, and whoever runs the steps lets it go on. */
export class Meanwhile {
  readonly #reached = Deferred.makeUnsafe<void>()
  readonly #goesOn = Deferred.makeUnsafe<void>()
  #hasHappened = false

  /** Comes back when the request is there. */
  readonly reached: Effect.Effect<void> = Deferred.await(this.#reached)

  readonly goOn: Effect.Effect<void> = Effect.asVoid(Deferred.succeed(this.#goesOn, undefined))

  readonly wait: Effect.Effect<void> = Effect.suspend(() => {
    if (this.#hasHappened) return Effect.void
    this.#hasHappened = true
    return Effect.andThen(Deferred.succeed(this.#reached, undefined), Deferred.await(this.#goesOn))
  })
}

/** What waits for the request that a fiber answers. */
export const InRequest = Context.Reference<Meanwhile | undefined>("countersign/simulator/InRequest", {
  defaultValue: () => undefined
})

export const holdForMeanwhile = (storage: Storage["Service"]): Storage["Service"] => ({
  ...storage,
  transaction: (plan, body) =>
    Effect.flatMap(Effect.service(InRequest), (meanwhile) => {
      const transaction = storage.transaction(plan, body)
      return meanwhile === undefined || isNote(plan) ? transaction : Effect.andThen(meanwhile.wait, transaction)
    })
})

/** That a credential or a session was used is noted before the request itself begins, under that root alone. */
export const isNote = ({ roots }: Plan): boolean =>
  roots.every(({ kind, mode }) => mode === "exclusive" && (kind === "credential" || kind === "person"))
