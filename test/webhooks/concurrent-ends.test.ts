/** Ends of subscriptions, concurrent to sends: an end that waits for a lock delays no send. */
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import { revokeGrant } from "../../src/access/grants.ts"
import { Storage } from "../../src/ports/storage.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { dispatchWebhooks } from "../../src/webhooks/dispatch.ts"
import { ConfiguredWebhookTiming, defaultWebhookTiming } from "../../src/ports/webhook-timing.ts"
import { storedOf, TestReceiver } from "../support/webhooks.ts"
import { memoryTestService } from "../support/memory-service.ts"
import {
  holdProject,
  projectWithDeliveries,
  subscriptionOf,
  times,
  withTransactions
} from "../support/queued-deliveries.ts"

/** Polls the condition a limited number of times; the test's own assertions report a failure. */
const until = <R>(condition: Effect.Effect<boolean, never, R>) =>
  Effect.gen(function* () {
    for (let turn = 0; turn < 500 && !(yield* condition); turn++) yield* Effect.sleep(10)
  })

/** A claimed subscription is due again soon, while its end still waits. */
const shortLease = { ...defaultWebhookTiming, interval: 100, lease: 300, timeout: 200 }

/** Subscriptions whose authority has ended, with a due delivery each. */
const endedSubscriptions = Effect.fnUntraced(function* (count: number) {
  const worlds = yield* Effect.forEach(times(count), () => projectWithDeliveries())
  for (const { buyerAgent } of worlds) yield* revokeGrant("OPERATOR", buyerAgent)
  return worlds
})

layer(memoryTestService, { excludeTestServices: true })("a subscription that ends", (it) => {
  it.effect("A subscription that ends while its project is locked delays no other send.", () =>
    Effect.gen(function* () {
      const [ended] = yield* endedSubscriptions(1)
      const healthy = yield* projectWithDeliveries()
      const receiver = new TestReceiver()
      const isSent = Effect.map(storedOf(healthy.id), ({ deliveries }) => deliveries[0]!.state === "DELIVERED")
      yield* Effect.scoped(
        Effect.gen(function* () {
          const scope = yield* Effect.scope
          const meanwhile = Effect.gen(function* () {
            yield* holdProject(ended!.projectId)
            yield* Effect.forkIn(dispatchWebhooks.pipe(Effect.provide(receiver.layer)), scope)
            yield* until(isSent)
            return { isSent: yield* isSent, revokedAt: (yield* subscriptionOf(ended!.id)).revokedAt }
          })
          // Unlocks before the worker is stopped.
          assert.deepStrictEqual(yield* Effect.scoped(meanwhile), { isSent: true, revokedAt: null })
        })
      )
      assert.isEmpty(receiver.requestsOf(ended!.id))
    })
  )
})

layer(memoryTestService, { excludeTestServices: true })("many subscriptions that end concurrently", (it) => {
  it.effect("Subscriptions end a few at a time, and each is ended by one fiber.", () =>
    Effect.gen(function* () {
      const worlds = yield* endedSubscriptions(2 * limits.webhookEndings)
      const owned = new Map(worlds.map(({ id }) => [id, { begun: 0 }]))
      const letGo = yield* Deferred.make<void>()
      let claims = 0
      let underWay = 0
      let most = 0
      const waiting = yield* withTransactions((plan, run) => {
        const isEnding = plan.locks.some(({ kind }) => kind === "counter")
        const one = plan.locks.map(({ id }) => owned.get(id)).find((found) => found !== undefined)
        if (!isEnding || one === undefined) return run
        const ending = Effect.suspend(() => {
          one.begun += 1
          underWay += 1
          most = Math.max(most, underWay)
          return Effect.andThen(Deferred.await(letGo), run)
        })
        return Effect.ensuring(
          ending,
          Effect.sync(() => void (underWay -= 1))
        )
      })
      const claim: Storage["Service"]["claim"] = (table, given) =>
        Effect.suspend(() => (claims < 3 ? waiting.claim(table, given) : Effect.succeed([]))).pipe(
          Effect.tap((rows) => Effect.sync(() => void (claims += rows.length === worlds.length ? 1 : 0)))
        )
      const areEnded = Effect.map(
        Effect.forEach(worlds, ({ id }) => subscriptionOf(id)),
        (rows) => rows.every(({ revokedAt }) => revokedAt !== null)
      )
      yield* Effect.scoped(
        Effect.gen(function* () {
          const worker = dispatchWebhooks.pipe(
            Effect.provide(new TestReceiver().layer),
            Effect.provideService(Storage, Storage.of({ ...waiting, claim })),
            Effect.provideService(ConfiguredWebhookTiming, shortLease)
          )
          yield* Effect.forkScoped(worker)
          yield* Effect.addFinalizer(() => Deferred.succeed(letGo, undefined))
          // By then each has been due again, and none is due any more.
          yield* until(Effect.sync(() => claims >= 3))
          assert.strictEqual(claims, 3)
          yield* Effect.sleep(50)
          yield* Deferred.succeed(letGo, undefined)
          yield* until(areEnded)
          yield* until(Effect.sync(() => underWay === 0))
          yield* Effect.sleep(50)
        })
      )
      assert.isTrue(yield* areEnded)
      assert.strictEqual(most, limits.webhookEndings)
      assert.deepStrictEqual(
        [...owned.values()].map(({ begun }) => begun),
        worlds.map(() => 1)
      )
    })
  )
})
