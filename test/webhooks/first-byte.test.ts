/** Stops between the open connection of a webhook and its first byte. */
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { revokeGrant } from "../../src/access/grants.ts"
import { endMembership } from "../../src/people/memberships.ts"
import { Memberships } from "../../src/people/store.ts"
import type { Signer } from "../../src/ports/signer.ts"
import { exclusive, Storage } from "../../src/ports/storage.ts"
import { WebhookSender } from "../../src/ports/webhook-sender.ts"
import type { HttpApp } from "../../src/service.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import type { Refusal } from "../../src/vocabulary/refusals.ts"
import type { DeliveryState } from "../../src/webhooks/delivery.ts"
import { sendWebhook } from "../../src/webhooks/send.ts"
import { signatureOf } from "../../src/webhooks/signature.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { claimDue, projectWithDeliveries, withTransactions } from "../support/queued-deliveries.ts"
import { at } from "../support/time.ts"
import {
  changeWebhook,
  removeFromScope,
  runWorkerPass,
  setDelivery,
  storedOf,
  TestReceiver,
  type ReceivedWebhook
} from "../support/webhooks.ts"

type World = Effect.Success<ReturnType<typeof projectWithDeliveries>>
type Environment = HttpApp | Storage | Signer
type Act = (world: World) => Effect.Effect<unknown, Refusal, Environment>

/** Sends the only delivery, and acts at one moment of it. */
type SendWith = (world: World, receiver: TestReceiver, act: Act) => Effect.Effect<void, never, any>

const acting = (world: World, act: Act) =>
  Effect.map(Effect.context<Environment>(), (context) =>
    act(world).pipe(Effect.asVoid, Effect.orDie, Effect.provideContext(context))
  )

const sendOnce = (receiver: TestReceiver) =>
  Effect.flatMap(claimDue(), ([send]) => sendWebhook(send!)).pipe(Effect.provide(receiver.layer))

const moments: ReadonlyArray<readonly [moment: string, send: SendWith]> = [
  [
    "before its attempt is recorded",
    Effect.fnUntraced(function* (world, receiver, act) {
      receiver.onOpen = yield* acting(world, act)
      yield* sendOnce(receiver)
      receiver.onOpen = Effect.void
    })
  ],
  [
    "after its attempt is recorded",
    Effect.fnUntraced(function* (world, receiver, act) {
      const [send] = yield* claimDue()
      const acted = yield* acting(world, act)
      let transactions = 0
      const storage = yield* withTransactions((_, run) =>
        Effect.tap(run, () => (transactions++ === 0 ? acted : Effect.void))
      )
      yield* sendWebhook(send!).pipe(Effect.provide(receiver.layer), Effect.provideService(Storage, storage))
    })
  ]
]

/** Stops, and what they leave of the delivery. */
const stops: ReadonlyArray<readonly [name: string, act: Act, state: DeliveryState, outcome: string | null]> = [
  ["the subscription is paused", ({ token, id }) => changeWebhook(token, id, "pause"), "PENDING", null],
  ["the subscription is revoked", ({ token, id }) => changeWebhook(token, id, "revoke"), "PENDING", null],
  ["the grant is revoked", ({ buyerAgent }) => revokeGrant("OPERATOR", buyerAgent), "CANCELLED", "AUTHORITY_ENDED"],
  ["the membership ends", ({ buyer }) => endMembership("OPERATOR", buyer), "CANCELLED", "AUTHORITY_ENDED"],
  [
    "the person loses the right to delegate",
    ({ buyer: { membershipId } }) =>
      Effect.flatMap(Storage, (storage) =>
        storage.transaction({ locks: [exclusive("membership", membershipId)] }, (transaction) =>
          transaction.update(Memberships, [membershipId], { authorities: ["DELIVERY_REVIEW"] })
        )
      ),
    "CANCELLED",
    "AUTHORITY_ENDED"
  ],
  [
    "the project leaves the scope",
    ({ buyerAgent, projectId }) => removeFromScope(buyerAgent.grantId, projectId),
    "CANCELLED",
    "AUTHORITY_ENDED"
  ]
]

