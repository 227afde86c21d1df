/** How operations run on storage. A body is a generator function, as that of `Effect.gen`, or returns an effect. */
import { Effect } from "effect"
import { runBody, type Step, type Steps } from "../../vocabulary/effect-body.ts"
import { Storage, type LockPlan, type Reader, type Transaction } from "../storage.ts"

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
  Effect.flatMap(Storage, (storage) => storage.transaction(plan, (transaction) => runBody(() => body(transaction))))

interface InView {
  <S extends Step, A>(
    body: (reader: Reader) => Generator<S, A, never>
  ): Effect.Effect<A, Effect.Error<S>, Storage | Effect.Services<S>>
  <A, E, R>(body: (reader: Reader) => Effect.Effect<A, E, R>): Effect.Effect<A, E, Storage | R>
}

/** Runs `body` on one consistent snapshot. */
export const inView: InView = (body: (reader: Reader) => Step | Steps): Step =>
  Effect.flatMap(Storage, (storage) => storage.view((reader) => runBody(() => body(reader))))

/** The same, where a replica may serve it: for lists, histories, exports, statuses and public reads. */
export const inReplicaView: InView = (body: (reader: Reader) => Step | Steps): Step =>
  Effect.flatMap(Storage, (storage) => storage.view((reader) => runBody(() => body(reader)), { replica: true }))

/** Independent reads, sent without waiting for each other. */
export const readTogether = <const Reads extends ReadonlyArray<Step> | { readonly [name: string]: Step }>(
  reads: Reads
) => Effect.all(reads, { concurrency: "unbounded" })
