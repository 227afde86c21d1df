/** HTTP handlers of people's webhook operations. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { asPerson, asPersonRequest } from "../../people/request.ts"
import type { Refusal } from "../../vocabulary/refusals.ts"
import { webhookOperations } from "../webhooks.ts"
import { WorkspaceApi } from "../../api/people.ts"
import { createSubscriptionAsPerson } from "../../webhooks/create.ts"
import { listOwnSubscriptions } from "../../webhooks/list.ts"
import { personCaller, type WebhookCaller } from "../../webhooks/subscriber.ts"
import { viewOwnSubscription, viewResult } from "../../webhooks/view.ts"

export const ownWebhookHandlers = HttpApiBuilder.group(WorkspaceApi, "ownWebhooks", (handlers) =>
  handlers.handleAll({
    listOwnWebhooks: ({ query: { after } }) =>
      asPerson((by) =>
        Effect.map(listOwnSubscriptions(by, after), ({ items, next }) => ({
          subscriptions: items.map((seen) => viewOwnSubscription(seen, seen.now)),
          next
        }))
      ),
    createOwnWebhook: (sent) =>
      asPersonRequest(sent, (by, request) =>
        Effect.map(createSubscriptionAsPerson(by, request, sent.payload), viewResult)
      ),
    pauseOwnWebhook: run(webhookOperations.pause),
    resumeOwnWebhook: run(webhookOperations.resume),
    revokeOwnWebhook: run(webhookOperations.revoke),
    rotateOwnWebhookSecret: run(webhookOperations.rotateSecret),
    listOwnWebhookDeliveries: run(webhookOperations.listDeliveries),
    redeliverOwnWebhook: run(webhookOperations.redeliver),
    // Only agents save jobs.
    verifyOwnWebhook: run(webhookOperations.verify(() => Effect.succeed([])))
  })
)

const run =
  <Request, A, E extends Refusal, R>(operation: (by: WebhookCaller, sent: Request) => Effect.Effect<A, E, R>) =>
  (sent: Request) =>
    asPerson((by) => operation(personCaller(by), sent))
