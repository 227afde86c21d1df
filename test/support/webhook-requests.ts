/** One valid request of every webhook operation with a body; each subscription has one delivery. */
import { Effect } from "effect"
import { requestOf } from "./valid-request.ts"
import { runWorkerPass, subscribeAsAgent, subscriptionTo, TestReceiver } from "./webhooks.ts"
import { sendCommand, readProject, respondTo, startProject } from "./parties.ts"

/** The requests whose body has members. */
export const webhookRequests = Effect.gen(function* () {
  const { token, projectId, subscriptionId, received } = yield* delivered
  const { headers, body: rawBody } = received
  const signed = { timestamp: headers["service-timestamp"]!, signature: headers["service-signature"]!, rawBody }
  return [
    requestOf("createWebhook", { token, body: yield* subscriptionTo(projectId), status: 201 }),
    requestOf("verifyWebhook", { on: subscriptionId, token, body: signed })
  ]
})

/** The requests whose body is empty. */
export const emptyWebhookRequests = Effect.gen(function* () {
  const names = ["pauseWebhook", "resumeWebhook", "revokeWebhook", "rotateWebhookSecret"]
  const changes = yield* Effect.forEach(names, (operation) =>
    Effect.map(delivered, ({ token, subscriptionId }) => requestOf(operation, { on: subscriptionId, token, body: {} }))
  )
  const { token, subscriptionId, received } = yield* delivered
  const on = `${subscriptionId}/${received.headers["service-delivery-id"]}`
  return [...changes, requestOf("redeliverWebhook", { on, token, body: {} })]
})

/** A subscription with one delivered webhook. */
const delivered = Effect.gen(function* () {
  const receiver = new TestReceiver()
  const started = yield* startProject()
  const { buyerAgent, supplierAgent, projectId } = started
  const { subscription } = yield* subscribeAsAgent(buyerAgent.token, [projectId])
  const opened = yield* readProject(supplierAgent.token, projectId)
  yield* sendCommand(supplierAgent.token, projectId, "respond", respondTo(opened, started))
  yield* runWorkerPass.pipe(Effect.provide(receiver.layer))
  const [received] = receiver.requestsOf(subscription.id)
  return { token: buyerAgent.token, projectId, subscriptionId: subscription.id, received: received! }
})
