/**
 * Storage in memory, for the simulator, with the guarantees of Postgres and no others. It queues and retries as the
 * Postgres adapter does; begin, lock and commit are separate scheduling points.
 */
import { Duration, Effect, Exit, Layer } from "effect"
import { noConnection, retryUntilSettled, type Attempt } from "../../../src/ports/storage/transaction-retry.ts"
import { inLockingOrder, outsideTransaction } from "../../../src/ports/storage/lock-discipline.ts"
import { LockQueue } from "../../../src/ports/storage/lock-queue.ts"
import { Storage } from "../../../src/ports/storage.ts"
import { BoundedConcurrency } from "../../../src/ports/storage/bounded-concurrency.ts"
import { attemptTransaction, attemptView, ended, failed, type StoreContext } from "./attempt.ts"
import { failureOf } from "./faults.ts"
import type { MemoryStore } from "./store.ts"

export interface Options {
  /** Concurrent transactions; 10 if absent. */
  readonly connections?: number
  /** Suspends a transaction at a named point until the scheduler resumes it. */
  readonly gate?: StoreContext["gate"]
  readonly fault?: StoreContext["fault"]
}

export const layer = (store: MemoryStore, options: Options = {}): Layer.Layer<Storage> =>
  Layer.sync(Storage, () => make(store, options))

const waitMax = Duration.seconds(5)

const make = (store: MemoryStore, options: Options): Storage["Service"] => {
  const world: StoreContext = {
    store,
    gate: options.gate ?? (() => Effect.void),
    fault: options.fault ?? (() => undefined)
  }
  const queue = new LockQueue()
  const turns = new BoundedConcurrency(options.connections ?? 10, waitMax)
  let attempts = 0

  const untilSuccess = <A, E, R>(attempt: (number: number) => Effect.Effect<Attempt<A, E>, never, R>) =>
    retryUntilSettled(
      turns.run<Attempt<A, E>, R>(
        Effect.suspend(() => attempt(++attempts)),
        tooLate
      )
    )

  return {
    transaction: (plan, body) =>
      outsideTransaction(() => {
        const run = untilSuccess((number) => attemptTransaction(world, number, plan, body))
        return queue.hold(inLockingOrder([...plan.locks, ...(plan.deferred ?? [])]), run)
      }),
    view: (body) => outsideTransaction(() => untilSuccess((number) => attemptView(world, number, body))),
    claim: (table, due) =>
      outsideTransaction(() =>
        untilSuccess((number) =>
          Effect.map(world.gate("claim"), () => {
            const injected = world.fault({ transaction: number, at: "commit", what: table.name })
            return injected === undefined
              ? ended(Exit.succeed(store.claim(table, due)))
              : failed(failureOf(injected, "commit"))
          })
        )
      ),
    health: outsideTransaction(() =>
      Effect.succeed({ writable: true, schemaFits: true, clockOffset: 0, replicated: true })
    )
  }
}

const tooLate = failed({ code: noConnection, reason: "every connection was busy for too long", raced: false })
