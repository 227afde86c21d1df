/**
 * Batches work of concurrent sends: what is ready at the same time, or is requested while a batch runs, shares one. A worker runs one batch of
 * each kind at a time, so that no batch waits for a slow connection.
 */
import { Cause, Deferred, Effect, Exit } from "effect"
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
 * Runs items in batches, one at a time: the first item of a batch waits until no other fiber is ready, then runs it for all
 * that are queued. An item that is interrupted before its batch begins leaves the queue; later, the interruption waits for the
 * batch, so that it never stops the other items.
 */
export const makeBatches = <Item, Result, R>(run: BatchRun<Item, Result, R>): ItemRun<Item, Result, R> => {
  const queue: Array<QueuedItem<Item, Result>> = []
  let hasLeader = false
  const passOn = Effect.suspend(() => {
    const [next] = queue
    hasLeader = next !== undefined
    return next === undefined ? Effect.void : Deferred.succeed(next.turn, undefined)
  })
  /** After an interruption: the leader passes on, and a member of a running batch waits for it. */
  const leave = (queued: QueuedItem<Item, Result>) =>
    Effect.suspend((): Effect.Effect<unknown> => {
      const at = queue.indexOf(queued)
      if (at === -1) return Effect.exit(Deferred.await(queued.result))
      queue.splice(at, 1)
      return Deferred.isDoneUnsafe(queued.turn) ? passOn : Effect.void
    })
  return (item) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const queued: QueuedItem<Item, Result> = { item, turn: Deferred.makeUnsafe(), result: Deferred.makeUnsafe() }
        const orLeave = <A>(waiting: Effect.Effect<A>) => Effect.onInterrupt(restore(waiting), () => leave(queued))
        queue.push(queued)
        if (!hasLeader) yield* passOn
        yield* orLeave(Deferred.await(queued.turn))
        if (!Deferred.isDoneUnsafe(queued.result)) {
          yield* orLeave(Effect.yieldNow)
          yield* runQueue(queue.splice(0), run)
          yield* passOn
        }
        return yield* Deferred.await(queued.result)
      })
    )
}

interface QueuedItem<Item, Result> {
  readonly item: Item
  /** Done once the item leads the next batch, or has its result. */
  readonly turn: Deferred.Deferred<void>
  readonly result: Deferred.Deferred<Result>
}

const runQueue = Effect.fnUntraced(function* <Item, Result, R>(
  batch: ReadonlyArray<QueuedItem<Item, Result>>,
  run: BatchRun<Item, Result, R>
) {
  const exit = yield* Effect.exit(run(batch.map(({ item }) => item)))
  for (const [index, { item, result, turn }] of batch.entries()) {
    if (Exit.isSuccess(exit)) yield* Deferred.succeed(result, exit.value[index]!)
    // A failed batch is retried one item at a time: a failure of one subscription must not affect others.
    else if (batch.length === 1 || mayBeCommitted(exit.cause)) yield* Deferred.failCause(result, exit.cause)
    else yield* Deferred.done(result, yield* Effect.exit(runAlone(run)(item)))
    yield* Deferred.succeed(turn, undefined)
  }
})

/** True if the batch may have taken effect: run again, it would record each attempt twice. */
const mayBeCommitted = (cause: Cause.Cause<never>): boolean => {
  const defect = Cause.squash(cause)
  return defect instanceof StorageUnavailable && defect.mayBeCommitted
}
