/** HTTP handlers of people's webhook operations. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answerPerson, answerRequest } from "../people/request.ts"
import type { SignedIn } from "../people/human.ts"
import type { Refused } from "../vocabulary/refusals.ts"
import { WorkspaceApi } from "../workspace-api.ts"
import { pauseSubscription, resumeSubscription, revokeSubscription, rotateSecret } from "./change.ts"
import { createSubscriptionAsPerson } from "./create.ts"
import { readHistory } from "./history.ts"
import { listSubscriptionsOf } from "./list.ts"
import { redeliver } from "./redeliver.ts"
import { personCaller, type Caller } from "./subscriber.ts"
import { verifyCallback } from "./verify.ts"
import { viewDelivery, viewHistory, viewOwnSubscription, viewResult, viewVerified } from "./view.ts"

export const ownWebhookHandlers = HttpApiBuilder.group(WorkspaceApi, "ownWebhooks", (handlers) =>
  handlers.handleAll({
    listOwnWebhooks: () =>
      answerPerson((by) =>
        Effect.map(listSubscriptionsOf(by), ({ subscriptions, now }) => ({
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
        Effect.map(verifyCallback(by, params.subscriptionId, payload), (verified) =>
          // Only agents save jobs.
          viewVerified({ ...verified, jobs: [] })
        )
      )
  })
)

const asPerson = <A, R>(operation: (by: Caller) => Effect.Effect<A, Refused, R>) =>
  answerPerson((by: SignedIn["Service"]) => operation(personCaller(by)))
