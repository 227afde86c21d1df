/** What people do about callbacks: for themselves, and for what their agents subscribed to (4.6). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { StrictBody } from "../http/body.ts"
import { OrganizationId } from "../people/human-wire.ts"
import { HumanSession } from "../people/session.ts"
import {
  DeliveryPath,
  HistoryQuery,
  Nothing,
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

const OwnWebhookCreate = Schema.Struct({
  ...subscriptionFields,
  organizationId: Schema.optionalKey(OrganizationId).annotate({
    description: "Needed where the person could stand on the projects for several organizations."
  })
}).annotate({ identifier: "OwnWebhookCreate" })

/** A subscription in a person's list. */
export const OwnWebhook = Schema.Struct({
  ...WebhookSubscription.fields,
  agentName: Schema.NullOr(Schema.String).annotate({
    description: "The agent that subscribed, in the words of whoever named it; null for the person's own."
  }),
  exhausted: Schema.Int.annotate({
    description: "Callbacks that failed as often as they are tried, and wait for somebody to redeliver them."
  })
}).annotate({ identifier: "OwnWebhook" })

const titled = (summary: string) => OpenApi.annotations({ summary })

const change = webhookChange("/project-webhooks")

export class OwnWebhooks extends HttpApiGroup.make("ownWebhooks", { topLevel: true })
  .add(
    HttpApiEndpoint.get("listOwnWebhooks", "/project-webhooks", {
      success: Schema.Struct({ subscriptions: Schema.Array(OwnWebhook) }).annotate({ identifier: "OwnWebhookList" })
    }).annotateMerge(titled("The person's own subscriptions, and those of every agent that acts for them")),
    HttpApiEndpoint.post("createOwnWebhook", "/project-webhooks", {
      payload: OwnWebhookCreate,
      success: WebhookResult.pipe(HttpApiSchema.status(201))
    }).annotateMerge(titled("Subscribe to events of projects that the person stands on; nothing is sent to try it")),
    change("pauseOwnWebhook", "pause", "Keep what is pending, send nothing, queue nothing new"),
    change("resumeOwnWebhook", "resume", "Send what is pending, and queue again from now on"),
    change("revokeOwnWebhook", "revoke", "End it for good"),
    change("rotateOwnWebhookSecret", "rotate-secret", "Sign the person's own with another secret from now on"),
    HttpApiEndpoint.get("listOwnWebhookDeliveries", "/project-webhooks/:subscriptionId/deliveries", {
      params: SubscriptionPath,
      query: HistoryQuery,
      success: WebhookDeliveryPage
    }).annotateMerge(titled("Up to 100 deliveries behind a checkpoint, in the order in which they were queued")),
    HttpApiEndpoint.post("redeliverOwnWebhook", "/project-webhooks/:subscriptionId/deliveries/:deliveryId/redeliver", {
      params: DeliveryPath,
      payload: Nothing,
      success: WebhookDelivery
    }).annotateMerge(titled("Try the same delivery again, up to eight more times")),
    HttpApiEndpoint.post("verifyOwnWebhook", "/project-webhooks/:subscriptionId/verify", {
      params: SubscriptionPath,
      payload: WebhookVerify,
      success: VerifiedProjectEvent
    }).annotateMerge(titled("Whether exactly this callback was sent for the person's own, and what is so now"))
  )
  .middleware(StrictBody)
  .middleware(HumanSession)
  .prefix("/api/acceptance") {}
