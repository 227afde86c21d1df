/**
 * Lets something happen to a request that was let in: after its credential was accepted, before the transaction that
 * would commit it begins. It stands around the Storage port, so that it is the same moment on either store.
 */
import { Context, Effect } from "effect"
import type { StepEnded } from "./journey.ts"
import type { Plan, Storage } from "../src/ports/storage.ts"

/** What happens at that moment, once. */
export class Meanwhile {
  hasHappened = false
  /** Why it did not go as expected: then the scenario ends, and the request that it happened to is not looked at. */
  ended: StepEnded | undefined
  readonly #steps: Effect.Effect<void, StepEnded>

  constructor(steps: Effect.Effect<void, StepEnded>) {
    this.#steps = steps
  }

  readonly happen: Effect.Effect<void> = Effect.suspend(() => {
    if (this.hasHappened) return Effect.void
    this.hasHappened = true
    return this.#steps.pipe(
      Effect.catchTag("StepEnded", (ended) => Effect.sync(() => void (this.ended = ended))),
      Effect.provideService(InRequest, undefined)
    )
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
      return meanwhile === undefined || isNote(plan) ? transaction : Effect.andThen(meanwhile.happen, transaction)
    })
})

// That a credential or a session was used is noted before the request itself begins, under that root alone.
const isNote = ({ roots }: Plan): boolean =>
  roots.every(({ kind, mode }) => mode === "exclusive" && (kind === "credential" || kind === "person"))
