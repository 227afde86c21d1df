/** Endpoints of people's webhook operations: for their own subscriptions and those of their agents (4.6). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { StrictBody } from "../http/body.ts"
import { refuses } from "../http/refuses.ts"
import { OrganizationId } from "../people/wire.ts"
import { SessionAuthentication } from "../people/session-authentication.ts"
import {
  DeliveryPath,
  HistoryQuery,
  EmptyBody,
  subscriptionFields,
  SubscriptionPath,
  VerifiedProjectEvent,
  webhookChange,
  WebhookDelivery,
  WebhookDeliveryPage,
  WebhookResult,
  WebhookSubscription,
  WebhookVerify
} from "./wire.ts"
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

const summarized = (summary: string) => OpenApi.annotations({ summary })

const change = webhookChange("/project-webhooks")

export class OwnWebhooks extends HttpApiGroup.make("ownWebhooks", { topLevel: true })
  .add(
    HttpApiEndpoint.get("listOwnWebhooks", "/project-webhooks", {
      success: Schema.Struct({ subscriptions: Schema.Array(OwnWebhook) }).annotate({ identifier: "OwnWebhookList" })
    }).annotateMerge(summarized("List the subscriptions of the person and of every agent that acts for them")),
    HttpApiEndpoint.post("createOwnWebhook", "/project-webhooks", {
      payload: OwnWebhookCreate,
      success: WebhookResult.pipe(HttpApiSchema.status(201)),
      error: refuses(...checks.person, ...checks.requestId, "SUBSCRIPTION_LIMIT")
    }).annotateMerge(
      summarized("Subscribe to events of projects that the person is a party to; no test webhook is sent")
    ),
    change("pauseOwnWebhook", "pause", "Pause: keep pending deliveries, send nothing, queue no new events", [
      ...checks.person,
      "STATE_CONFLICT"
    ]),
    change("resumeOwnWebhook", "resume", "Resume: send pending deliveries and queue new events", [
      ...checks.person,
      "STATE_CONFLICT",
      "SUBSCRIPTION_LIMIT"
    ]),
    change("revokeOwnWebhook", "revoke", "Revoke permanently", [...checks.person, "STATE_CONFLICT"]),
    change(
      "rotateOwnWebhookSecret",
      "rotate-secret",
      "Replace the signing secret of the person's own subscription, effective immediately",
      [...checks.person, "STATE_CONFLICT"]
    ),
    HttpApiEndpoint.get("listOwnWebhookDeliveries", "/project-webhooks/:subscriptionId/deliveries", {
      params: SubscriptionPath,
      query: HistoryQuery,
      success: WebhookDeliveryPage,
      error: refuses(...checks.person, "WEBHOOK_CURSOR_INVALID", "WEBHOOK_CURSOR_RESET_REQUIRED")
    }).annotateMerge(summarized("Up to 100 deliveries after a checkpoint, in the order in which they were queued")),
    HttpApiEndpoint.post("redeliverOwnWebhook", "/project-webhooks/:subscriptionId/deliveries/:deliveryId/redeliver", {
      params: DeliveryPath,
      payload: EmptyBody,
      success: WebhookDelivery,
      error: refuses(...checks.person, "REDELIVERY_LIMIT", "STATE_CONFLICT")
    }).annotateMerge(summarized("Redeliver: up to eight more attempts of the same delivery")),
    HttpApiEndpoint.post("verifyOwnWebhook", "/project-webhooks/:subscriptionId/verify", {
      params: SubscriptionPath,
      payload: WebhookVerify,
      success: VerifiedProjectEvent,
      error: refuses(...checks.person, ...checks.webhookVerification)
    }).annotateMerge(
      summarized(
        "Verify that exactly this webhook was sent for the person's own subscription; returns the current next action"
      )
    )
  )
  .middleware(StrictBody)
  .middleware(SessionAuthentication)
  .prefix("/api/acceptance") {}
