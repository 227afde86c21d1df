/** Transactions that fail around their COMMIT, as a crash or a lost answer makes them fail for the operation. */
import { Effect } from "effect"
import { Storage, StorageUnavailable, type LockPlan, type Transaction } from "../../src/ports/storage.ts"

/** Whether the transaction took effect before its answer was lost. */
export const commitFaults = ["ROLLED_BACK", "COMMITTED"] as const
export type CommitFault = (typeof commitFaults)[number]

/** The effect over a storage of which this transaction, counted from 1, ends like this. */
export const withCommitFault = Effect.fnUntraced(function* <A, E, R>(
  number: number,
  fault: CommitFault,
  effect: Effect.Effect<A, E, R>
) {
  const inner = yield* Storage
  let begun = 0
  const lost = Effect.die(new StorageUnavailable({ reason: "the answer was lost", mayBeCommitted: true }))
  const faulty = Storage.of({
    ...inner,
    transaction: <B, F, S>(plan: LockPlan, body: (transaction: Transaction) => Effect.Effect<B, F, S>) =>
      Effect.suspend(() => {
        begun += 1
        if (begun !== number) return inner.transaction(plan, body)
        return fault === "COMMITTED"
          ? Effect.andThen(inner.transaction(plan, body), lost)
          : inner.transaction(plan, (transaction) => Effect.andThen(body(transaction), lost))
      })
  })
  return yield* Effect.provideService(effect, Storage, faulty)
})

/** The effect over a storage whose views fail. */
export const withoutViews = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const inner = yield* Storage
  const down = Effect.die(new StorageUnavailable({ reason: "no connection", mayBeCommitted: false }))
  return yield* Effect.provideService(effect, Storage, Storage.of({ ...inner, view: () => down }))
})

/** The effect, with another one between its reads and its first transaction. */
export const beforeTransaction = Effect.fnUntraced(function* <A, E, R, B, F, S>(
  other: Effect.Effect<B, F, S>,
  effect: Effect.Effect<A, E, R>
) {
  const inner = yield* Storage
  const context = yield* Effect.context<S>()
  let waiting: Effect.Effect<unknown> = Effect.orDie(Effect.provideContext(other, context))
  const interleaved = Storage.of({
    ...inner,
    transaction: <C, G, T>(plan: LockPlan, body: (transaction: Transaction) => Effect.Effect<C, G, T>) =>
      Effect.suspend(() => {
        const first = waiting
        waiting = Effect.void
        return Effect.andThen(first, inner.transaction(plan, body))
      })
  })
  return yield* Effect.provideService(effect, Storage, interleaved)
})
