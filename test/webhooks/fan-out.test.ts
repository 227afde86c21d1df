/** Fan-out of the outbox: interruption, and isolation of a subscription whose events cannot be numbered. */
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { Storage, StorageUnavailable } from "../../src/ports/storage.ts"
import { never, now } from "../../src/vocabulary/instant.ts"
import { fanOutDue } from "../../src/webhooks/fan-out.ts"
import { outboxOf, storedOf } from "../support/webhooks.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { projectWithEvent, withAfterClaim, withTransactions } from "../support/queued-deliveries.ts"
import { at } from "../support/time.ts"

const numberedOf = (ids: ReadonlyArray<string>) =>
  Effect.forEach(ids, (id) => Effect.map(storedOf(id), ({ deliveries }) => deliveries.length))

/** The only event of a project is claimable immediately after a worker stopped. */
const assertReleased = Effect.fnUntraced(function* (projectId: string) {
  const [event] = yield* outboxOf(projectId)
  const after = yield* now
  assert.strictEqual(event!.leaseToken, "")
  assert.isTrue(event!.leasedUntil <= after && event!.dueAt <= after)
  yield* fanOutDue()
  assert.strictEqual((yield* outboxOf(projectId))[0]!.dueAt, never)
})

layer(memoryTestService, { excludeTestServices: true })("a worker that is interrupted during fan-out", (it) => {
  it.effect("A worker interrupted while it claims from the outbox releases the claimed events.", () =>
    Effect.gen(function* () {
      const { projectId, ids } = yield* projectWithEvent(2)
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
      yield* assertReleased(projectId)
      assert.deepStrictEqual(yield* numberedOf(ids), [1, 1])
    })
  )

  it.effect(
    "A worker interrupted while it numbers events releases those that are not numbered for every subscription.",
    () =>
      Effect.gen(function* () {
        const { projectId, ids } = yield* projectWithEvent(2)
        const stuck = ids[1]!
        const reached = yield* Deferred.make<void>()
        const storage = yield* withTransactions((plan, run) =>
          plan.locks.some(({ id }) => id === stuck)
            ? Effect.andThen(Deferred.succeed(reached, undefined), Effect.never)
            : run
        )
        const worker = yield* Effect.forkChild(fanOutDue().pipe(Effect.provideService(Storage, storage)))
        yield* Deferred.await(reached)
        yield* Fiber.interrupt(worker)
        yield* assertReleased(projectId)
        assert.deepStrictEqual(yield* numberedOf(ids), [1, 1])
      })
  )
})

layer(memoryTestService, { excludeTestServices: true })("a subscription whose events cannot be numbered", (it) => {
  const causes = [
    ["a defect", new Error("poisoned")],
    ["a lock timeout", new StorageUnavailable({ reason: "lock subscription", mayBeCommitted: false })]
  ] as const
  it.effect.each(causes)(
    "A subscription whose events cannot be numbered because of %s delays neither other subscriptions nor other events.",
    ([, cause]) =>
      Effect.gen(function* () {
        const { projectId, ids } = yield* projectWithEvent(3)
        const other = yield* projectWithEvent()
        const storage = yield* withTransactions((plan, run) =>
          plan.locks.some(({ id }) => id === ids[1]) ? Effect.die(cause) : run
        )
        yield* fanOutDue().pipe(Effect.provideService(Storage, storage))
        assert.deepStrictEqual(yield* numberedOf([...ids, ...other.ids]), [1, 0, 1, 1])
        // Its event is due again when the lease expires, for this subscription only.
        const [event] = yield* outboxOf(projectId)
        assert.isTrue(event!.dueAt < never && event!.leasedUntil < never)
        assert.strictEqual((yield* outboxOf(other.projectId))[0]!.dueAt, never)
        yield* fanOutDue().pipe(at(event!.leasedUntil))
        assert.deepStrictEqual(yield* numberedOf(ids), [1, 1, 1])
        assert.strictEqual((yield* outboxOf(projectId))[0]!.dueAt, never)
      })
  )
})
