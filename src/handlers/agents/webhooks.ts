/** HTTP handlers of the agents' webhook operations. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Caller } from "../../access/authorize.ts"
import { asAgent, asAgentRequest } from "../../access/request.ts"
import { Api } from "../../api/agents.ts"
import type { Refusal } from "../../vocabulary/refusals.ts"
import { pauseSubscription, resumeSubscription, revokeSubscription, rotateSecret } from "../../webhooks/change.ts"
import { createSubscription } from "../../webhooks/create.ts"
import { readHistory } from "../../webhooks/history.ts"
import { listSubscriptions } from "../../webhooks/list.ts"
import { redeliver } from "../../webhooks/redeliver.ts"
import { agentCaller, agentSubscriber, type WebhookCaller } from "../../webhooks/subscriber.ts"
import { listCurrentJobs, verifyWebhook } from "../../webhooks/verify.ts"
import { viewDelivery, viewHistory, viewResult, viewSubscription, viewVerified } from "../../webhooks/view.ts"

export const webhookHandlers = HttpApiBuilder.group(Api, "webhooks", (handlers) =>
  handlers.handleAll({
    listWebhooks: () =>
      Effect.map(listSubscriptions(), ({ rows, now }) => ({
        subscriptions: rows.map((row) => viewSubscription(row, now))
      })),
    createWebhook: ({ payload }) =>
      asAgentRequest({ operation: "createWebhook", requestId: payload.requestId }, (request) =>
        Effect.flatMap(Caller, (by) =>
          Effect.map(createSubscription(agentSubscriber(by), request, payload), viewResult)
        )
      ),
    pauseWebhook: ({ params }) =>
      asWebhookCaller((by) => Effect.map(pauseSubscription(by, params.subscriptionId), viewResult)),
    resumeWebhook: ({ params }) =>
      asWebhookCaller((by) => Effect.map(resumeSubscription(by, params.subscriptionId), viewResult)),
    revokeWebhook: ({ params }) =>
      asWebhookCaller((by) => Effect.map(revokeSubscription(by, params.subscriptionId), viewResult)),
    rotateWebhookSecret: ({ params }) =>
      asWebhookCaller((by) => Effect.map(rotateSecret(by, params.subscriptionId), viewResult)),
    listWebhookDeliveries: ({ params, query }) =>
      asWebhookCaller((by) => Effect.map(readHistory(by, params.subscriptionId, query.after), viewHistory)),
    redeliverWebhook: ({ params }) =>
      asWebhookCaller((by) =>
        Effect.map(redeliver(by, params.subscriptionId, params.deliveryId), ({ row, event, ...behind }) =>
          viewDelivery({ row, event }, behind)
        )
      ),
    verifyWebhook: ({ params, payload }) =>
      asWebhookCaller((by) =>
        Effect.gen(function* () {
          const verified = yield* verifyWebhook(by, params.subscriptionId, payload)
          return viewVerified({ ...verified, jobs: yield* listCurrentJobs(verified.projectId) })
        })
      )
  })
)

const asWebhookCaller = <A, E extends Refusal, R>(operation: (by: WebhookCaller) => Effect.Effect<A, E, R>) =>
  asAgent(Effect.flatMap(Caller, (by) => operation(agentCaller(by))))
