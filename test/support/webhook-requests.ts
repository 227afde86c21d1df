/** One valid request of every webhook operation with a body; each subscription has one delivery. */
import { Effect } from "effect"
import { runWorkerPass, subscribeAsAgent, subscriptionTo, TestReceiver } from "./webhooks.ts"
import { sendCommand, readProject, respondTo, startProject } from "./parties.ts"

const webhooks = "/api/agents/v1/webhooks"

/** The requests whose body has members. */
export const webhookRequests = Effect.gen(function* () {
  const { token, projectId, subscriptionId, received } = yield* delivered
  const { headers, body } = received
  return [
    {
      operation: "webhooks",
      path: webhooks,
      template: webhooks,
      token,
      body: yield* subscriptionTo(projectId),
      status: 201
    },
    {
      operation: "webhooks/verify",
      path: `${webhooks}/${subscriptionId}/verify`,
      template: `${webhooks}/{subscriptionId}/verify`,
      token,
      body: {
        timestamp: headers["service-timestamp"]!,
        signature: headers["service-signature"]!,
        rawBody: body
      },
      status: 200
    }
  ]
})

/** The requests whose body is empty. */
export const emptyWebhookRequests = Effect.gen(function* () {
  const changes = yield* Effect.forEach(["pause", "resume", "revoke", "rotate-secret"], (verb) =>
    Effect.map(delivered, ({ token, subscriptionId }) => ({
      operation: `webhooks/${verb}`,
      path: `${webhooks}/${subscriptionId}/${verb}`,
      template: `${webhooks}/{subscriptionId}/${verb}`,
      token,
      body: {},
      status: 200
    }))
  )
  const { token, subscriptionId, received } = yield* delivered
  return [
    ...changes,
    {
      operation: "webhooks/redeliver",
      path: `${webhooks}/${subscriptionId}/deliveries/${received.headers["service-delivery-id"]}/redeliver`,
      template: `${webhooks}/{subscriptionId}/deliveries/{deliveryId}/redeliver`,
      token,
      body: {},
      status: 200
    }
  ]
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
