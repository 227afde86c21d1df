/** HTTP handlers of the agents' webhook operations. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Caller } from "../../access/authorize.ts"
import { requestOf } from "../../access/request.ts"
import { Api } from "../../api/agents.ts"
import { answer } from "../../http/answer.ts"
import type { Refusal } from "../../vocabulary/refusals.ts"
import { pauseSubscription, resumeSubscription, revokeSubscription, rotateSecret } from "../../webhooks/change.ts"
import { createSubscription } from "../../webhooks/create.ts"
import { readHistory } from "../../webhooks/history.ts"
import { listSubscriptions } from "../../webhooks/list.ts"
import { redeliver } from "../../webhooks/redeliver.ts"
import { agentCaller, agentSubscriber, type WebhookCaller as AsCaller } from "../../webhooks/subscriber.ts"
import { listCurrentJobs, verifyWebhook } from "../../webhooks/verify.ts"
import { viewDelivery, viewHistory, viewResult, viewSubscription, viewVerified } from "../../webhooks/view.ts"

export const webhookHandlers = HttpApiBuilder.group(Api, "webhooks", (handlers) =>
  handlers.handleAll({
    listWebhooks: () =>
      answer(
        Effect.map(listSubscriptions(), ({ rows, now }) => ({
          subscriptions: rows.map((row) => viewSubscription(row, now))
        }))
      ),
    createWebhook: ({ payload }) =>
      answer(
        Effect.gen(function* () {
          const request = yield* requestOf("createWebhook", [], payload.requestId)
          return viewResult(yield* createSubscription(agentSubscriber(yield* Caller), request, payload))
        })
      ),
    pauseWebhook: ({ params }) => asAgent((by) => Effect.map(pauseSubscription(by, params.subscriptionId), viewResult)),
    resumeWebhook: ({ params }) =>
      asAgent((by) => Effect.map(resumeSubscription(by, params.subscriptionId), viewResult)),
    revokeWebhook: ({ params }) =>
      asAgent((by) => Effect.map(revokeSubscription(by, params.subscriptionId), viewResult)),
    rotateWebhookSecret: ({ params }) =>
      asAgent((by) => Effect.map(rotateSecret(by, params.subscriptionId), viewResult)),
    listWebhookDeliveries: ({ params, query }) =>
      asAgent((by) => Effect.map(readHistory(by, params.subscriptionId, query.after), viewHistory)),
    redeliverWebhook: ({ params }) =>
      asAgent((by) =>
        Effect.map(redeliver(by, params.subscriptionId, params.deliveryId), ({ row, event, ...behind }) =>
          viewDelivery({ row, event }, behind)
        )
      ),
    verifyWebhook: ({ params, payload }) =>
      asAgent((by) =>
        Effect.gen(function* () {
          const verified = yield* verifyWebhook(by, params.subscriptionId, payload)
          return viewVerified({ ...verified, jobs: yield* listCurrentJobs(verified.projectId) })
        })
      )
  })
)

const asAgent = <A, R>(operation: (by: AsCaller) => Effect.Effect<A, Refusal, R>) =>
  answer(Effect.flatMap(Caller, (by) => operation(agentCaller(by))))
