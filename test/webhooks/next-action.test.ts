/** The next action of a webhook comes from the row of its project. */
import { assert, layer } from "@effect/vitest"
import { PgConnection } from "@effect/sql-pg"
import { Effect } from "effect"
import { Counted, countingService } from "../support/counting-service.ts"
import { readProject, respondTo, sendCommand, startProject } from "../support/parties.ts"
import { runWorkerPass, subscribeAsAgent, TestReceiver, verificationOf, changeWebhook } from "../support/webhooks.ts"
import { createdBody } from "../support/workspace.ts"

layer(countingService, { excludeTestServices: true })("the next action of a webhook", (it) => {
  it.effect("A webhook is sent and verified with the next action, and its project's history is not read.", () =>
    Effect.gen(function* () {
      const { connection } = yield* Counted
      const started = yield* startProject()
      const { supplierAgent, projectId } = started
      const { token } = supplierAgent
      const { subscription } = yield* subscribeAsAgent(token, [projectId])
      createdBody(
        yield* sendCommand(token, projectId, "respond", respondTo(yield* readProject(token, projectId), started))
      )
      const { nextAction } = (yield* readProject(token, projectId)).project
      const session = yield* PgConnection.make(connection)
      yield* session.query("delete from project_events")
      const receiver = new TestReceiver()
      assert.strictEqual(yield* runWorkerPass.pipe(Effect.provide(receiver.layer)), 1)
      const [received] = receiver.requestsOf(subscription.id)
      assert.deepStrictEqual(JSON.parse(received!.body).currentNextAction, nextAction)
      const verified = yield* changeWebhook(token, subscription.id, "verify", verificationOf(received!))
      assert.deepStrictEqual(createdBody(verified).currentNextAction, nextAction)
    }).pipe(Effect.scoped)
  )
})
