/** One try of a transaction or a view in memory: it ends with the body's own result, or tells why not. */
import { Duration, Effect, Exit } from "effect"
import { commitAborted, type Attempt, type FailedAttempt, type Failure } from "../../src/ports/attempts.ts"
import { inLockingOrder, InsideTransaction } from "../../src/ports/held-roots.ts"
import type { Plan, Reader, Transaction } from "../../src/ports/storage.ts"
import { thenWake } from "../../src/ports/wakes.ts"
import type { Content } from "./content.ts"
import { failureOf, type FaultAt } from "./faults.ts"
import { makeReader } from "./reader.ts"
import type { MemoryStore } from "./store.ts"
import { MemoryTransaction } from "./transaction.ts"

/** What decides who goes on and what goes wrong. */
export interface World {
  readonly store: MemoryStore
  readonly gate: (label: string) => Effect.Effect<void>
  readonly fault: FaultAt
}

export const attemptTransaction = <A, E, R>(
  world: World,
  number: number,
  plan: Plan,
  body: (transaction: Transaction) => Effect.Effect<A, E, R>
): Effect.Effect<Attempt<A, E>, never, R> =>
  Effect.uninterruptibleMask((restore) => {
    const transaction = new MemoryTransaction({ ...world, number, plan })
    const run = Effect.andThen(
      transaction.open(inLockingOrder(plan.roots)),
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
    return thenWake(done, transaction.wakes)
  })

export const attemptView = <A, E, R>(
  world: World,
  number: number,
  body: (reader: Reader) => Effect.Effect<A, E, R>
): Effect.Effect<Attempt<A, E>, never, R> =>
  Effect.flatMap(world.gate("begin"), () => {
    const struck = world.fault({ transaction: number, at: "begin" })
    if (struck !== undefined) return Effect.succeed(failed(failureOf(struck, "begin")))
    // A snapshot is of the moment of the first read, not of BEGIN.
    let snapshot: Content | undefined
    const reader = makeReader(() => (snapshot ??= world.store.content))
    const run = Effect.suspend(() => body(reader))
    return Effect.map(Effect.exit(Effect.provideService(run, InsideTransaction, true)), ended)
  })

export const ended = <A, E>(exit: Exit.Exit<A, E>): Attempt<A, E> => ({ _tag: "Ended", exit })

export const failed = (failure: Failure): FailedAttempt => ({ _tag: "Failed", failure })

const askAgain = Duration.millis(10)

/** Undefined where the writes are in the store. */
const commit = Effect.fnUntraced(function* (
  { store, gate, fault }: World,
  transaction: MemoryTransaction,
  number: number
): Effect.fn.Return<Failure | undefined> {
  yield* gate("commit")
  const struck = fault({ transaction: number, at: "commit" })
  if (struck === "commit-lost-running") {
    yield* Effect.sleep(askAgain)
    yield* gate("commit finishes")
    const late = store.commit(transaction.writes)
    return late === undefined ? undefined : { ...late, code: commitAborted }
  }
  if (struck !== undefined && struck !== "commit-lost-committed") return failureOf(struck, "commit")
  return store.commit(transaction.writes)
})
