/** Fairness of the worker loop: capacity that hanging or failing endpoints take, and progress of the others. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { WebhookSender, type PendingResponse } from "../../src/ports/webhook-sender.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { dispatchWebhooks } from "../../src/webhooks/dispatch.ts"
import { fanOutDue } from "../../src/webhooks/fan-out.ts"
import { ConfiguredWebhookTiming, defaultWebhookTiming } from "../../src/ports/webhook-timing.ts"
import { insertDeliveries, outboxOf, setSubscription, storedOf, subscribeAsAgent } from "../support/webhooks.ts"
import { memoryTestService } from "../support/memory-service.ts"
import {
  buyerActions,
  sendCommand,
  makeAgent,
  readProject,
  respondTo,
  startProject,
  type StartedProject
} from "../support/parties.ts"
import { createdBody } from "../support/workspace.ts"

const times = (count: number) => Array.from({ length: count }, (_, index) => index)

const hanging = (index: number) => `https://hangs-${index}.example.com/`
const healthy = (index: number) => `https://answers-${index}.example.com/`

/** Endpoints that answer immediately or never, and count concurrent requests. */
class Endpoints {
  readonly received: Array<string> = []
  readonly open = new Map<string, number>()
  most = 0
  readonly mostOf = new Map<string, number>()

  get inAir(): number {
    return [...this.open.values()].reduce((sum, count) => sum + count, 0)
  }

  #change(target: string, by: 1 | -1): void {
    const count = (this.open.get(target) ?? 0) + by
    this.open.set(target, count)
    this.mostOf.set(target, Math.max(count, this.mostOf.get(target) ?? 0))
    this.most = Math.max(this.inAir, this.most)
  }

  readonly layer = Layer.succeed(WebhookSender, {
    open: (target) =>
      Effect.succeed({
        send: () =>
          Effect.sync((): PendingResponse => {
            this.received.push(target)
            if (!target.includes("hangs")) return Effect.succeed({ statusCode: 204 })
            this.#change(target, 1)
            return Effect.ensuring(
              Effect.never,
              Effect.sync(() => this.#change(target, -1))
            )
          })
      })
  })
}

/** No interval and no timeout elapses during a test. */
const unhurriedPace = { ...defaultWebhookTiming, interval: 3_600_000, timeout: 3_600_000, lease: 4_000_000 }

const working = (endpoints: Endpoints) =>
  Effect.forkScoped(
    dispatchWebhooks.pipe(
      Effect.provide(endpoints.layer),
      Effect.provideService(ConfiguredWebhookTiming, unhurriedPace)
    )
  )

/** Polls the condition a limited number of times; the test's own assertions report a failure. */
const until = (condition: () => boolean) =>
  Effect.gen(function* () {
    for (let turn = 0; turn < 1_000 && !condition(); turn++) yield* Effect.sleep(10)
  })

const untilDelivered = Effect.fnUntraced(function* (subscriptionId: string) {
  const stateNow = Effect.map(storedOf(subscriptionId), ({ deliveries }) => deliveries[0]!.state)
  for (let turn = 0; turn < 1_000 && (yield* stateNow) !== "DELIVERED"; turn++) yield* Effect.sleep(10)
  assert.strictEqual(yield* stateNow, "DELIVERED")
})

/** A project with a subscription to each of these targets and one queued event. */
const queuedAt = Effect.fnUntraced(function* (targets: ReadonlyArray<string>) {
  const started = yield* startProject()
  const { buyer, projectId } = started
  const ids: Array<string> = []
  let token = started.buyerAgent.token
  for (const [index, target] of targets.entries()) {
    if (index > 0 && index % limits.subscriptionsPerOwner === 0) {
      token = (yield* makeAgent(buyer, "BUYER", buyerActions, [projectId])).token
    }
    ids.push((yield* subscribeAsAgent(token, [projectId], { target })).subscription.id)
  }
  yield* respond(started)
  return { ...started, ids }
})

const respond = Effect.fnUntraced(function* (started: StartedProject) {
  const { supplierAgent, projectId } = started
  const view = yield* readProject(supplierAgent.token, projectId)
  createdBody(yield* sendCommand(supplierAgent.token, projectId, "respond", respondTo(view, started)))
})

