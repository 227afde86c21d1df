/** Endpoints of people's webhook operations: for their own subscriptions and those of their agents (4.6). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { StrictBody } from "../http/body.ts"
import { nextPage } from "../http/next-page.ts"
import { refuses } from "../http/refuses.ts"
import { titled } from "../http/titled.ts"
import { OrganizationId } from "../people/wire.ts"
import { SessionAuthentication } from "../people/session-authentication.ts"
import { subscriptionFields, SubscriptionPath, webhookEndpoints, WebhookResult, WebhookSubscription } from "./wire.ts"
import { limits } from "../vocabulary/limits.ts"
import * as checks from "../vocabulary/shared-checks.ts"

const OwnWebhookCreate = Schema.Struct({
  ...subscriptionFields,
  organizationId: Schema.optionalKey(OrganizationId).annotate({
    description: "Required if the person could represent several organizations on these projects."
  })
}).annotate({ identifier: "OwnWebhookCreate" })

/** A subscription in a person's list. */
export const OwnWebhook = Schema.Struct({
  ...WebhookSubscription.fields,
  agentName: Schema.NullOr(Schema.String).annotate({
    description:
      "The name of the agent that subscribed, as its authorizer wrote it; null for a subscription of the person."
  }),
  exhausted: Schema.Int.annotate({
    description: "Webhooks that failed on every attempt; their owner can redeliver them."
  })
}).annotate({ identifier: "OwnWebhook" })

export class OwnWebhooks extends HttpApiGroup.make("ownWebhooks", { topLevel: true })
  .add(
    HttpApiEndpoint.get("listOwnWebhooks", "/project-webhooks", {
      query: { after: Schema.optionalKey(SubscriptionPath.subscriptionId) },
      success: Schema.Struct({ subscriptions: Schema.Array(OwnWebhook), next: nextPage }).annotate({
        identifier: "OwnWebhookList"
      })
    }).annotateMerge(
      titled(
        `List the subscriptions of the person and of every agent that acts for them, newest first, ${limits.entriesListed} on a page`
      )
    ),
    HttpApiEndpoint.post("createOwnWebhook", "/project-webhooks", {
      payload: OwnWebhookCreate,
      success: WebhookResult.pipe(HttpApiSchema.status(201)),
      error: refuses(...checks.person, ...checks.requestId, ...checks.activeSubscriptions)
    }).annotateMerge(titled("Subscribe to events of projects that the person is a party to; no test webhook is sent")),
    ...webhookEndpoints({
      path: "/project-webhooks",
      own: "Own",
      summaries: {
        rotateSecret: "Replace the signing secret of the person's own subscription, effective immediately",
        verify:
          "Verify that exactly this webhook was sent for the person's own subscription; returns the current next action"
      },
      refusals: checks.person,
      projectRefusals: []
    })
  )
  .middleware(StrictBody)
  .middleware(SessionAuthentication)
  .prefix("/api/acceptance") {}
