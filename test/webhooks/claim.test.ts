/** Claims: capacity, waiting times, and changes concurrent to a claim. */
import { assert, layer } from "@effect/vitest"
import { Effect, Logger, Metric } from "effect"
import { addMilliseconds, never, now } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { Storage } from "../../src/ports/storage.ts"
import type { HttpApp } from "../../src/service.ts"
import {
  changeWebhook,
  insertDeliveries,
  setDelivery,
  setSubscription,
  settleSend,
  storedOf
} from "../support/webhooks.ts"
import { memoryTestService } from "../support/memory-service.ts"
import {
  claimDue,
  setDueSince,
  projectWithDeliveries,
  subscriptionOf,
  times,
  fullCapacity,
  withAfterClaim
} from "../support/queued-deliveries.ts"
import { at } from "../support/time.ts"
import { createdBody } from "../support/workspace.ts"

const singleCapacity = { places: 1, failing: 1 }
const hour = 3_600_000

for (const verb of ["pause", "revoke"]) {
  layer(memoryTestService, { excludeTestServices: true })(`a ${verb} between a claim and what it takes`, (it) => {
    it.effect(
      "A claim leaves no due subscription behind after a concurrent pause or revocation, for any number at once.",
      () =>
        Effect.gen(function* () {
          const first = yield* projectWithDeliveries(limits.webhookBatch)
          const start = yield* now
          for (const id of first.ids) yield* setSubscription(id, { dueAt: addMilliseconds(start, -hour) })
          const last = yield* projectWithDeliveries()
          const context = yield* Effect.context<HttpApp>()
          const act = Effect.forEach(first.ids, (id) => Effect.map(changeWebhook(first.token, id, verb), createdBody))
          const storage = yield* withAfterClaim(Effect.provideContext(act, context))
          assert.isEmpty(yield* claimDue().pipe(Effect.provideService(Storage, storage)))
          for (const id of first.ids) assert.deepInclude(yield* subscriptionOf(id), { dueAt: never, flights: [] })
          const sends = yield* claimDue()
          assert.deepStrictEqual(
            sends.map(({ subscriptionId }) => subscriptionId),
            [last.id]
          )
        })
    )
  })
}

layer(memoryTestService, { excludeTestServices: true })("an old backlog", (it) => {
  it.effect(
    "An old backlog is due after deliveries that became due later, once some of it was leased and once that was settled.",
    () =>
      Effect.gen(function* () {
        const { ids } = yield* projectWithDeliveries(3)
        const [old, second, third] = ids as [string, string, string]
        const start = yield* now
        yield* setDueSince(old, addMilliseconds(start, -hour), 30)
        yield* setDueSince(second, addMilliseconds(start, -2_000))
        yield* setDueSince(third, addMilliseconds(start, -1_000))
        const [first] = yield* claimDue(singleCapacity)
        assert.strictEqual(first?.subscriptionId, old)
        const taken = yield* subscriptionOf(old)
        assert.isTrue(start <= taken.dueAt && taken.dueAt <= (yield* now))
        assert.deepStrictEqual(
          (yield* claimDue(singleCapacity)).map(({ subscriptionId }) => subscriptionId),
          [second]
        )
        const settledFrom = yield* now
        yield* settleSend(first!, {
          kind: "ATTEMPTED",
          at: start,
          durationMs: 1,
          outcome: "ACKNOWLEDGED",
          statusCode: 204,
          recorded: undefined
        })
        assert.isTrue(settledFrom <= (yield* subscriptionOf(old)).dueAt)
        assert.deepStrictEqual(
          (yield* claimDue(singleCapacity)).map(({ subscriptionId }) => subscriptionId),
          [third]
        )
      })
  )
})

