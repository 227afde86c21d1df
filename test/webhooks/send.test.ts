/** One send, from its lease to its result, and the recovery from a dead worker. */
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Logger } from "effect"
import {
  WebhookFailure,
  WebhookSender,
  ResolverUnreachable,
  type WebhookFailureReason
} from "../../src/ports/webhook-sender.ts"
import { Storage, type LockPlan, type Transaction } from "../../src/ports/storage.ts"
import { addMilliseconds, never, now } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { claimSends } from "../../src/webhooks/claim.ts"
import { fanOutDue } from "../../src/webhooks/fan-out.ts"
import { ConfiguredWebhookTiming, defaultWebhookTiming } from "../../src/ports/webhook-timing.ts"
import { sendWebhook } from "../../src/webhooks/send.ts"
import {
  runWorkerPass,
  recordAttemptOnly,
  setDelivery,
  setSubscription,
  settleSend,
  storedOf,
  subscribeAsAgent,
  target,
  TestReceiver
} from "../support/webhooks.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { sendCommand, readProject, respondTo, startProject, submissionFor } from "../support/parties.ts"
import { at } from "../support/time.ts"
import { createdBody } from "../support/workspace.ts"

const capacity = { places: limits.webhookBatch, failing: limits.webhookBatch / 2 }

/** A subscription of the buyer's agent with one queued event. */
const queued = Effect.gen(function* () {
  const started = yield* startProject()
  const { buyerAgent, supplierAgent, projectId } = started
  const { subscription, secret } = yield* subscribeAsAgent(buyerAgent.token, [projectId])
  const view = yield* readProject(supplierAgent.token, projectId)
  createdBody(yield* sendCommand(supplierAgent.token, projectId, "respond", respondTo(view, started)))
  yield* fanOutDue()
  const [delivery] = (yield* storedOf(subscription.id)).deliveries
  return { ...started, token: buyerAgent.token, id: subscription.id, secret, deliveryId: delivery!.deliveryId }
})

const claimOne = Effect.map(claimSends(capacity), ({ sends: [send] }) => send!)

/** The only delivery of a subscription, with its attempts. */
const onlyDelivery = Effect.fnUntraced(function* (id: string) {
  const { deliveries, attempts, subscription } = yield* storedOf(id)
  assert.lengthOf(deliveries, 1)
  return { subscription, delivery: deliveries[0]!, attempts }
})

