/** The worker's loop with endpoints that hang or fail: what they may take of it, and that the others are sent meanwhile. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { CallbackSender } from "../../src/ports/callback-sender.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { dispatchCallbacks } from "../../src/webhooks/dispatch.ts"
import { fanOutDue } from "../../src/webhooks/fan-out.ts"
import { CallbackPace, specifiedPace } from "../../src/ports/callback-pace.ts"
import { fill, outboxOf, setSubscription, storedOf, subscribed } from "../support/callbacks.ts"
import { memoryTestService } from "../support/memory-service.ts"
import {
  buyerActions,
  command,
  makeAgent,
  readProject,
  respondTo,
  startProject,
  type Started
} from "../support/parties.ts"
import { made } from "../support/workspace.ts"

const times = (count: number) => Array.from({ length: count }, (_, index) => index)

const hanging = (index: number) => `https://hangs-${index}.example.com/`
const healthy = (index: number) => `https://answers-${index}.example.com/`

/** Answers at once, or never: and knows how many requests were open at a time. */
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

  readonly layer = Layer.succeed(CallbackSender, {
    open: (target) =>
      Effect.succeed({
        send: () =>
          Effect.suspend(() => {
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

/** No clock wakes it, and no send times out, while a test lasts. */
const patient = { ...specifiedPace, interval: 3_600_000, timeout: 3_600_000, lease: 4_000_000 }

const working = (endpoints: Endpoints) =>
  Effect.forkScoped(
    dispatchCallbacks.pipe(Effect.provide(endpoints.layer), Effect.provideService(CallbackPace, patient))
  )

/** Waits until it is so; the test fails by its own assertions where it never is. */
const until = (isSo: () => boolean) =>
  Effect.gen(function* () {
    for (let turn = 0; turn < 1_000 && !isSo(); turn++) yield* Effect.sleep(10)
  })

/** A project with that many subscriptions at these targets, each told of its first event. */
const told = Effect.fnUntraced(function* (targets: ReadonlyArray<string>) {
  const started = yield* startProject()
  const { buyer, projectId } = started
  const ids: Array<string> = []
  let token = started.buyerAgent.token
  for (const [index, target] of targets.entries()) {
    if (index > 0 && index % limits.subscriptionsPerOwner === 0) {
      token = (yield* makeAgent(buyer, "BUYER", buyerActions, [projectId])).token
    }
    ids.push((yield* subscribed(token, [projectId], { target })).subscription.id)
  }
  yield* respond(started)
  return { ...started, ids }
})

const respond = Effect.fnUntraced(function* (started: Started) {
  const { supplierAgent, projectId } = started
  const view = yield* readProject(supplierAgent.token, projectId)
  made(yield* command(supplierAgent.token, projectId, "respond", respondTo(view, started)))
})

const isSentTo = (endpoints: Endpoints, targets: ReadonlyArray<string>) =>
  targets.every((target) => endpoints.received.includes(target))

layer(memoryTestService, { excludeTestServices: true })("an endpoint that hangs", (it) => {
  it.effect("with hundreds of sends due takes five places, and everybody else is sent meanwhile", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const endpoints = new Endpoints()
        const { ids } = yield* told([hanging(0), ...times(40).map(healthy)])
        yield* fanOutDue()
        yield* fill(ids[0]!, 300)
        yield* working(endpoints)
        yield* until(() => isSentTo(endpoints, times(40).map(healthy)))
        assert.isTrue(isSentTo(endpoints, times(40).map(healthy)))
        yield* until(() => endpoints.inAir === limits.callbacksPerSubscription)
        assert.strictEqual(endpoints.inAir, limits.callbacksPerSubscription)
        assert.strictEqual(endpoints.most, limits.callbacksPerSubscription)
        // What commits now is sent too.
        const { ids: late } = yield* told(times(3).map((index) => healthy(100 + index)))
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
        assert.strictEqual(endpoints.inAir, limits.callbacksPerSubscription)
      })
    )
  )
})

layer(memoryTestService, { excludeTestServices: true })("an endpoint that fails and hangs", (it) => {
  it.effect("while many others do, has one place; all of them together have half", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const endpoints = new Endpoints()
        const failing = times(30).map(hanging)
        const { ids } = yield* told([...failing, ...times(30).map(healthy)])
        yield* fanOutDue()
        for (const id of ids.slice(0, 30)) {
          yield* setSubscription(id, { failures: 1 })
          yield* fill(id, 4)
        }
        yield* working(endpoints)
        yield* until(() => isSentTo(endpoints, times(30).map(healthy)))
        assert.isTrue(isSentTo(endpoints, times(30).map(healthy)))
        yield* until(() => endpoints.inAir === limits.callbackBatch / 2)
        assert.strictEqual(endpoints.inAir, limits.callbackBatch / 2)
        assert.strictEqual(endpoints.most, limits.callbackBatch / 2)
        assert.deepStrictEqual([...new Set(endpoints.mostOf.values())], [1])
      })
    )
  )
})

layer(memoryTestService, { excludeTestServices: true })("a worker that stops", (it) => {
  it.effect("gives every place back", () =>
    Effect.gen(function* () {
      const endpoints = new Endpoints()
      const { ids } = yield* told(times(8).map(hanging))
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

layer(memoryTestService, { excludeTestServices: true })("a pass that comes back full", (it) => {
  it.effect("is followed at once by another, in the outbox as among the sends", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const endpoints = new Endpoints()
        const projects = yield* Effect.forEach(times(25), (index) => told([healthy(index), healthy(index)]))
        yield* working(endpoints)
        yield* until(() => endpoints.received.length === 50)
        assert.lengthOf(endpoints.received, 50)
        const { ids, projectId } = projects[24]!
        for (const id of ids) assert.strictEqual((yield* storedOf(id)).deliveries[0]!.state, "DELIVERED")
        assert.lengthOf(yield* outboxOf(projectId), 1)
      })
    )
  )
})
