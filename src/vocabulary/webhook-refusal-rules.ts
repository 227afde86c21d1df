/** The refusals of webhooks: subscriptions, deliveries and the verification of a request. Part of the table of refusals. */
import { limits } from "./limits.ts"
import type { RefusalRule } from "./refusal-rule.ts"

const minute = 60_000

export const webhookRefusals = {
  SUBSCRIPTION_LIMIT: {
    status: 429,
    section: "8",
    detail: `Limit reached: ${limits.subscriptionsPerOwner} active subscriptions of one owner, or ${limits.subscriptionsPerSide} of one side on one project; ask their owner to end one.`,
    nextAction: "ASK_OWNER"
  },
  REDELIVERY_LIMIT: {
    status: 429,
    section: "8",
    detail: `Limit reached: ${limits.webhookAttemptsTotal} attempts of one delivery; ask the owner of the subscription.`,
    nextAction: "ASK_OWNER"
  },
  WEBHOOK_CURSOR_RESET_REQUIRED: {
    status: 409,
    section: "6.5",
    detail: "The cursor has an outdated format; read the delivery history again from its beginning.",
    nextAction: "RESTART_DELIVERY_HISTORY"
  },
  WEBHOOK_CURSOR_INVALID: {
    status: 400,
    section: "6.5",
    detail: "Unknown cursor; use a checkpoint that this subscription has returned.",
    nextAction: "USE_RETURNED_CHECKPOINT"
  },
  WEBHOOK_TIMESTAMP_STALE: {
    status: 409,
    section: "6.3",
    detail: `The timestamp is invalid, or more than ${limits.webhookTimestampTolerance / minute} minutes from the clock of the service; discard the webhook request.`,
    nextAction: "DISCARD_CALLBACK"
  },
  WEBHOOK_SIGNATURE_INVALID: {
    status: 409,
    section: "6.3",
    detail:
      "The signature does not match these bytes under the current secret of the subscription; discard the webhook request.",
    nextAction: "DISCARD_CALLBACK"
  },
  WEBHOOK_EVENT_UNKNOWN: {
    status: 409,
    section: "6.3",
    detail: "These exact bytes were never sent for this subscription; discard the webhook request.",
    nextAction: "DISCARD_CALLBACK"
  }
} as const satisfies { readonly [code: string]: RefusalRule }
