/** A storage hook that runs a test's effect between the authentication of a request and its transaction. */
import { Context, Effect, Layer } from "effect"
import { Storage, type LockPlan, type Transaction } from "../../src/ports/storage.ts"

export class BeforeTransactionHook extends Context.Service<
  BeforeTransactionHook,
  {
    /** Runs this once, before the next transaction. */
    readonly before: (act: Effect.Effect<unknown>) => Effect.Effect<void>
    /** True if it has run. */
    readonly hasPassed: Effect.Effect<boolean>
  }
>()("countersign/test/LastMoment") {}

/** The storage with this hook. */
export const withBeforeTransactionHook = (
  storage: Layer.Layer<Storage>
): Layer.Layer<Storage | BeforeTransactionHook> =>
  Layer.effectContext(
    Effect.map(Storage, (inner) => {
      const waiting: { act: Effect.Effect<unknown> | undefined } = { act: undefined }
      const takeTurn = Effect.suspend(() => {
        const { act } = waiting
        waiting.act = undefined
        return act ?? Effect.void
      })
      const watched = Storage.of({
        ...inner,
        transaction: <A, E, R>(plan: LockPlan, body: (transaction: Transaction) => Effect.Effect<A, E, R>) =>
          Effect.andThen(takeTurn, inner.transaction(plan, body))
      })
      return Context.make(Storage, watched).pipe(
        Context.add(BeforeTransactionHook, {
          before: (act) => Effect.sync(() => void (waiting.act = act)),
          hasPassed: Effect.sync(() => waiting.act === undefined)
        })
      )
    })
  ).pipe(Layer.provide(storage))
