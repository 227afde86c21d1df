/** Batched results: each send receives its own. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Storage, type LockPlan, type Transaction } from "../../src/ports/storage.ts"
import { now } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { claimSends } from "../../src/webhooks/claim.ts"
import { fanOutDue } from "../../src/webhooks/fan-out.ts"
import { makeBatchedSteps } from "../../src/webhooks/send-steps.ts"
import { insertDeliveries, setDelivery, storedOf, subscribeAsAgent } from "../support/webhooks.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { sendCommand, readProject, respondTo, startProject } from "../support/parties.ts"
import { createdBody } from "../support/workspace.ts"

/** Slow transactions, so that other sends queue meanwhile. */
const slowStorage = Effect.map(Storage, (storage) =>
  Storage.of({
    ...storage,
    transaction: <A, E, R>(plan: LockPlan, body: (transaction: Transaction) => Effect.Effect<A, E, R>) =>
      Effect.andThen(Effect.sleep(5), storage.transaction(plan, body))
  })
)

layer(memoryTestService, { excludeTestServices: true })("sends that end concurrently", (it) => {
  it.effect(
    "Each of several concurrently settled sends receives its own result: settled, exhausted, or lease lost.",
    () =>
      Effect.gen(function* () {
        const started = yield* startProject()
        const { buyerAgent, supplierAgent, projectId } = started
        const ids = [
          (yield* subscribeAsAgent(buyerAgent.token, [projectId])).subscription.id,
          (yield* subscribeAsAgent(buyerAgent.token, [projectId])).subscription.id
        ]
        const view = yield* readProject(supplierAgent.token, projectId)
        createdBody(yield* sendCommand(supplierAgent.token, projectId, "respond", respondTo(view, started)))
        yield* fanOutDue()
        for (const id of ids) {
          yield* insertDeliveries(id, 4)
          const { deliveries } = yield* storedOf(id)
          // Every other send is in its last attempt.
          for (const { deliveryId, number } of deliveries) {
            if (number % 2 === 0) yield* setDelivery(id, deliveryId, { scheduledAttempts: 7, totalAttempts: 7 })
          }
        }
        const { sends } = yield* claimSends({ places: limits.webhookBatch, failing: limits.webhookBatch / 2 })
        assert.lengthOf(sends, 8)
        const at = yield* now
        const { settle } = yield* makeBatchedSteps
        const failed = {
          kind: "ATTEMPTED",
          at,
          durationMs: 1,
          outcome: "CONNECTION",
          statusCode: null,
          recorded: undefined
        } as const
        const lost = sends.map((send, index) => (index % 3 === 1 ? { ...send, token: "another" } : send))
        // Some queue only after others have been settled.
        const results = yield* Effect.forEach(
          lost,
          (send, index) =>
            Effect.andThen(index % 2 === 0 ? Effect.void : Effect.yieldNow, settle({ send, result: failed })),
          { concurrency: "unbounded" }
        ).pipe(Effect.provideService(Storage, yield* slowStorage))
        const deliveries = (yield* Effect.forEach(ids, storedOf)).flatMap((stored) => stored.deliveries)
        for (const [index, { deliveryId }] of lost.entries()) {
          const { state, leaseToken } = deliveries.find((one) => one.deliveryId === deliveryId)!
          const isSettled = index % 3 !== 1
          assert.deepStrictEqual(results[index], { isSettled, isExhausted: state === "EXHAUSTED" })
          assert.strictEqual(leaseToken === "", isSettled)
        }
        assert.strictEqual(new Set(results.map((one) => JSON.stringify(one))).size, 3)
      })
  )
})
