/** When the worker loop runs a pass, and when it wakes another worker. */
import { assert, layer } from "@effect/vitest"
import { Effect, Queue } from "effect"
import { WebhookWakeup } from "../../src/ports/webhook-wakeup.ts"
import { Storage } from "../../src/ports/storage.ts"
import { now, toMilliseconds } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { dispatchWebhooks } from "../../src/webhooks/dispatch.ts"
import { ConfiguredWebhookTiming, defaultWebhookTiming } from "../../src/ports/webhook-timing.ts"
import { subscribeAsAgent, TestReceiver } from "../support/webhooks.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { projectWithDeliveries, respond } from "../support/queued-deliveries.ts"
import { startProject } from "../support/parties.ts"

/** Polls the condition a limited number of times; the test's own assertions report a failure. */
const until = (condition: () => boolean) =>
  Effect.gen(function* () {
    for (let turn = 0; turn < 500 && !condition(); turn++) yield* Effect.sleep(10)
  })

/** No interval and no timeout elapses during a test. */
const unhurriedPace = { ...defaultWebhookTiming, batch: 1, interval: 3_600_000, timeout: 3_600_000, lease: 4_000_000 }

/** Two processes: a wake-up of one reaches the other only. */
const wakeups = Effect.gen(function* () {
  const [toOne, toOther] = [yield* Queue.sliding<void>(1), yield* Queue.sliding<void>(1)]
  const between = (own: Queue.Queue<void>, others: Queue.Queue<void>) =>
    WebhookWakeup.of({ notify: Effect.asVoid(Queue.offer(others, undefined)), awaitNotification: Queue.take(own) })
  return [between(toOne, toOther), between(toOther, toOne)] as const
})

layer(memoryTestService, { excludeTestServices: true })("a worker without free capacity", (it) => {
  it.effect(
    "A worker without free capacity wakes other workers after numbering, and an idle one sends immediately.",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const first = yield* projectWithDeliveries()
          const hanging = new TestReceiver()
          hanging.last = Effect.never
          const idle = new TestReceiver()
          const [busyOnes, idleOnes] = yield* wakeups
          const working = (receiver: TestReceiver, wakeup: WebhookWakeup["Service"]) =>
            Effect.forkScoped(
              dispatchWebhooks.pipe(
                Effect.provide(receiver.layer),
                Effect.provideService(WebhookWakeup, wakeup),
                Effect.provideService(ConfiguredWebhookTiming, unhurriedPace)
              )
            )
          yield* working(hanging, busyOnes)
          yield* until(() => hanging.requestsOf(first.id).length === 1)
          assert.lengthOf(hanging.requestsOf(first.id), 1)
          yield* working(idle, idleOnes)
          // Both have looked for due sends, and wait.
          yield* Effect.sleep(200)
          const started = yield* startProject()
          const { subscription } = yield* subscribeAsAgent(started.buyerAgent.token, [started.projectId])
          yield* respond(started)
          // Only the busy worker is woken by the commit.
          yield* idleOnes.notify
          yield* until(() => idle.requestsOf(subscription.id).length === 1)
          assert.lengthOf(idle.requestsOf(subscription.id), 1)
        })
      )
  )
})

layer(memoryTestService, { excludeTestServices: true })("a worker with an unhealthy store", (it) => {
  it.effect(
    "A worker with an unhealthy store checks health at intervals, for any number of wake-ups, and reads nothing from it.",
    () =>
      Effect.gen(function* () {
        yield* projectWithDeliveries()
        const storage = yield* Storage
        const asked = { health: 0, reads: 0 }
        const unfit = Storage.of({
          ...storage,
          health: Effect.map(
            Effect.tap(storage.health, () => Effect.sync(() => void (asked.health += 1))),
            (found) => ({ ...found, writable: false })
          ),
          view: (body) =>
            Effect.andThen(
              Effect.sync(() => void (asked.reads += 1)),
              storage.view(body)
            ),
          claim: (table, given) =>
            Effect.andThen(
              Effect.sync(() => void (asked.reads += 1)),
              storage.claim(table, given)
            )
        })
        const { notify } = yield* WebhookWakeup
        const receiver = new TestReceiver()
        const began = toMilliseconds(yield* now)
        yield* Effect.scoped(
          Effect.gen(function* () {
            const worker = dispatchWebhooks.pipe(
              Effect.provide(receiver.layer),
              Effect.provideService(Storage, unfit),
              Effect.provideService(ConfiguredWebhookTiming, { ...defaultWebhookTiming, interval: 50 })
            )
            yield* Effect.forkScoped(worker)
            for (let rings = 0; rings < 60; rings++) yield* Effect.andThen(notify, Effect.sleep(20))
          })
        )
        const passed = toMilliseconds(yield* now) - began
        assert.isAtLeast(asked.health, 1)
        assert.isAtMost(asked.health, 1 + Math.ceil(passed / limits.webhookHealthCache))
        assert.strictEqual(asked.reads, 0)
        assert.isEmpty(receiver.opened)
      })
  )
})
