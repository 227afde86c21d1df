/** HTTP handlers of people's webhook operations. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { asPerson, asPersonRequest } from "../../people/request.ts"
import type { Refusal } from "../../vocabulary/refusals.ts"
import { WorkspaceApi } from "../../api/people.ts"
import { pauseSubscription, resumeSubscription, revokeSubscription, rotateSecret } from "../../webhooks/change.ts"
import { createSubscriptionAsPerson } from "../../webhooks/create.ts"
import { readHistory } from "../../webhooks/history.ts"
import { listSubscriptionsForPerson } from "../../webhooks/list.ts"
import { redeliver } from "../../webhooks/redeliver.ts"
import { personCaller, type WebhookCaller } from "../../webhooks/subscriber.ts"
import { verifyWebhook } from "../../webhooks/verify.ts"
import { viewDelivery, viewHistory, viewOwnSubscription, viewResult, viewVerified } from "../../webhooks/view.ts"

export const ownWebhookHandlers = HttpApiBuilder.group(WorkspaceApi, "ownWebhooks", (handlers) =>
  handlers.handleAll({
    listOwnWebhooks: () =>
      asPerson((by) =>
        Effect.map(listSubscriptionsForPerson(by), ({ subscriptions, now }) => ({
          subscriptions: subscriptions.map((seen) => viewOwnSubscription(seen, now))
        }))
      ),
    createOwnWebhook: ({ payload }) =>
      asPersonRequest({ operation: "createOwnWebhook", requestId: payload.requestId }, (by, request) =>
        Effect.map(createSubscriptionAsPerson(by, request, payload), viewResult)
      ),
    pauseOwnWebhook: ({ params }) =>
      asWebhookCaller((by) => Effect.map(pauseSubscription(by, params.subscriptionId), viewResult)),
    resumeOwnWebhook: ({ params }) =>
      asWebhookCaller((by) => Effect.map(resumeSubscription(by, params.subscriptionId), viewResult)),
    revokeOwnWebhook: ({ params }) =>
      asWebhookCaller((by) => Effect.map(revokeSubscription(by, params.subscriptionId), viewResult)),
    rotateOwnWebhookSecret: ({ params }) =>
      asWebhookCaller((by) => Effect.map(rotateSecret(by, params.subscriptionId), viewResult)),
    listOwnWebhookDeliveries: ({ params, query }) =>
      asWebhookCaller((by) => Effect.map(readHistory(by, params.subscriptionId, query.after), viewHistory)),
    redeliverOwnWebhook: ({ params }) =>
      asWebhookCaller((by) =>
        Effect.map(redeliver(by, params.subscriptionId, params.deliveryId), ({ row, event, ...behind }) =>
          viewDelivery({ row, event }, behind)
        )
      ),
    verifyOwnWebhook: ({ params, payload }) =>
      asWebhookCaller((by) =>
        Effect.map(verifyWebhook(by, params.subscriptionId, payload), (verified) =>
          // Only agents save jobs.
          viewVerified({ ...verified, jobs: [] })
        )
      )
  })
)

const asWebhookCaller = <A, E extends Refusal, R>(operation: (by: WebhookCaller) => Effect.Effect<A, E, R>) =>
  asPerson((by) => operation(personCaller(by)))
