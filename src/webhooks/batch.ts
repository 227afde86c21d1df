/**
 * Batches work of concurrent sends: what is requested while a batch runs shares the next one. A worker runs one batch of
 * each kind at a time, so that no batch waits for a slow connection.
 */
import { Cause, Deferred, Effect, Exit, Semaphore } from "effect"
import { StorageUnavailable } from "../ports/storage.ts"

/** Runs several items together; the results are in the order of the items. */
export type BatchRun<Item, Result, R> = (items: ReadonlyArray<Item>) => Effect.Effect<ReadonlyArray<Result>, never, R>

/** Runs one item, alone or in a batch. */
export type ItemRun<Item, Result, R> = (item: Item) => Effect.Effect<Result, never, R>

/** Runs each item alone. */
export const runAlone =
  <Item, Result, R>(run: BatchRun<Item, Result, R>): ItemRun<Item, Result, R> =>
  (item) =>
    Effect.map(run([item]), ([result]) => result!)

/**
 * Runs items in batches. An item that is interrupted before its batch begins leaves the queue; later, the interruption
 * waits for the batch, so that it never stops the other items.
 */
export const makeBatches = <Item, Result, R>(run: BatchRun<Item, Result, R>): ItemRun<Item, Result, R> => {
  const queue: Array<QueuedItem<Item, Result>> = []
  const permit = Semaphore.makeUnsafe(1)
  return (item) =>
    Effect.suspend(() => {
      const queued: QueuedItem<Item, Result> = { item, result: Deferred.makeUnsafe() }
      queue.push(queued)
      // The previous holder of the permit may have run this item too.
      const runQueued = Effect.suspend(() =>
        queue.includes(queued) ? Effect.uninterruptible(runQueue(queue.splice(0), run)) : Effect.void
      )
      const leaveQueue = Effect.suspend(() => {
        const at = queue.indexOf(queued)
        if (at === -1) return Effect.asVoid(Effect.exit(Deferred.await(queued.result)))
        queue.splice(at, 1)
        return Effect.void
      })
      return Effect.andThen(
        Effect.onInterrupt(permit.withPermit(runQueued), () => leaveQueue),
        Deferred.await(queued.result)
      )
    })
}

interface QueuedItem<Item, Result> {
  readonly item: Item
  readonly result: Deferred.Deferred<Result>
}

const runQueue = Effect.fnUntraced(function* <Item, Result, R>(
  batch: ReadonlyArray<QueuedItem<Item, Result>>,
  run: BatchRun<Item, Result, R>
) {
  const exit = yield* Effect.exit(run(batch.map(({ item }) => item)))
  for (const [index, { item, result }] of batch.entries()) {
    if (Exit.isSuccess(exit)) yield* Deferred.succeed(result, exit.value[index]!)
    // A failed batch is retried one item at a time: a failure of one subscription must not affect others.
    else if (batch.length === 1 || mayBeCommitted(exit.cause)) yield* Deferred.failCause(result, exit.cause)
    else yield* Deferred.done(result, yield* Effect.exit(runAlone(run)(item)))
  }
})

/** True if the batch may have taken effect: run again, it would record each attempt twice. */
const mayBeCommitted = (cause: Cause.Cause<never>): boolean => {
  const defect = Cause.squash(cause)
  return defect instanceof StorageUnavailable && defect.mayBeCommitted
}
