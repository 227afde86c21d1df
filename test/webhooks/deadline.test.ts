/** The deadline of a send: it starts before connecting, ends with the lease, and excludes internal waiting. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Storage } from "../../src/ports/storage.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { fanOutDue } from "../../src/webhooks/fan-out.ts"
import { ConfiguredWebhookTiming, defaultWebhookTiming } from "../../src/ports/webhook-timing.ts"
import { sendWebhook } from "../../src/webhooks/send.ts"
import { storedOf, TestReceiver } from "../support/webhooks.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { acceptTerms, pairWithTerms, subscribeAsPerson } from "../support/person-webhooks.ts"
import { claimDue, holdProject, projectWithDeliveries } from "../support/queued-deliveries.ts"

/** The specified pace with another timeout. */
const withTimeout = (timeout: number) =>
  Effect.provideService(ConfiguredWebhookTiming, { ...defaultWebhookTiming, timeout, backoff: 77_000 })

layer(memoryTestService, { excludeTestServices: true })("the deadline of a send", (it) => {
  it.effect(
    "A project lock held past the deadline is an internal failure: no attempt is counted, and the send is retried after the backoff.",
    () =>
      Effect.gen(function* () {
        const { buyer, supplier, projectId } = yield* pairWithTerms
        const { id } = yield* subscribeAsPerson(buyer, [projectId])
        yield* acceptTerms(supplier, projectId)
        yield* fanOutDue()
        const receiver = new TestReceiver()
        const [send] = yield* claimDue()
        const began = yield* now
        yield* Effect.scoped(
          Effect.andThen(
            holdProject(projectId),
            sendWebhook(send!).pipe(Effect.provide(receiver.layer), withTimeout(300))
          )
        )
        const { subscription, deliveries, attempts } = yield* storedOf(id)
        assert.lengthOf(receiver.opened, 1)
        assert.isEmpty(receiver.received)
        assert.isEmpty(attempts)
        assert.strictEqual(subscription.failures, 0)
        const [delivery] = deliveries
        assert.deepInclude(delivery, { state: "PENDING", totalAttempts: 0, lastAttempt: null, leaseToken: "" })
        const ended = yield* now
        assert.isTrue(
          addMilliseconds(began, 77_000) <= delivery!.dueAt && delivery!.dueAt <= addMilliseconds(ended, 77_000)
        )
      })
  )

  it.effect("Time spent reading the delivery does not count towards the deadline.", () =>
    Effect.gen(function* () {
      const { id } = yield* projectWithDeliveries()
      const receiver = new TestReceiver()
      const [send] = yield* claimDue()
      const storage = yield* Storage
      let views = 0
      const view: Storage["Service"]["view"] = (body) =>
        Effect.andThen(views++ === 0 ? Effect.sleep(700) : Effect.void, storage.view(body))
      yield* sendWebhook(send!).pipe(
        Effect.provide(receiver.layer),
        Effect.provideService(Storage, Storage.of({ ...storage, view })),
        withTimeout(400)
      )
      const { subscription, deliveries, attempts } = yield* storedOf(id)
      assert.deepStrictEqual(
        attempts.map(({ outcome }) => outcome),
        ["ACKNOWLEDGED"]
      )
      assert.deepInclude(deliveries[0], { state: "DELIVERED", totalAttempts: 1 })
      assert.strictEqual(subscription.failures, 0)
    })
  )

  it.effect("The deadline is at most the end of the lease, for any timeout.", () =>
    Effect.gen(function* () {
      const { id } = yield* projectWithDeliveries()
      const receiver = new TestReceiver()
      receiver.last = Effect.never
      const [send] = yield* claimDue()
      const until = addMilliseconds(yield* now, 500)
      yield* sendWebhook({ ...send!, until }).pipe(
        Effect.provide(receiver.layer),
        withTimeout(60_000),
        // A longer send is released, without an attempt recorded as timed out.
        Effect.timeoutOption(4_000)
      )
      const { deliveries } = yield* storedOf(id)
      assert.lengthOf(receiver.requestsOf(id), 1)
      assert.deepInclude(deliveries[0], { state: "PENDING", totalAttempts: 1 })
      assert.strictEqual(deliveries[0]!.lastAttempt?.outcome, "TIMEOUT")
    })
  )
})
