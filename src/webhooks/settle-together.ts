/** Batches results: sends that end while a transaction is in progress share the next one. */
import { Context, Effect, Exit, Semaphore } from "effect"
import type { Storage } from "../ports/storage.ts"
import type { LeasedSend } from "./claim.ts"
import { settleSend, settleSends, type EndedSend, type Ending, type Settled } from "./settle.ts"

export type Settle = (send: LeasedSend, ending: Ending) => Effect.Effect<Settled, never, Storage>

/** Settles a send: alone by default, in batches within a worker. */
export const Settling = Context.Reference<Settle>("countersign/webhooks/Settling", { defaultValue: () => settleSend })

/** The batching implementation for one worker. */
export const settlingTogether: Effect.Effect<Settle> = Effect.sync(() => {
  const queue: Array<QueuedSend> = []
  const permit = Semaphore.makeUnsafe(1)
  return (send, ending) =>
    Effect.suspend(() => {
      const queued: QueuedSend = { send, ending, settled: undefined }
      queue.push(queued)
      const settle = Effect.suspend(() => (queued.settled === undefined ? settleQueue(queue) : Effect.void))
      // The previous holder of the permit may have settled this send too.
      return Effect.flatMap(permit.withPermit(settle), () => queued.settled!)
    })
})

interface QueuedSend extends EndedSend {
  /** Set once its batch has been settled. */
  settled: Exit.Exit<Settled> | undefined
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

const settleAlone = (one: EndedSend) => Effect.map(settleSends([one]), ([settled]) => settled!)
