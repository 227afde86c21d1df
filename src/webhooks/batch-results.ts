/** Batches results: sends that end while a transaction is in progress share the next one. */
import { Context, Effect, Exit, Semaphore } from "effect"
import type { Storage } from "../ports/storage.ts"
import type { LeasedSend } from "./claim.ts"
import { settleSend, settleSends, type CompletedSend, type SendResult, type Settlement } from "./settle.ts"

export type Settler = (send: LeasedSend, ending: SendResult) => Effect.Effect<Settlement, never, Storage>

/** Settles a send: alone by default, in batches within a worker. */
export const CurrentSettler = Context.Reference<Settler>("countersign/webhooks/CurrentSettler", {
  defaultValue: () => settleSend
})

/** The batching implementation for one worker. */
export const makeBatchSettler: Effect.Effect<Settler> = Effect.sync(() => {
  const queue: Array<QueuedSend> = []
  const permit = Semaphore.makeUnsafe(1)
  return (send, ending) =>
    Effect.suspend(() => {
      const queued: QueuedSend = { send, result: ending, settled: undefined }
      queue.push(queued)
      const settle = Effect.suspend(() => (queued.settled === undefined ? settleQueue(queue) : Effect.void))
      // The previous holder of the permit may have settled this send too.
      return Effect.flatMap(permit.withPermit(settle), () => queued.settled!)
    })
})

interface QueuedSend extends CompletedSend {
  /** Set once its batch has been settled. */
  settled: Exit.Exit<Settlement> | undefined
}

const settleQueue = Effect.fnUntraced(function* (queue: Array<QueuedSend>) {
  const batch = queue.splice(0)
  const exit = yield* Effect.exit(settleSends(batch))
  for (const [index, one] of batch.entries()) {
    if (Exit.isSuccess(exit)) one.settled = Exit.succeed(exit.value[index]!)
    // A failed batch is retried one send at a time: a failure of one subscription must not affect others.
    else one.settled = batch.length === 1 ? Exit.failCause(exit.cause) : yield* Effect.exit(settleAlone(one))
  }
})

const settleAlone = (one: CompletedSend) => Effect.map(settleSends([one]), ([settled]) => settled!)
