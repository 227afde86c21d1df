/** Endpoints and schemas of the agents' webhook operations (4.6). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { forAgents } from "../access/bearer.ts"
import { EmptyBody } from "../http/body.ts"
import { refuses } from "../http/refuses.ts"
import { titled } from "../http/titled.ts"
import { AutomationJobStatus } from "../jobs/wire.ts"
import { ProjectView } from "../projects/output.ts"
import { states } from "../projects/project.ts"
import { ProjectPath } from "../projects/answer.ts"
import { eventTypes } from "../vocabulary/event-types.ts"
import { UuidV4 } from "../vocabulary/ids.ts"
import { Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import type { RefusalCode } from "../vocabulary/refusal-rules.ts"
import * as checks from "../vocabulary/shared-checks.ts"
import { deliveryStates, outcomes } from "./delivery.ts"
import { isSubscriptionId, subscriptionStates } from "./subscription.ts"

const EventType = Schema.Literals(eventTypes)

const uniqueItems = <S extends Schema.Constraint>(item: S, most: number) =>
  Schema.Array(item).check(
    Schema.isMinLength(1),
    Schema.isMaxLength(most),
    Schema.makeFilter((items: ReadonlyArray<unknown>) => new Set(items).size === items.length || "names one twice")
  )

/** The fields of a creation request, shared by agents and people. */
export const subscriptionFields = {
  requestId: UuidV4,
  target: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(limits.targetCharacters)).annotate({
    description: "An HTTPS URL with a host name, on port 443."
  }),
  projectIds: uniqueItems(ProjectPath.id, limits.projectsPerSubscription),
  eventTypes: uniqueItems(EventType, eventTypes.length),
  expiresAt: Instant.annotate({ description: "Within 30 days." }),
  // A bare literal would tag the whole body, and a wrong value would be reported without its path.
  confirmed: Schema.Literals([true])
}

export const WebhookCreate = Schema.Struct(subscriptionFields).annotate({ identifier: "WebhookCreate" })

export const WebhookSubscription = Schema.Struct({
  id: Schema.String,
  target: Schema.String,
  projectIds: Schema.Array(Schema.String),
  eventTypes: Schema.Array(EventType),
  state: Schema.Literals(subscriptionStates),
  createdAt: Instant,
  expiresAt: Instant,
  secretVersion: Schema.Int
}).annotate({ identifier: "WebhookSubscription" })

export const WebhookResult = Schema.Struct({
  subscription: WebhookSubscription,
  secret: Schema.optionalKey(Schema.String).annotate({
    description: "The secret that signs webhooks; its text is the HMAC key. Returned in this response only."
  }),
  replayed: Schema.optionalKey(Schema.Literal(true))
}).annotate({ identifier: "WebhookResult" })

export const WebhookEvent = Schema.Struct({
  type: EventType,
  id: Schema.String,
  projectId: Schema.String,
  sequence: Schema.Int,
  agreementVersion: Schema.Int,
  agreementDigest: Schema.String,
  headEventHash: Schema.String,
  submissionId: Schema.NullOr(Schema.String),
  reviewId: Schema.NullOr(Schema.String),
  state: Schema.Literals(states),
  occurredAt: Instant
}).annotate({ identifier: "WebhookEvent" })

export const WebhookDelivery = Schema.Struct({
  deliveryId: Schema.String,
  event: WebhookEvent,
  eventType: EventType,
  state: Schema.Literals(deliveryStates),
  scheduledAttempts: Schema.Int,
  totalAttempts: Schema.Int,
  nextAttemptAt: Schema.NullOr(Instant),
  lastAttempt: Schema.NullOr(
    Schema.Struct({
      at: Instant,
      outcome: Schema.NullOr(Schema.Literals(outcomes)).annotate({
        description: "Null while the attempt is in progress, and if its worker stopped before it ended."
      }),
      statusCode: Schema.NullOr(Schema.Int),
      durationMs: Schema.NullOr(Schema.Int),
      envelopeDigest: Schema.NullOr(Schema.String)
    })
  ),
  held: Schema.optionalKey(Schema.Literal(true)).annotate({
    description: "The grant has expired: nothing is sent until it is renewed."
  })
}).annotate({ identifier: "WebhookDelivery" })

export const WebhookDeliveryPage = Schema.Struct({
  deliveries: Schema.Array(WebhookDelivery),
  next: Schema.NullOr(Schema.String),
  checkpoint: Schema.String
}).annotate({ identifier: "WebhookDeliveries" })

/** The header values and the body as received, before parsing. */
export const WebhookVerify = Schema.Struct({
  rawBody: Schema.String,
  timestamp: Schema.String,
  signature: Schema.String
}).annotate({ identifier: "WebhookVerify" })

export const VerifiedProjectEvent = Schema.Struct({
  verified: Schema.Literal(true),
  deliveryId: Schema.String,
  event: WebhookEvent,
  currentNextAction: ProjectView.fields.project.fields.nextAction,
  jobs: Schema.Array(AutomationJobStatus)
}).annotate({ identifier: "VerifiedProjectEvent" })