layer(memoryTestService, { excludeTestServices: true })("stops between connection and first byte", (it) => {
  for (const [moment, send] of moments) {
    it.effect.each(stops)(`Nothing is sent and no attempt counts if, ${moment}, %s.`, ([, act, state, outcome]) =>
      Effect.gen(function* () {
        const world = yield* projectWithDeliveries()
        const receiver = new TestReceiver()
        yield* send(world, receiver, act)
        assert.deepStrictEqual([receiver.opened.length, receiver.received.length], [1, 0])
        const { deliveries, attempts } = yield* storedOf(world.id)
        assert.isEmpty(attempts)
        assert.deepInclude(deliveries[0], { state, scheduledAttempts: 0, totalAttempts: 0, leaseToken: "" })
        assert.strictEqual(deliveries[0]!.lastAttempt?.outcome ?? null, outcome)
        // Nor is anything sent at any later time.
        for (const hours of [1, 12, 25]) {
          const later = addMilliseconds(yield* now, hours * 3_600_000)
          yield* runWorkerPass.pipe(Effect.provide(receiver.layer), at(later))
        }
        assert.isEmpty(receiver.requestsOf(world.id))
      })
    )

    it.effect(`A webhook held back by a pause ${moment} is sent as soon as its subscription is resumed.`, () =>
      Effect.gen(function* () {
        const world = yield* projectWithDeliveries()
        const { token, id } = world
        const { deliveries } = yield* storedOf(id)
        // The last attempt that is allowed is not lost.
        yield* setDelivery(id, deliveries[0]!.deliveryId, { scheduledAttempts: 7 })
        const receiver = new TestReceiver()
        yield* send(world, receiver, () => changeWebhook(token, id, "pause"))
        assert.isEmpty(receiver.received)
        yield* changeWebhook(token, id, "resume")
        yield* runWorkerPass.pipe(Effect.provide(receiver.layer))
        assert.lengthOf(receiver.requestsOf(id), 1)
        assert.deepInclude((yield* storedOf(id)).deliveries[0], { state: "DELIVERED", totalAttempts: 1 })
      })
    )

    it.effect(`A secret that is rotated ${moment} signs the webhook.`, () =>
      Effect.gen(function* () {
        const world = yield* projectWithDeliveries()
        const receiver = new TestReceiver()
        let secret = ""
        yield* send(world, receiver, ({ token, id }) =>
          Effect.map(changeWebhook(token, id, "rotate-secret"), ({ body }) => void (secret = body.secret))
        )
        const [{ headers, body }] = receiver.requestsOf(world.id) as [ReceivedWebhook]
        assert.strictEqual(headers["service-signature"], signatureOf(secret, headers["service-timestamp"]!, body))
        assert.deepInclude((yield* storedOf(world.id)).deliveries[0], { state: "DELIVERED", totalAttempts: 1 })
      })
    )
  }

  it.effect.each(stops)("It is not acknowledged while a first byte is written, and after that: %s.", ([, act]) =>
    Effect.gen(function* () {
      const world = yield* projectWithDeliveries()
      const [writing, written] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const slow = Layer.succeed(WebhookSender, {
        open: () =>
          Effect.succeed({
            send: () =>
              Effect.as(
                Effect.andThen(Deferred.succeed(writing, undefined), Deferred.await(written)),
                Effect.succeed({ statusCode: 204 })
              )
          })
      })
      const [send] = yield* claimDue()
      const sending = yield* Effect.forkChild(sendWebhook(send!).pipe(Effect.provide(slow)))
      yield* Deferred.await(writing)
      const stopping = yield* Effect.forkChild(act(world))
      for (let turn = 0; turn < 100; turn++) yield* Effect.yieldNow
      assert.isUndefined(stopping.pollUnsafe())
      yield* Deferred.succeed(written, undefined)
      yield* Fiber.join(stopping)
      yield* Fiber.join(sending)
      const { deliveries } = yield* storedOf(world.id)
      assert.strictEqual(deliveries[0]!.totalAttempts, 1)
    })
  )
})