layer(memoryTestService, { excludeTestServices: true })("a send", (it) => {
  const faults: ReadonlyArray<WebhookFailureReason> = ["DNS_FAILURE", "DNS_REJECTED", "CONNECTION", "TLS"]
  it.effect.each(faults)("A send that fails with %s before the receiver is an attempt without a request.", (fault) =>
    Effect.gen(function* () {
      const { id } = yield* queued
      const failing = Layer.succeed(WebhookSender, {
        open: () => new WebhookFailure({ fault })
      })
      yield* runWorkerPass.pipe(Effect.provide(failing))
      const { delivery, attempts, subscription } = yield* onlyDelivery(id)
      assert.deepInclude(delivery, { state: "PENDING", scheduledAttempts: 1, totalAttempts: 1, leaseToken: "" })
      assert.deepInclude(delivery.lastAttempt, { outcome: fault, statusCode: null, envelopeDigest: null })
      assert.deepInclude(attempts[0], { attempt: 1, outcome: fault, envelopeDigest: "", timestamp: null })
      assert.lengthOf(attempts, 1)
      assert.deepStrictEqual([subscription.failures, subscription.flights], [1, []])
      assert.strictEqual(subscription.dueAt, delivery.dueAt)
    })
  )

  it.effect("A failure of this service's resolver is no attempt, and the send is retried after 15 seconds.", () =>
    Effect.gen(function* () {
      const { id } = yield* queued
      const start = addMilliseconds(yield* now, 1_000)
      const ours = Layer.succeed(WebhookSender, { open: () => new ResolverUnreachable({ reason: "no route" }) })
      yield* runWorkerPass.pipe(Effect.provide(ours), at(start))
      const { delivery, attempts, subscription } = yield* onlyDelivery(id)
      assert.isEmpty(attempts)
      assert.deepInclude(delivery, { state: "PENDING", totalAttempts: 0, leaseToken: "", lastAttempt: null })
      assert.strictEqual(delivery.dueAt, addMilliseconds(start, 15_000))
      assert.strictEqual(subscription.failures, 0)
    })
  )

  it.effect("A defect in this service is no attempt, and the send is retried.", () =>
    Effect.gen(function* () {
      const { id } = yield* queued
      const broken = Layer.succeed(WebhookSender, { open: () => Effect.die("a bug") })
      yield* runWorkerPass.pipe(Effect.provide(broken))
      assert.deepInclude((yield* onlyDelivery(id)).delivery, { state: "PENDING", totalAttempts: 0, leaseToken: "" })
    })
  )

  it.effect("A response after the deadline is one attempt with a timeout, at any point of the send.", () =>
    Effect.gen(function* () {
      const pace = { ...defaultWebhookTiming, timeout: 500 }
      const late = Effect.as(Effect.sleep(5_000), 204)
      const hanging = new TestReceiver()
      hanging.last = late
      const deaf = new TestReceiver()
      deaf.onOpen = Effect.asVoid(late)
      for (const [receiver, sent] of [
        [hanging, 1],
        [deaf, 0]
      ] as const) {
        const { id } = yield* queued
        yield* runWorkerPass.pipe(Effect.provide(receiver.layer), Effect.provideService(ConfiguredWebhookTiming, pace))
        const { delivery, attempts } = yield* onlyDelivery(id)
        assert.deepInclude(delivery, { state: "PENDING", scheduledAttempts: 1, totalAttempts: 1, leaseToken: "" })
        assert.strictEqual(delivery.lastAttempt?.outcome, "TIMEOUT")
        assert.deepStrictEqual(
          attempts.map(({ attempt, outcome, envelopeDigest }) => [attempt, outcome, envelopeDigest !== ""]),
          [[1, "TIMEOUT", sent === 1]]
        )
        assert.lengthOf(receiver.requestsOf(id), sent)
      }
    })
  )

  it.effect(
    "A send whose deadline passes while its attempt is being recorded makes no request, and no attempt is counted.",
    () =>
      Effect.gen(function* () {
        const { id } = yield* queued
        const receiver = new TestReceiver()
        const storage = yield* Storage
        let transactions = 0
        const slow = Storage.of({
          ...storage,
          transaction: <A, E, R>(plan: LockPlan, body: (transaction: Transaction) => Effect.Effect<A, E, R>) =>
            Effect.tap(storage.transaction(plan, body), () => (transactions++ === 0 ? Effect.sleep(700) : Effect.void))
        })
        const send = yield* claimOne
        yield* sendWebhook(send).pipe(
          Effect.provide(receiver.layer),
          Effect.provideService(Storage, slow),
          Effect.provideService(ConfiguredWebhookTiming, { ...defaultWebhookTiming, timeout: 500 })
        )
        const { delivery, attempts } = yield* onlyDelivery(id)
        assert.isEmpty(receiver.requestsOf(id))
        const uncounted = { scheduledAttempts: 0, totalAttempts: 0, lastAttempt: null }
        assert.deepInclude(delivery, { state: "PENDING", leaseToken: "", ...uncounted })
        assert.isEmpty(attempts)
      })
  )

  it.effect("An interrupted worker releases the send, and its attempt counts if it was recorded.", () =>
    Effect.gen(function* () {
      for (const isRecorded of [false, true]) {
        const { id } = yield* queued
        const receiver = new TestReceiver()
        const reached = yield* Deferred.make<void>()
        const hangs = Effect.andThen(Deferred.succeed(reached, undefined), Effect.never)
        if (isRecorded) receiver.last = hangs
        else receiver.onOpen = hangs
        const worker = yield* Effect.forkChild(runWorkerPass.pipe(Effect.provide(receiver.layer)))
        yield* Deferred.await(reached)
        yield* Fiber.interrupt(worker)
        const attempts = isRecorded ? 1 : 0
        const { delivery, subscription } = yield* onlyDelivery(id)
        assert.deepInclude(delivery, { state: "PENDING", totalAttempts: attempts, leaseToken: "" })
        assert.isEmpty(subscription.flights)
        const again = new TestReceiver()
        assert.strictEqual(yield* runWorkerPass.pipe(Effect.provide(again.layer)), 1)
        assert.deepInclude((yield* onlyDelivery(id)).delivery, { state: "DELIVERED", totalAttempts: attempts + 1 })
      }
    })
  )
})

