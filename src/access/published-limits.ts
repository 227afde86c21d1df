/** The limits that agents can plan with, published by the capabilities (8): sizes in bytes, durations in seconds. */
import { Schema } from "effect"
import type { WebhookTiming } from "../ports/webhook-timing.ts"
import { limits } from "../vocabulary/limits.ts"

const count = (description: string) => Schema.Int.annotate({ description })
const seconds = (description: string) => Schema.Finite.annotate({ description })

export const PublishedLimits = Schema.Struct({
  bodyBytes: count("A request body, where an operation documents no other limit."),
  exportRequestBytes: count("The body of a result-package export."),
  eventsPerProject: count("Events of one project; the last ones are reserved for its end."),
  projectsPerGrant: count("Projects in the scope of one grant."),
  proposalsPerGrant: count("Proposals in the scope of one grant."),
  jobsPerGrant: count("Saved jobs of one grant, across its renewals."),
  criteria: count("Criteria of one agreement."),
  filesPerItem: count("Files of one submitted item."),
  referencesPerItem: count("References of one submitted item."),
  canonicalExportBytes: count("A Result Passport, a Transaction Closure or an extended closure in canonical form."),
  passportSelectionMin: count("Results in one Result Passport, at least."),
  passportSelectionMax: count("Results in one Result Passport, at most; all of one subject."),
  commerceEntriesPerExport: count("Captured entries in one Commerce Record."),
  credentialLifetimeSeconds: seconds("Maximum lifetime of an agent credential; it never outlives its membership."),
  assistantCredentialLifetimeSeconds: seconds("Maximum lifetime of a participation assistant credential."),
  connectionLifetimeSeconds: seconds("Lifetime of a connection that no person approves."),
  specificationHandoffSeconds: seconds("Lifetime of the hand-off of a specification into a draft."),
  subscriptionsPerOwner: count("Active webhook subscriptions of one owner."),
  projectsPerSubscription: count("Projects of one webhook subscription."),
  subscriptionLifetimeSeconds: seconds("Maximum lifetime of a webhook subscription."),
  scheduledAttemptsPerDelivery: count(
    "Attempts of one webhook delivery before it is exhausted and needs an explicit redelivery."
  ),
  totalAttemptsPerDelivery: count("Attempts of one webhook delivery, redeliveries included."),
  deliveriesPerPass: count("Due webhook deliveries that one worker sends concurrently."),
  deliveryPassSeconds: seconds("How often a worker polls for due deliveries without a wake-up."),
  deliveryLeaseSeconds: seconds("Lease of a delivery; after it another worker takes over from a crashed one."),
  deliveryTimeoutSeconds: seconds("Timeout of one attempt: name resolution, connection, TLS and response."),
  deliveryBackoffSeconds: seconds("Backoff after the first failed attempt; each further failure doubles it."),
  deliveryBackoffMaxSeconds: seconds("Maximum backoff between two attempts."),
  resumedSubscriptionCheckSeconds: seconds(
    "Time within which pending deliveries of a resumed subscription are due again."
  ),
  deliveriesPerPage: count("Deliveries on one page of a delivery history."),
  webhookTimestampToleranceSeconds: seconds(
    "Maximum difference between a webhook timestamp and the time of its verification."
  ),
  statusWindowSeconds: seconds("Validity of an agent status and of a publication status."),
  commerceStatusWindowSeconds: seconds("Validity of a commerce component after its last observation."),
  creditsPerIssuance: count("Result credits that one issuance consumes.")
}).annotate({ identifier: "PublishedLimits" })

/** Webhook delivery follows the configured timing; every other limit is fixed. */
export const publishedLimits = (pace: WebhookTiming): typeof PublishedLimits.Type => ({
  bodyBytes: limits.bodyBytes,
  exportRequestBytes: limits.exportRequestBytes,
  eventsPerProject: limits.eventsPerProject,
  projectsPerGrant: limits.projectsPerGrant,
  proposalsPerGrant: limits.proposalsPerGrant,
  jobsPerGrant: limits.jobsPerGrant,
  criteria: limits.criteria,
  filesPerItem: limits.filesPerItem,
  referencesPerItem: limits.referencesPerItem,
  canonicalExportBytes: limits.canonicalExportBytes,
  passportSelectionMin: limits.passportSelectionMin,
  passportSelectionMax: limits.passportSelectionMax,
  commerceEntriesPerExport: limits.commerceEntries,
  credentialLifetimeSeconds: limits.credentialLifetime / 1000,
  assistantCredentialLifetimeSeconds: limits.participationLifetime / 1000,
  connectionLifetimeSeconds: limits.connectionLifetime / 1000,
  specificationHandoffSeconds: limits.handoffLifetime / 1000,
  subscriptionsPerOwner: limits.subscriptionsPerOwner,
  projectsPerSubscription: limits.projectsPerSubscription,
  subscriptionLifetimeSeconds: limits.subscriptionLifetime / 1000,
  scheduledAttemptsPerDelivery: limits.webhookAttempts,
  totalAttemptsPerDelivery: limits.webhookAttemptsTotal,
  deliveriesPerPass: pace.batch,
  deliveryPassSeconds: pace.interval / 1000,
  deliveryLeaseSeconds: pace.lease / 1000,
  deliveryTimeoutSeconds: pace.timeout / 1000,
  deliveryBackoffSeconds: pace.backoff / 1000,
  deliveryBackoffMaxSeconds: limits.webhookBackoffMost / 1000,
  resumedSubscriptionCheckSeconds: limits.webhookDeferral / 1000,
  deliveriesPerPage: limits.webhookDeliveriesOnPage,
  webhookTimestampToleranceSeconds: limits.webhookTimestampTolerance / 1000,
  statusWindowSeconds: limits.statusWindow / 1000,
  commerceStatusWindowSeconds: limits.commerceStatusWindow / 1000,
  creditsPerIssuance: limits.maxCredits
})
