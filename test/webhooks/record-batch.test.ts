/** Attempts recorded and begun together: each send is refused for itself, and nothing is recorded twice. */
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { Storage, StorageUnavailable } from "../../src/ports/storage.ts"
import { never } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { claimSends, type LeasedSend } from "../../src/webhooks/claim.ts"
import { fanOutDue } from "../../src/webhooks/fan-out.ts"
import { makeBatchedSteps } from "../../src/webhooks/send-steps.ts"
import { WebhookAttempts } from "../../src/webhooks/store.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { runToSubmitted, startProject } from "../support/parties.ts"
import { setSubscription, subscribeAsAgent } from "../support/webhooks.ts"

/** Claimed sends of several subscriptions for the events of one project. */
const claimed = Effect.gen(function* () {
  const started = yield* startProject()
  yield* Effect.forEach([1, 2, 3], () => subscribeAsAgent(started.buyerAgent.token, [started.projectId]))
  yield* runToSubmitted(started)
  yield* fanOutDue()
  const { sends } = yield* claimSends({ places: limits.webhookBatch, failing: limits.webhookBatch })
  assert.isAtLeast(sends.length, 6)
  return sends
})

/** The service's storage with slow transactions; it counts them, and `afterwards` may replace the end of each. */
const slowStorage = (afterwards: Effect.Effect<void> = Effect.void) =>
  Effect.map(Storage, (storage) => {
    const counted = { transactions: 0 }
    const transaction: Storage["Service"]["transaction"] = (plan, body) =>
      Effect.suspend(() => {
        counted.transactions += 1
        return Effect.andThen(Effect.sleep(5), Effect.tap(storage.transaction(plan, body), afterwards))
      })
    return { counted, storage: Storage.of({ ...storage, transaction }) }
  })

/** The service's storage; its first transaction says that it has begun, and runs once it may `end`. */
const heldStorage = Effect.gen(function* () {
  const storage = yield* Storage
  const [begun, end] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  const held = Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(end))
  const transaction: Storage["Service"]["transaction"] = (plan, body) =>
    Effect.andThen(held, storage.transaction(plan, body))
  return { begun, end, storage: Storage.of({ ...storage, transaction }) }
})

const recorder = Effect.gen(function* () {
  const { plan, record } = yield* makeBatchedSteps
  const noted: Array<string> = []
  const recordOne = Effect.fnUntraced(function* (send: LeasedSend) {
    const planned = (yield* plan(send))!
    const note = () => Effect.sync(() => void noted.push(send.deliveryId))
    return yield* record({ send, plan: { ...planned, deadline: never, note } })
  })
  return { noted, recordOne }
})

const attemptsOf = (sends: ReadonlyArray<LeasedSend>) =>
  Effect.flatMap(Storage, (storage) =>
    storage.view((reader) =>
      Effect.forEach(sends, ({ deliveryId }) =>
        Effect.map(
          reader.range(WebhookAttempts, "key", { prefix: [deliveryId], limit: limits.webhookBatch }),
          (attempts) => attempts.length
        )
      )
    )
  )

const together = { concurrency: "unbounded" } as const

layer(memoryTestService, { excludeTestServices: true })("attempts recorded together", (it) => {
  it.effect("Sends that are ready together share a transaction, and each learns the number of its attempt.", () =>
    Effect.gen(function* () {
      const sends = yield* claimed
      const { noted, recordOne } = yield* recorder
      const { counted, storage } = yield* slowStorage()
      const records = yield* Effect.forEach(sends, recordOne, together).pipe(Effect.provideService(Storage, storage))
      assert.isTrue(records.every((one) => one.isRecorded && one.attempt === 1))
      assert.strictEqual(counted.transactions, 1)
      assert.sameMembers(
        noted,
        sends.map(({ deliveryId }) => deliveryId)
      )
      assert.deepStrictEqual(yield* attemptsOf(sends), Array(sends.length).fill(1))
    })
  )

  it.effect("A lost lease and a paused subscription are refused in the batches of others, which are sent.", () =>
    Effect.gen(function* () {
      const sends = yield* claimed
      const paused = sends.at(-1)!.subscriptionId
      const lost = sends.find(({ subscriptionId }) => subscriptionId !== paused)!
      const steps = yield* makeBatchedSteps
      const { counted, storage } = yield* slowStorage()
      const begun: Array<string> = []
      const sendOne = Effect.fnUntraced(function* (one: LeasedSend) {
        const send = one === lost ? { ...one, token: "another worker's" } : one
        const plan = { ...(yield* steps.plan(one))!, deadline: never, note: () => Effect.void }
        const recorded = yield* steps.record({ send, plan })
        if (!recorded.isRecorded) return recorded.refusal
        const begin = () =>
          Effect.sync(() => {
            begun.push(send.deliveryId)
            return Effect.succeed({ statusCode: 204 })
          })
        const result = yield* steps.begin({ send, plan, recorded, begin })
        return result.hasBegun ? "BEGUN" : result.refusal
      })
      yield* setSubscription(paused, { isPaused: true })
      const results = yield* Effect.forEach(sends, sendOne, together).pipe(Effect.provideService(Storage, storage))
      const expected = sends.map((send) =>
        send === lost ? "LOST" : send.subscriptionId === paused ? "SUBSCRIPTION_INACTIVE" : "BEGUN"
      )
      assert.deepStrictEqual(results, expected)
      assert.sameMembers(
        begun,
        sends.filter((_, index) => expected[index] === "BEGUN").map(({ deliveryId }) => deliveryId)
      )
      assert.strictEqual(counted.transactions, 2)
    })
  )

  it.effect("A batch whose COMMIT is unknown fails for each of its sends, and is not recorded again.", () =>
    Effect.gen(function* () {
      const sends = yield* claimed
      const { recordOne } = yield* recorder
      const unknown = Effect.die(
        new StorageUnavailable({ reason: "the answer to COMMIT was lost", mayBeCommitted: true })
      )
      const { storage } = yield* slowStorage(unknown)
      const exits = yield* Effect.forEach(sends, (send) => Effect.exit(recordOne(send)), together).pipe(
        Effect.provideService(Storage, storage)
      )
      assert.isTrue(exits.every(({ _tag }) => _tag === "Failure"))
      assert.deepStrictEqual(yield* attemptsOf(sends), Array(sends.length).fill(1))
    })
  )

  it.effect("A send interrupted while it waits leaves the queue; one in a running batch stops no other.", () =>
    Effect.gen(function* () {
      const sends = yield* claimed
      const { plan, record } = yield* makeBatchedSteps
      const plans = yield* Effect.forEach(sends, plan)
      const { begun, end, storage } = yield* heldStorage
      const start = (index: number) =>
        Effect.forkChild(
          record({ send: sends[index]!, plan: { ...plans[index]!, deadline: never, note: () => Effect.void } }).pipe(
            Effect.provideService(Storage, storage)
          )
        )
      const running = yield* start(0)
      yield* Deferred.await(begun)
      const [waiting, last] = [yield* start(1), yield* start(2)]
      yield* Effect.yieldNow
      yield* Fiber.interrupt(waiting)
      const interrupted = yield* Effect.forkChild(Fiber.interrupt(running), { startImmediately: true })
      yield* Deferred.succeed(end, undefined)
      yield* Fiber.join(interrupted)
      assert.isTrue((yield* Fiber.join(last)).isRecorded)
      assert.deepStrictEqual(yield* attemptsOf(sends.slice(0, 3)), [1, 0, 1])
    })
  )
})
