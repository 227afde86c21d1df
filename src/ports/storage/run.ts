/** How operations run on storage. Bodies are generators, as those of `Effect.gen`. */
import { Effect } from "effect"
import { Storage, type LockPlan, type Reader, type Transaction } from "../storage.ts"

type Step = Effect.Effect<any, any, any>

/** Runs `body` in one read-write transaction; it may run more than once, and only its last run takes effect. */
export const inTransaction = <S extends Step, A>(
  plan: LockPlan,
  body: (transaction: Transaction) => Generator<S, A, never>
) =>
  Effect.flatMap(Storage, (storage) => storage.transaction(plan, (transaction) => Effect.gen(() => body(transaction))))

/** Runs `body` on one consistent snapshot. */
export const inView = <S extends Step, A>(body: (reader: Reader) => Generator<S, A, never>) =>
  Effect.flatMap(Storage, (storage) => storage.view((reader) => Effect.gen(() => body(reader))))

/** Independent reads, sent without waiting for each other. */
export const readTogether = <const Reads extends ReadonlyArray<Step> | { readonly [name: string]: Step }>(
  reads: Reads
) => Effect.all(reads, { concurrency: "unbounded" })
