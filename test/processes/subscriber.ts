/** The owner of webhooks: a receiver and a client in a thread, on the clock of every thread of this machine. */
import { once } from "node:events"
import * as path from "node:path"
import { Worker } from "node:worker_threads"
import { Effect, type Scope } from "effect"

/** Milliseconds of a clock that all threads share. */
export const monotonicNow = (): number => Number(process.hrtime.bigint()) / 1_000_000

/** A POST. */
export interface ClientRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Acknowledgement {
  readonly sentAt: number
  readonly acknowledgedAt: number
  readonly status: number
  readonly text: string
}

export interface ArrivedRequest {
  readonly lastByteAt: number
  readonly headers: Readonly<Record<string, ReadonlyArray<string> | undefined>>
  readonly body: string
}

export interface Subscriber {
  /** The port of the receiver. */
  readonly port: number
  readonly post: (request: ClientRequest) => Effect.Effect<Acknowledgement>
  /** The requests that arrived since the last call. */
  readonly takeRequests: Effect.Effect<ReadonlyArray<ArrivedRequest>>
}

/** The seed determines the waits of the receiver. */
export const startSubscriber = Effect.fnUntraced(function* (
  seed: number
): Effect.fn.Return<Subscriber, never, Scope.Scope> {
  const thread = yield* Effect.acquireRelease(
    Effect.sync(() => new Worker(path.join(import.meta.dirname, "subscriber-thread.ts"), { workerData: seed })),
    (thread) => Effect.promise(() => thread.terminate())
  )
  const answer = async () => (await once(thread, "message"))[0]
  const ask = (question: ClientRequest | "REQUESTS") =>
    Effect.promise(() => (thread.postMessage(question, []), answer()))
  return { port: yield* Effect.promise(answer), post: ask, takeRequests: ask("REQUESTS") }
})
