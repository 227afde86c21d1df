import { assert, layer } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { secretsFrom } from "../../src/adapters/secrets.ts"
import { Secrets } from "../../src/ports/secrets.ts"
import { runWorkerPass, readDeliveries, subscribeAsAgent, TestReceiver } from "../support/webhooks.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { sendCommand, readProject, respondTo, startProject } from "../support/parties.ts"

const key = (byte: number) => new Uint8Array(32).fill(byte)

layer(memoryTestService, { excludeTestServices: true })("a worker without the key of a subscription", (it) => {
  it.effect("A worker without the key of a subscription sends nothing, counts no attempt and logs a warning.", () =>
    Effect.gen(function* () {
      const receiver = new TestReceiver()
      const started = yield* startProject()
      const { buyerAgent, supplierAgent, projectId } = started
      const { subscription } = yield* subscribeAsAgent(buyerAgent.token, [projectId])
      const opened = yield* readProject(supplierAgent.token, projectId)
      yield* sendCommand(supplierAgent.token, projectId, "respond", respondTo(opened, started))
      const told: Array<string> = []
      const hearing = Logger.layer([Logger.make(({ message }) => void told.push(JSON.stringify(message)))])
      yield* runWorkerPass.pipe(
        Effect.provide(receiver.layer),
        Effect.provideService(Secrets, secretsFrom([key(1), key(2)])),
        Effect.provide(hearing)
      )
      assert.deepStrictEqual([receiver.opened, receiver.received], [[], []])
      const [delivery] = (yield* readDeliveries(buyerAgent.token, subscription.id)).body.deliveries
      assert.deepInclude(delivery, { state: "PENDING", scheduledAttempts: 0, totalAttempts: 0, lastAttempt: null })
      assert.strictEqual(told.length, 1)
      assert.include(told[0], "SECRET_KEY_PREVIOUS")
      assert.include(told[0], subscription.id)
    })
  )
})
