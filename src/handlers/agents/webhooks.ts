/** HTTP handlers of the agents' webhook operations. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Caller } from "../../access/authorize.ts"
import { asAgent, asAgentRequest } from "../../access/request.ts"
import { webhookOperations } from "../webhooks.ts"
import { Api } from "../../api/agents.ts"
import type { Refusal } from "../../vocabulary/refusals.ts"
import { createSubscription } from "../../webhooks/create.ts"
import { listSubscriptions } from "../../webhooks/list.ts"
import { agentCaller, agentSubscriber, type WebhookCaller } from "../../webhooks/subscriber.ts"
import { listCurrentJobs } from "../../webhooks/verify.ts"
import { viewResult, viewSubscription } from "../../webhooks/view.ts"

export const webhookHandlers = HttpApiBuilder.group(Api, "webhooks", (handlers) =>
  handlers.handleAll({
    listWebhooks: () =>
      Effect.map(listSubscriptions(), ({ rows, now }) => ({
        subscriptions: rows.map((row) => viewSubscription(row, now))
      })),
    createWebhook: (sent) =>
      asAgentRequest(sent, (request) =>
        Effect.flatMap(Caller, (by) =>
          Effect.map(createSubscription(agentSubscriber(by), request, sent.payload), viewResult)
        )
      ),
    pauseWebhook: run(webhookOperations.pause),
    resumeWebhook: run(webhookOperations.resume),
    revokeWebhook: run(webhookOperations.revoke),
    rotateWebhookSecret: run(webhookOperations.rotateSecret),
    listWebhookDeliveries: run(webhookOperations.listDeliveries),
    redeliverWebhook: run(webhookOperations.redeliver),
    verifyWebhook: run(webhookOperations.verify(listCurrentJobs))
  })
)

const run =
  <Request, A, E extends Refusal, R>(operation: (by: WebhookCaller, sent: Request) => Effect.Effect<A, E, R>) =>
  (sent: Request) =>
    asAgent(Effect.flatMap(Caller, (by) => operation(agentCaller(by), sent)))