layer(memoryTestService, { excludeTestServices: true })("a worker that dies after it recorded an attempt", (it) => {
  it.effect("The send of a dead worker is taken over when its lease expires, as the next attempt.", () =>
    Effect.gen(function* () {
      const { id } = yield* queued
      const start = yield* now
      const first = yield* claimOne
      assert.deepInclude(yield* recordAttemptOnly(first), { isRecorded: true, attempt: 1 })
      const receiver = new TestReceiver()
      const pass = runWorkerPass.pipe(Effect.provide(receiver.layer))
      assert.strictEqual(yield* pass.pipe(at(addMilliseconds(first.until, -1))), 0)
      const seen = (yield* onlyDelivery(id)).delivery
      assert.deepInclude(seen.lastAttempt, { outcome: null, statusCode: null, durationMs: null })
      assert.isTrue(start <= seen.lastAttempt!.at)
      assert.strictEqual(yield* pass.pipe(at(first.until)), 1)
      const { delivery, attempts } = yield* onlyDelivery(id)
      assert.deepInclude(delivery, { state: "DELIVERED", scheduledAttempts: 2, totalAttempts: 2 })
      assert.deepStrictEqual(
        attempts.map(({ attempt, outcome }) => [attempt, outcome]),
        [
          [1, null],
          [2, "ACKNOWLEDGED"]
        ]
      )
      // A late result of the worker that was presumed dead is fenced off.
      const late = {
        kind: "ATTEMPTED",
        at: start,
        durationMs: 1,
        outcome: "TIMEOUT",
        statusCode: null,
        recorded: 1
      } as const
      assert.deepStrictEqual(yield* settleSend(first, late), { isSettled: false, isExhausted: false })
      assert.deepStrictEqual(yield* onlyDelivery(id), { ...(yield* onlyDelivery(id)), delivery, attempts })
    })
  )

  it.effect("A worker that dies in the eighth attempt leaves the delivery exhausted.", () =>
    Effect.gen(function* () {
      const { id, deliveryId } = yield* queued
      yield* setDelivery(id, deliveryId, { scheduledAttempts: 7, totalAttempts: 7 })
      const last = yield* claimOne
      assert.deepInclude(yield* recordAttemptOnly(last), { isRecorded: true, attempt: 8 })
      assert.deepStrictEqual((yield* claimSends(capacity).pipe(at(addMilliseconds(last.until, -1)))).sends, [])
      assert.strictEqual((yield* onlyDelivery(id)).delivery.state, "PENDING")
      assert.deepStrictEqual((yield* claimSends(capacity).pipe(at(last.until))).sends, [])
      assert.deepInclude((yield* onlyDelivery(id)).delivery, { state: "EXHAUSTED", totalAttempts: 8, dueAt: never })
    })
  )

  it.effect("A dead worker takes a place of its subscription until its lease expires.", () =>
    Effect.gen(function* () {
      const started = yield* queued
      const { id, supplierAgent, projectId } = started
      const first = yield* claimOne
      // A failing subscription has one place: while the dead worker's lease lasts, nothing else is sent.
      yield* setSubscription(id, { failures: 3 })
      const body = submissionFor(yield* readProject(supplierAgent.token, projectId))
      createdBody(yield* sendCommand(supplierAgent.token, projectId, "submit", body))
      yield* fanOutDue()
      assert.isEmpty((yield* claimSends(capacity)).sends)
      assert.isEmpty((yield* claimSends(capacity).pipe(at(addMilliseconds(first.until, -1)))).sends)
      const { sends } = yield* claimSends(capacity).pipe(at(first.until))
      assert.lengthOf(sends, 1)
    })
  )
})

layer(memoryTestService, { excludeTestServices: true })("recording of an attempt", (it) => {
  it.effect("An attempt is not recorded after its lease or deadline has passed, or under another worker's lease.", () =>
    Effect.gen(function* () {
      const { id } = yield* queued
      const send = yield* claimOne
      const lost = { isRecorded: false, refusal: "LOST" } as const
      assert.deepStrictEqual(yield* recordAttemptOnly({ ...send, token: "another" }), lost)
      assert.deepStrictEqual(yield* recordAttemptOnly(send, never).pipe(at(send.until)), lost)
      const deadline = addMilliseconds(send.until, -20_000)
      const late = yield* recordAttemptOnly(send, deadline).pipe(at(deadline))
      assert.deepStrictEqual(late, { isRecorded: false, refusal: "TOO_LATE" })
      assert.isEmpty((yield* onlyDelivery(id)).attempts)
      const inTime = yield* recordAttemptOnly(send, deadline).pipe(at(addMilliseconds(deadline, -1)))
      assert.isTrue(inTime.isRecorded)
    })
  )
})

layer(memoryTestService, { excludeTestServices: true })("a pass that fails", (it) => {
  it.effect("The log of a failing pass contains neither the secret nor the target.", () =>
    Effect.gen(function* () {
      const { id, secret } = yield* queued
      const lines: Array<string> = []
      const hearing = Logger.layer([
        Logger.make((entry) => {
          lines.push(`${Logger.formatJson.log(entry)} ${Logger.formatLogFmt.log(entry)}`)
        })
      ])
      const start = yield* now
      const senders = [
        Layer.succeed(WebhookSender, { open: () => Effect.die(new Error("a bug")) }),
        Layer.succeed(WebhookSender, { open: () => new ResolverUnreachable({ reason: "no route" }) }),
        ...Array.from({ length: 8 }, () => {
          const receiver = new TestReceiver()
          receiver.last = 500
          return receiver.layer
        })
      ]
      for (const [index, sender] of senders.entries()) {
        const later = addMilliseconds(start, index * 3_600_000)
        yield* runWorkerPass.pipe(Effect.provide(sender), Effect.provide(hearing), at(later))
      }
      assert.strictEqual((yield* onlyDelivery(id)).delivery.state, "EXHAUSTED")
      const told = lines.join("\n")
      assert.include(told, "exhausted")
      assert.include(told, "no route")
      assert.include(told, "a bug")
      for (const canary of [secret, secret.slice(4), target, new URL(target).host]) assert.notInclude(told, canary)
    })
  )
})
