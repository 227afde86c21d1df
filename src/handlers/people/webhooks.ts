/** HTTP handlers of people's webhook operations. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answerPerson, answerRequest } from "../../people/request.ts"
import type { SignedInPerson } from "../../people/acting-person.ts"
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
      answerPerson((by) =>
        Effect.map(listSubscriptionsForPerson(by), ({ subscriptions, now }) => ({
          subscriptions: subscriptions.map((seen) => viewOwnSubscription(seen, now))
        }))
      ),
    createOwnWebhook: ({ payload }) =>
      answerRequest({ operation: "createOwnWebhook", requestId: payload.requestId }, (by, request) =>
        Effect.map(createSubscriptionAsPerson(by, request, payload), viewResult)
      ),
    pauseOwnWebhook: ({ params }) =>
      asPerson((by) => Effect.map(pauseSubscription(by, params.subscriptionId), viewResult)),
    resumeOwnWebhook: ({ params }) =>
      asPerson((by) => Effect.map(resumeSubscription(by, params.subscriptionId), viewResult)),
    revokeOwnWebhook: ({ params }) =>
      asPerson((by) => Effect.map(revokeSubscription(by, params.subscriptionId), viewResult)),
    rotateOwnWebhookSecret: ({ params }) =>
      asPerson((by) => Effect.map(rotateSecret(by, params.subscriptionId), viewResult)),
    listOwnWebhookDeliveries: ({ params, query }) =>
      asPerson((by) => Effect.map(readHistory(by, params.subscriptionId, query.after), viewHistory)),
    redeliverOwnWebhook: ({ params }) =>
      asPerson((by) =>
        Effect.map(redeliver(by, params.subscriptionId, params.deliveryId), ({ row, event, ...behind }) =>
          viewDelivery({ row, event }, behind)
        )
      ),
    verifyOwnWebhook: ({ params, payload }) =>
      asPerson((by) =>
        Effect.map(verifyWebhook(by, params.subscriptionId, payload), (verified) =>
          // Only agents save jobs.
          viewVerified({ ...verified, jobs: [] })
        )
      )
  })
)

const asPerson = <A, R>(operation: (by: WebhookCaller) => Effect.Effect<A, Refusal, R>) =>
  answerPerson((by: SignedInPerson["Service"]) => operation(personCaller(by)))
