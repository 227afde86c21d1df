/** One attempt of a transaction or view in memory: the result of its body, or a storage failure. */
import { Duration, Effect, Exit } from "effect"
import {
  commitAborted,
  type Attempt,
  type FailedAttempt,
  type StoreFailure
} from "../../../src/ports/storage/transaction-retry.ts"
import { inLockingOrder, InsideTransaction } from "../../../src/ports/storage/lock-discipline.ts"
import type { LockPlan, Reader, Transaction } from "../../../src/ports/storage.ts"
import { runAfterCommit } from "../../../src/ports/storage/after-commit.ts"
import type { Content } from "./content.ts"
import { failureOf, type FaultAt } from "./faults.ts"
import { makeReader } from "./reader.ts"
import type { MemoryStore } from "./store.ts"
import { MemoryTransaction } from "./transaction.ts"

/** The store with its scheduling points and injected faults. */
export interface StoreContext {
  readonly store: MemoryStore
  readonly gate: (label: string) => Effect.Effect<void>
  readonly fault: FaultAt
}

export const attemptTransaction = <A, E, R>(
  world: StoreContext,
  number: number,
  plan: LockPlan,
  body: (transaction: Transaction) => Effect.Effect<A, E, R>
): Effect.Effect<Attempt<A, E>, never, R> =>
  Effect.uninterruptibleMask((restore) => {
    const transaction = new MemoryTransaction({ ...world, number, plan })
    const run = Effect.andThen(
      transaction.open(inLockingOrder(plan.locks)),
      Effect.suspend(() => body(transaction))
    )
    const done = Effect.exit(restore(Effect.provideService(run, InsideTransaction, true))).pipe(
      Effect.flatMap((exit) => {
        if (transaction.failure !== undefined) return Effect.succeed(failed(transaction.failure))
        if (Exit.isFailure(exit) || transaction.writes.length === 0) return Effect.succeed(ended(exit))
        return Effect.map(commit(world, transaction, number), (failure) =>
          failure === undefined ? ended(exit) : failed(failure)
        )
      }),
      Effect.ensuring(transaction.close)
    )
    return runAfterCommit(done, transaction.wakes)
  })

export const attemptView = <A, E, R>(
  world: StoreContext,
  number: number,
  body: (reader: Reader) => Effect.Effect<A, E, R>
): Effect.Effect<Attempt<A, E>, never, R> =>
  Effect.flatMap(world.gate("begin"), () => {
    const injected = world.fault({ transaction: number, at: "begin" })
    if (injected !== undefined) return Effect.succeed(failed(failureOf(injected, "begin")))
    // The snapshot is taken at the first read, not at BEGIN.
    let snapshot: Content | undefined
    const reader = makeReader(() => (snapshot ??= world.store.content))
    const run = Effect.suspend(() => body(reader))
    return Effect.map(Effect.exit(Effect.provideService(run, InsideTransaction, true)), ended)
  })

export const ended = <A, E>(exit: Exit.Exit<A, E>): Attempt<A, E> => ({ _tag: "Ended", exit })

export const failed = (failure: StoreFailure): FailedAttempt => ({ _tag: "Failed", failure })

const recheckDelay = Duration.millis(10)

/** Undefined after a successful commit. */
const commit = Effect.fnUntraced(function* (
  { store, gate, fault }: StoreContext,
  transaction: MemoryTransaction,
  number: number
): Effect.fn.Return<StoreFailure | undefined> {
  yield* gate("commit")
  const injected = fault({ transaction: number, at: "commit" })
  if (injected === "commit-lost-running") {
    yield* Effect.sleep(recheckDelay)
    yield* gate("commit finishes")
    const late = store.commit(transaction.writes)
    return late === undefined ? undefined : { ...late, code: commitAborted }
  }
  if (injected !== undefined && injected !== "commit-lost-committed") return failureOf(injected, "commit")
  return store.commit(transaction.writes)
})
