/** Out of the outbox: what is numbered and what is not, and that one that cannot be numbered keeps no other waiting. */
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { Storage, StorageUnavailable } from "../../src/ports/storage.ts"
import { never, now } from "../../src/vocabulary/instant.ts"
import { fanOutDue } from "../../src/webhooks/fan-out.ts"
import { outboxOf, storedOf } from "../support/callbacks.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { committed, withAfterClaim, withTransactions } from "../support/queued-callbacks.ts"
import { at } from "../support/time.ts"

const numberedOf = (ids: ReadonlyArray<string>) =>
  Effect.forEach(ids, (id) => Effect.map(storedOf(id), ({ deliveries }) => deliveries.length))

/** What a worker that stopped has left of the only event of a project: it is there for the next, at once. */
const assertGivenBack = Effect.fnUntraced(function* (projectId: string) {
  const [event] = yield* outboxOf(projectId)
  const after = yield* now
  assert.strictEqual(event!.leaseToken, "")
  assert.isTrue(event!.leasedUntil <= after && event!.dueAt <= after)
  yield* fanOutDue()
  assert.strictEqual((yield* outboxOf(projectId))[0]!.dueAt, never)
})

layer(memoryTestService, { excludeTestServices: true })("a worker that stops", (it) => {
  it.effect("while it claims from the outbox, gives back what it has claimed", () =>
    Effect.gen(function* () {
      const { projectId, ids } = yield* committed(2)
      const isClaimed = yield* Deferred.make<void>()
      const goOn = yield* Deferred.make<void>()
      const storage = yield* withAfterClaim(
        Effect.andThen(Deferred.succeed(isClaimed, undefined), Deferred.await(goOn))
      )
      const worker = yield* Effect.forkChild(fanOutDue().pipe(Effect.provideService(Storage, storage)))
      yield* Deferred.await(isClaimed)
      const stopping = yield* Effect.forkChild(Fiber.interrupt(worker))
      yield* Effect.yieldNow
      yield* Deferred.succeed(goOn, undefined)
      yield* Fiber.join(stopping)
      assert.deepStrictEqual(yield* numberedOf(ids), [0, 0])
      yield* assertGivenBack(projectId)
      assert.deepStrictEqual(yield* numberedOf(ids), [1, 1])
    })
  )

  it.effect("while it numbers, gives back what it has not numbered for everybody", () =>
    Effect.gen(function* () {
      const { projectId, ids } = yield* committed(2)
      const stuck = ids[1]!
      const reached = yield* Deferred.make<void>()
      const storage = yield* withTransactions((plan, run) =>
        plan.roots.some(({ id }) => id === stuck)
          ? Effect.andThen(Deferred.succeed(reached, undefined), Effect.never)
          : run
      )
      const worker = yield* Effect.forkChild(fanOutDue().pipe(Effect.provideService(Storage, storage)))
      yield* Deferred.await(reached)
      yield* Fiber.interrupt(worker)
      yield* assertGivenBack(projectId)
      assert.deepStrictEqual(yield* numberedOf(ids), [1, 1])
    })
  )
})

layer(memoryTestService, { excludeTestServices: true })("a subscription that cannot be numbered", (it) => {
  const causes = [
    ["a defect", new Error("poisoned")],
    [
      "a lock that it waits for too long",
      new StorageUnavailable({ reason: "lock subscription", mayBeCommitted: false })
    ]
  ] as const
  it.effect.each(causes)("because of %s keeps neither the others of its event nor other events waiting", ([, cause]) =>
    Effect.gen(function* () {
      const { projectId, ids } = yield* committed(3)
      const other = yield* committed()
      const storage = yield* withTransactions((plan, run) =>
        plan.roots.some(({ id }) => id === ids[1]) ? Effect.die(cause) : run
      )
      yield* fanOutDue().pipe(Effect.provideService(Storage, storage))
      assert.deepStrictEqual(yield* numberedOf([...ids, ...other.ids]), [1, 0, 1, 1])
      // It comes up again by itself once its lease is over, and then for that one alone.
      const [event] = yield* outboxOf(projectId)
      assert.isTrue(event!.dueAt < never && event!.leasedUntil < never)
      assert.strictEqual((yield* outboxOf(other.projectId))[0]!.dueAt, never)
      yield* fanOutDue().pipe(at(event!.leasedUntil))
      assert.deepStrictEqual(yield* numberedOf(ids), [1, 1, 1])
      assert.strictEqual((yield* outboxOf(projectId))[0]!.dueAt, never)
    })
  )
})