const isSentTo = (endpoints: Endpoints, targets: ReadonlyArray<string>) =>
  targets.every((target) => endpoints.received.includes(target))

layer(memoryTestService, { excludeTestServices: true })("an endpoint that hangs", (it) => {
  it.effect(
    "An endpoint that hangs with hundreds of due sends takes five places, and other endpoints are served.",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const endpoints = new Endpoints()
          const { ids } = yield* queuedAt([hanging(0), ...times(40).map(healthy)])
          yield* fanOutDue()
          yield* insertDeliveries(ids[0]!, 300)
          yield* working(endpoints)
          yield* until(() => isSentTo(endpoints, times(40).map(healthy)))
          assert.isTrue(isSentTo(endpoints, times(40).map(healthy)))
          yield* until(() => endpoints.inAir === limits.webhookAttemptsPerSubscription)
          assert.strictEqual(endpoints.inAir, limits.webhookAttemptsPerSubscription)
          assert.strictEqual(endpoints.most, limits.webhookAttemptsPerSubscription)
          // Events that commit now are sent too.
          const { ids: late } = yield* queuedAt(times(3).map((index) => healthy(100 + index)))
          assert.lengthOf(late, 3)
          yield* until(() =>
            isSentTo(
              endpoints,
              times(3).map((index) => healthy(100 + index))
            )
          )
          assert.isTrue(
            isSentTo(
              endpoints,
              times(3).map((index) => healthy(100 + index))
            )
          )
          assert.strictEqual(endpoints.inAir, limits.webhookAttemptsPerSubscription)
        })
      )
  )
})

layer(memoryTestService, { excludeTestServices: true })("endpoints that fail and hang", (it) => {
  it.effect(
    "A failing endpoint that hangs takes one place, and all failing endpoints together take half of the places.",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const endpoints = new Endpoints()
          const failing = times(30).map(hanging)
          const { ids } = yield* queuedAt([...failing, ...times(30).map(healthy)])
          yield* fanOutDue()
          for (const id of ids.slice(0, 30)) {
            yield* setSubscription(id, { failures: 1 })
            yield* insertDeliveries(id, 4)
          }
          yield* working(endpoints)
          yield* until(() => isSentTo(endpoints, times(30).map(healthy)))
          assert.isTrue(isSentTo(endpoints, times(30).map(healthy)))
          yield* until(() => endpoints.inAir === limits.webhookBatch / 2)
          assert.strictEqual(endpoints.inAir, limits.webhookBatch / 2)
          assert.strictEqual(endpoints.most, limits.webhookBatch / 2)
          assert.deepStrictEqual([...new Set(endpoints.mostOf.values())], [1])
        })
      )
  )
})

layer(memoryTestService, { excludeTestServices: true })("shutdown of a worker", (it) => {
  it.effect("A worker that stops releases every send in progress.", () =>
    Effect.gen(function* () {
      const endpoints = new Endpoints()
      const { ids } = yield* queuedAt(times(8).map(hanging))
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* working(endpoints)
          yield* until(() => endpoints.inAir === 8)
          assert.strictEqual(endpoints.inAir, 8)
        })
      )
      assert.strictEqual(endpoints.inAir, 0)
      for (const id of ids) {
        const { subscription, deliveries } = yield* storedOf(id)
        assert.isEmpty(subscription.flights)
        assert.deepInclude(deliveries[0], { state: "PENDING", leaseToken: "", totalAttempts: 1 })
        assert.strictEqual(subscription.dueAt, deliveries[0]!.dueAt)
      }
    })
  )
})

layer(memoryTestService, { excludeTestServices: true })("a full pass", (it) => {
  it.effect("A pass that claims a full batch is followed immediately by another, for the outbox and for sends.", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const endpoints = new Endpoints()
        const projects = yield* Effect.forEach(times(25), (index) => queuedAt([healthy(index), healthy(index)]))
        yield* working(endpoints)
        yield* until(() => endpoints.received.length === 50)
        assert.lengthOf(endpoints.received, 50)
        const { ids, projectId } = projects[24]!
        // The results are settled after the requests are received.
        for (const id of ids) yield* untilDelivered(id)
        assert.lengthOf(yield* outboxOf(projectId), 1)
      })
    )
  )
})
