import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { signatureOf } from "../../src/webhooks/signature.ts"
import { changeWebhook, runWorkerPass, readDeliveries, subscribeAsAgent, TestReceiver } from "../support/webhooks.ts"
import { sendCommand, readProject, respondTo, startProject } from "../support/parties.ts"
import { memoryTestService } from "../support/memory-service.ts"

layer(memoryTestService, { excludeTestServices: true })("a subscription and its receiver", (it) => {
  it.effect("A subscription receives a signed webhook for an event, and its history shows the delivery.", () =>
    Effect.gen(function* () {
      const receiver = new TestReceiver()
      const started = yield* startProject()
      const { buyerAgent, supplierAgent, projectId } = started
      const { subscription, secret } = yield* subscribeAsAgent(buyerAgent.token, [projectId])
      const opened = yield* readProject(supplierAgent.token, projectId)
      yield* sendCommand(supplierAgent.token, projectId, "respond", respondTo(opened, started))
      assert.strictEqual(yield* runWorkerPass.pipe(Effect.provide(receiver.layer)), 1)
      const [got] = receiver.received
      assert.strictEqual(
        got!.headers["service-signature"],
        signatureOf(secret, got!.headers["service-timestamp"]!, got!.body)
      )
      const { event, currentNextAction } = (({ currentNextAction, ...event }) => ({ event, currentNextAction }))(
        JSON.parse(got!.body)
      )
      assert.deepInclude(event, { type: "agreement.confirmed", state: "LOCKED", projectId, sequence: 2 })
      assert.deepInclude(currentNextAction, { party: "SUPPLIER", viewer: "WAITING", action: "SUBMIT" })
      const { body } = yield* readDeliveries(buyerAgent.token, subscription.id)
      assert.deepInclude(body.deliveries[0], {
        deliveryId: got!.headers["service-delivery-id"],
        event,
        state: "DELIVERED",
        scheduledAttempts: 1,
        totalAttempts: 1,
        nextAttemptAt: null
      })
      const verified = yield* changeWebhook(buyerAgent.token, subscription.id, "verify", {
        rawBody: got!.body,
        timestamp: got!.headers["service-timestamp"],
        signature: got!.headers["service-signature"]
      })
      assert.deepStrictEqual(verified.body, {
        verified: true,
        deliveryId: got!.headers["service-delivery-id"],
        event,
        currentNextAction,
        jobs: []
      })
    })
  )
})
