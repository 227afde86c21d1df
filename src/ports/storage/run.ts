/** How operations run on storage. A body is a generator function, as that of `Effect.gen`, or returns an effect. */
import { Effect } from "effect"
import { Storage, type LockPlan, type Reader, type Transaction } from "../storage.ts"

type Step = Effect.Effect<any, any, any>
type Steps = Generator<Step, unknown, never>

interface InTransaction {
  <S extends Step, A>(
    plan: LockPlan,
    body: (transaction: Transaction) => Generator<S, A, never>
  ): Effect.Effect<A, Effect.Error<S>, Storage | Effect.Services<S>>
  <A, E, R>(
    plan: LockPlan,
    body: (transaction: Transaction) => Effect.Effect<A, E, R>
  ): Effect.Effect<A, E, Storage | R>
}

/** Runs `body` in one read-write transaction; it may run more than once, and only its last run takes effect. */
export const inTransaction: InTransaction = (plan: LockPlan, body: (transaction: Transaction) => Step | Steps): Step =>
  Effect.flatMap(Storage, (storage) => storage.transaction(plan, (transaction) => run(() => body(transaction))))

interface InView {
  <S extends Step, A>(
    body: (reader: Reader) => Generator<S, A, never>
  ): Effect.Effect<A, Effect.Error<S>, Storage | Effect.Services<S>>
  <A, E, R>(body: (reader: Reader) => Effect.Effect<A, E, R>): Effect.Effect<A, E, Storage | R>
}

/** Runs `body` on one consistent snapshot. */
export const inView: InView = (body: (reader: Reader) => Step | Steps): Step =>
  Effect.flatMap(Storage, (storage) => storage.view((reader) => run(() => body(reader))))

/** The same, where a replica may serve it: for lists, histories, exports, statuses and public reads. */
export const inReplicaView: InView = (body: (reader: Reader) => Step | Steps): Step =>
  Effect.flatMap(Storage, (storage) => storage.view((reader) => run(() => body(reader)), { replica: true }))

const run = (body: () => Step | Steps): Step =>
  Effect.suspend(() => {
    const started = body()
    return "next" in started ? Effect.gen(() => started) : started
  })

/** Independent reads, sent without waiting for each other. */
export const readTogether = <const Reads extends ReadonlyArray<Step> | { readonly [name: string]: Step }>(
  reads: Reads
) => Effect.all(reads, { concurrency: "unbounded" })
