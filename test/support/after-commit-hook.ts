/** A storage hook that runs a test's effect right after a commit, before the response is built. */
import { Context, Effect, Layer } from "effect"
import { Storage, type LockPlan, type Transaction } from "../../src/ports/storage.ts"

export class AfterCommitHook extends Context.Service<
  AfterCommitHook,
  {
    /** Runs this once, after the next transaction that held a lock of this kind. */
    readonly after: (kind: string, act: Effect.Effect<unknown>) => Effect.Effect<void>
    /** True if it has run. */
    readonly hasPassed: Effect.Effect<boolean>
  }
>()("countersign/test/NextMoment") {}

/** The storage with this hook. */
export const withAfterCommitHook = (storage: Layer.Layer<Storage>): Layer.Layer<Storage | AfterCommitHook> =>
  Layer.effectContext(
    Effect.map(Storage, (inner) => {
      let waiting: { readonly kind: string; readonly act: Effect.Effect<unknown> } | undefined
      const takeTurn = ({ locks, deferred = [] }: LockPlan) =>
        Effect.suspend(() => {
          const turn = waiting
          if (turn === undefined || ![...locks, ...deferred].some(({ kind }) => kind === turn.kind)) return Effect.void
          waiting = undefined
          return turn.act
        })
      const watched = Storage.of({
        ...inner,
        transaction: <A, E, R>(plan: LockPlan, body: (transaction: Transaction) => Effect.Effect<A, E, R>) =>
          Effect.tap(inner.transaction(plan, body), () => takeTurn(plan))
      })
      return Context.make(Storage, watched).pipe(
        Context.add(AfterCommitHook, {
          after: (kind, act) => Effect.sync(() => void (waiting = { kind, act })),
          hasPassed: Effect.sync(() => waiting === undefined)
        })
      )
    })
  ).pipe(Layer.provide(storage))