const pathText = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(limits.pathParameterCharacters))

/** A path parameter that is no subscription id is answered with 404. */
export const SubscriptionPath = { subscriptionId: pathText.check(Schema.makeFilter(isSubscriptionId)) }
const DeliveryPath = { ...SubscriptionPath, deliveryId: pathText }
/** Any text is accepted here; `history.ts` refuses unknown checkpoints. */
export const HistoryQuery = { after: Schema.optionalKey(Schema.String) }

/** The operations that agents and people share, below the path of a caller's list; `own` is in the names of people's. */
export const webhookEndpoints = <
  const Path extends `/${string}`,
  const Own extends "" | "Own",
  const Common extends ReadonlyArray<RefusalCode>,
  const OnProject extends ReadonlyArray<RefusalCode>
>({
  path,
  own,
  summaries,
  refusals,
  projectRefusals
}: {
  readonly path: Path
  readonly own: Own
  /** Those of the operations that people have on their own subscriptions alone. */
  readonly summaries: { readonly rotateSecret: string; readonly verify: string }
  /** Those of every operation for this caller. */
  readonly refusals: Common
  /** Those of an operation that reads the project of an event. */
  readonly projectRefusals: OnProject
}) => {
  const change = <const Name extends string, const Codes extends ReadonlyArray<RefusalCode>>(
    name: Name,
    verb: string,
    summary: string,
    ...codes: Codes
  ) =>
    HttpApiEndpoint.post(name, `${path}/:subscriptionId/${verb}`, {
      params: SubscriptionPath,
      payload: EmptyBody,
      success: WebhookResult,
      error: refuses(...refusals, "STATE_CONFLICT", ...codes)
    }).annotateMerge(titled(summary))
  return [
    change(`pause${own}Webhook` as const, "pause", "Pause: keep pending deliveries, send nothing, queue no new events"),
    change(
      `resume${own}Webhook` as const,
      "resume",
      "Resume: send pending deliveries and queue new events",
      ...checks.activeSubscriptions
    ),
    change(`revoke${own}Webhook` as const, "revoke", "Revoke permanently"),
    change(`rotate${own}WebhookSecret` as const, "rotate-secret", summaries.rotateSecret),
    HttpApiEndpoint.get(`list${own}WebhookDeliveries` as const, `${path}/:subscriptionId/deliveries`, {
      params: SubscriptionPath,
      query: HistoryQuery,
      success: WebhookDeliveryPage,
      error: refuses(...refusals, "WEBHOOK_CURSOR_INVALID", "WEBHOOK_CURSOR_RESET_REQUIRED")
    }).annotateMerge(titled("Up to 100 deliveries after a checkpoint, in the order in which they were queued")),
    HttpApiEndpoint.post(
      `redeliver${own}Webhook` as const,
      `${path}/:subscriptionId/deliveries/:deliveryId/redeliver`,
      {
        params: DeliveryPath,
        payload: EmptyBody,
        success: WebhookDelivery,
        error: refuses(...refusals, ...projectRefusals, "REDELIVERY_LIMIT", "STATE_CONFLICT")
      }
    ).annotateMerge(titled("Redeliver: up to eight more attempts of the same delivery")),
    HttpApiEndpoint.post(`verify${own}Webhook` as const, `${path}/:subscriptionId/verify`, {
      params: SubscriptionPath,
      payload: WebhookVerify,
      success: VerifiedProjectEvent,
      error: refuses(...refusals, ...projectRefusals, ...checks.webhookVerification)
    }).annotateMerge(titled(summaries.verify))
  ] as const
}

export class Webhooks extends HttpApiGroup.make("webhooks", { topLevel: true })
  .add(
    HttpApiEndpoint.get("listWebhooks", "/webhooks", {
      success: Schema.Struct({ subscriptions: Schema.Array(WebhookSubscription) }).annotate({
        identifier: "WebhookList"
      })
    }).annotateMerge(titled("List this grant's active subscriptions and those that ended last")),
    HttpApiEndpoint.post("createWebhook", "/webhooks", {
      payload: WebhookCreate,
      success: WebhookResult.pipe(HttpApiSchema.status(201)),
      error: refuses(...checks.requestId, "FORBIDDEN_AGENT_PROJECT_SCOPE", ...checks.activeSubscriptions)
    }).annotateMerge(titled("Subscribe to events of projects; no test webhook is sent")),
    ...webhookEndpoints({
      path: "/webhooks",
      own: "",
      summaries: {
        rotateSecret: "Replace the signing secret, effective immediately",
        verify: "Verify that exactly this webhook was sent for the subscription; returns the current next action"
      },
      refusals: [],
      projectRefusals: ["FORBIDDEN_AGENT_PROJECT_SCOPE"]
    })
  )
  .pipe(forAgents) {}