layer(memoryTestService, { excludeTestServices: true })("acknowledgements", (it) => {
  it.effect(
    "A slow acknowledgement reduces a subscription to one place, as a failure does; a fast one restores all.",
    () =>
      Effect.gen(function* () {
        const { id } = yield* projectWithDeliveries()
        yield* insertDeliveries(id, 20)
        const sentFor = Effect.fnUntraced(function* (durationMs: number) {
          const [send] = yield* claimDue(singleCapacity)
          const began = yield* now
          const acknowledged = { kind: "ATTEMPTED", outcome: "ACKNOWLEDGED", statusCode: 204 } as const
          yield* settleSend(send!, { ...acknowledged, at: began, durationMs, recorded: undefined })
          return (yield* subscriptionOf(id)).failures
        })
        assert.strictEqual(yield* sentFor(limits.webhookSlow), 0)
        assert.strictEqual(yield* sentFor(limits.webhookSlow + 1), 1)
        assert.strictEqual(yield* sentFor(limits.webhookSlow + 1), 2)
        const alone = yield* claimDue()
        assert.deepStrictEqual(
          alone.map(({ isFailing }) => isFailing),
          [true]
        )
        yield* settleSend(alone[0]!, { kind: "RELEASED" })
        assert.strictEqual(yield* sentFor(limits.webhookSlow), 0)
        assert.lengthOf(yield* claimDue(), limits.webhookAttemptsPerSubscription)
      })
  )
})

layer(memoryTestService, { excludeTestServices: true })("deliveries whose workers died in their last attempt", (it) => {
  it.effect(
    "Deliveries whose workers died in their last attempt delay the next by one pass only, and are counted as exhausted.",
    () =>
      Effect.gen(function* () {
        const { id } = yield* projectWithDeliveries()
        const spentOnes = limits.webhookAttemptsPerSubscription + 1
        const start = yield* now
        yield* setDueSince(id, addMilliseconds(start, -hour), spentOnes + 1)
        const { deliveries } = yield* storedOf(id)
        const counts = { scheduledAttempts: limits.webhookAttempts, totalAttempts: limits.webhookAttempts }
        for (const { deliveryId } of deliveries.slice(0, -1)) yield* setDelivery(id, deliveryId, counts)
        const behind = deliveries.at(-1)!.deliveryId
        yield* setDelivery(id, behind, { dueAt: addMilliseconds(start, -1_000) })
        const told: Array<string> = []
        const hearing = Logger.layer([Logger.make(({ message }) => void told.push(JSON.stringify(message)))])
        const before = yield* exhaustedCount
        assert.isEmpty(yield* claimDue().pipe(Effect.provide(hearing)))
        const sends = yield* claimDue()
        assert.deepStrictEqual(
          sends.map(({ deliveryId }) => deliveryId),
          [behind]
        )
        assert.strictEqual((yield* exhaustedCount) - before, spentOnes)
        assert.lengthOf(told, spentOnes)
        for (const line of told) assert.include(line, id)
        assert.strictEqual((yield* subscriptionOf(id)).exhausted, spentOnes)
      })
  )
})

/** The value of this process's metric. */
const exhaustedCount = Effect.map(Metric.snapshot, (all) =>
  all
    .filter(({ id }) => id === "countersign_webhooks_exhausted_total")
    .reduce((sum, { state }) => sum + ("count" in state ? Number(state.count) : 0), 0)
)

layer(memoryTestService, { excludeTestServices: true })("failing subscriptions without free capacity", (it) => {
  it.effect(
    "A failing subscription without capacity is looked at again after as long as it has waited, between a second and the timeout.",
    () =>
      Effect.gen(function* () {
        const { id } = yield* projectWithDeliveries()
        const start = addMilliseconds(yield* now, 10 * hour)
        const waits: Array<number> = []
        for (const overdue of [0, 4_000, 7_000, hour]) {
          yield* setDueSince(id, addMilliseconds(start, -overdue))
          yield* setSubscription(id, {
            failures: 3,
            leaseToken: "",
            leasedUntil: addMilliseconds(start, -2 * hour),
            expiresAt: addMilliseconds(start, 10 * hour)
          })
          assert.isEmpty(yield* claimDue({ ...fullCapacity, failing: 0 }).pipe(at(start)))
          const { dueAt } = yield* subscriptionOf(id)
          waits.push(times(20_000).find((wait) => addMilliseconds(start, wait) === dueAt) ?? -1)
        }
        assert.deepStrictEqual(waits, [limits.webhookSlotWait, 4_000, 7_000, limits.webhookTimeout])
      })
  )
})
