/** Batches of concurrent work: who shares one, and what an interruption leaves behind. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import fc from "fast-check"
import { StorageUnavailable } from "../../src/ports/storage.ts"
import { makeBatches } from "../../src/webhooks/batch.ts"

/** Batches that double each number; a batch begins once `gate` lets it, and `ran` lists the batches. */
const doubling = (gate: Effect.Effect<void> = Effect.void) => {
  const ran: Array<ReadonlyArray<number>> = []
  const double = makeBatches((items: ReadonlyArray<number>) => {
    ran.push(items)
    return Effect.as(
      gate,
      items.map((one) => one * 2)
    )
  })
  return { ran, double }
}

const together = { concurrency: "unbounded" } as const

describe("batches", () => {
  it.effect("Everything that is ready at the same time shares one batch, and each gets its own result.", () =>
    Effect.gen(function* () {
      const { ran, double } = doubling()
      assert.deepStrictEqual(yield* Effect.forEach([1, 2, 3], double, together), [2, 4, 6])
      assert.deepStrictEqual(ran, [[1, 2, 3]])
    })
  )

  it.effect("What is requested while a batch runs shares the next one, which starts at once.", () =>
    Effect.gen(function* () {
      const open = yield* Deferred.make<void>()
      const { ran, double } = doubling(Deferred.await(open))
      const first = yield* Effect.forkChild(double(1))
      yield* yields
      const others = yield* Effect.forkChild(Effect.forEach([2, 3], double, together))
      yield* yields
      assert.deepStrictEqual(ran, [[1]])
      yield* Deferred.succeed(open, undefined)
      assert.strictEqual(yield* Fiber.join(first), 2)
      assert.deepStrictEqual(yield* Fiber.join(others), [4, 6])
      assert.deepStrictEqual(ran, [[1], [2, 3]])
    })
  )

  it.effect("An item that is interrupted before its batch is not run, and the others are, also if it came first.", () =>
    Effect.gen(function* () {
      const open = yield* Deferred.make<void>()
      const { ran, double } = doubling(Deferred.await(open))
      const fibers = yield* Effect.forEach([1, 2, 3, 4], (one) => Effect.forkChild(double(one)))
      yield* yields
      const later = yield* Effect.forEach([5, 6, 7], (one) => Effect.forkChild(double(one)))
      yield* yields
      yield* Fiber.interrupt(later[0]!)
      yield* Deferred.succeed(open, undefined)
      assert.deepStrictEqual(yield* Effect.forEach([...fibers, ...later.slice(1)], Fiber.join), [2, 4, 6, 8, 12, 14])
      assert.deepStrictEqual(ran, [
        [1, 2, 3, 4],
        [6, 7]
      ])
    })
  )

  it.effect("An interruption waits for the batch that runs, which ends for every item.", () =>
    Effect.gen(function* () {
      const open = yield* Deferred.make<void>()
      const { ran, double } = doubling(Deferred.await(open))
      const [first, second] = [yield* Effect.forkChild(double(1)), yield* Effect.forkChild(double(2))]
      yield* yields
      const interrupting = yield* Effect.forkChild(Fiber.interrupt(first))
      yield* yields
      assert.isUndefined(first.pollUnsafe())
      yield* Deferred.succeed(open, undefined)
      yield* Fiber.join(interrupting)
      assert.strictEqual(yield* Fiber.join(second), 4)
      assert.deepStrictEqual(ran, [[1, 2]])
    })
  )

  it.effect("A failed batch is run again one item at a time, and not if it may have been committed.", () =>
    Effect.gen(function* () {
      for (const mayBeCommitted of [false, true]) {
        const ran: Array<number> = []
        const run = makeBatches((items: ReadonlyArray<number>) => {
          ran.push(items.length)
          return items.includes(2)
            ? Effect.die(new StorageUnavailable({ reason: "a reason", mayBeCommitted }))
            : Effect.succeed(items)
        })
        const exits = yield* Effect.forEach([1, 2, 3], (one) => Effect.exit(run(one)), together)
        assert.deepStrictEqual(exits.map(Exit.isSuccess), mayBeCommitted ? [false, false, false] : [true, false, true])
        assert.deepStrictEqual(ran, mayBeCommitted ? [3] : [3, 1, 1, 1])
      }
    })
  )

  it.effect("Whichever items are interrupted, and when, each other one gets its result, and none is run twice.", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(
          fc.array(fc.record({ waits: fc.nat(4), interruptedAfter: fc.option(fc.nat(6)) }), { maxLength: 8 }),
          (items) => Effect.runPromise(assertEveryResult(items))
        ),
        { seed: 28, numRuns: 200 }
      )
    )
  )
})

const yields = Effect.forEach(Array.from({ length: 8 }), () => Effect.yieldNow, { discard: true })
const wait = (turns: number) => Effect.forEach(Array.from({ length: turns }), () => Effect.yieldNow, { discard: true })

interface Item {
  readonly waits: number
  readonly interruptedAfter: number | null
}

const assertEveryResult = Effect.fnUntraced(function* (items: ReadonlyArray<Item>) {
  const { ran, double } = doubling(wait(2))
  const exits = yield* Effect.forEach(
    items,
    Effect.fnUntraced(function* ({ waits, interruptedAfter }, index) {
      yield* wait(waits)
      const fiber = yield* Effect.forkChild(double(index))
      if (interruptedAfter !== null) {
        yield* wait(interruptedAfter)
        yield* Fiber.interrupt(fiber)
      }
      return yield* Fiber.await(fiber)
    }),
    together
  )
  for (const [index, { interruptedAfter }] of items.entries()) {
    if (interruptedAfter === null) assert.deepStrictEqual(exits[index], Exit.succeed(index * 2))
  }
  const all = ran.flat()
  assert.strictEqual(new Set(all).size, all.length)
})
