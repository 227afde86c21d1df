/** The limits that an agent can plan with, as the capabilities tell them (8): sizes in bytes, durations in seconds. */
import { Schema } from "effect"
import type { Pace } from "../ports/callback-pace.ts"
import { limits } from "../vocabulary/limits.ts"

const count = (description: string) => Schema.Int.annotate({ description })
const seconds = (description: string) => Schema.Finite.annotate({ description })

export const PublishedLimits = Schema.Struct({
  bodyBytes: count("A request body, where an operation names no other bound."),
  exportRequestBytes: count("The body of a result-package export."),
  eventsPerProject: count("The history of one project; the last places are kept for what ends it."),
  projectsPerGrant: count("Projects created into or linked to the scope of one credential."),
  proposalsPerGrant: count("Proposals in the scope of one credential."),
  jobsPerGrant: count("Saved jobs of one credential, its renewals included."),
  criteria: count("Criteria of one agreement."),
  filesPerItem: count("Files of one submitted item."),
  referencesPerItem: count("References of one submitted item."),
  canonicalExportBytes: count("A Result Passport, a Transaction Closure or an extended closure in canonical form."),
  passportSelectionMin: count("Results in one Result Passport, at least."),
  passportSelectionMax: count("Results in one Result Passport, at most; all of one subject."),
  commerceEntriesPerExport: count("Captured entries in one Commerce Record."),
  credentialLifetimeSeconds: seconds("An agent credential lives no longer, and never past the membership behind it."),
  assistantCredentialLifetimeSeconds: seconds("A participation assistant credential lives no longer."),
  connectionLifetimeSeconds: seconds("A connection request that no person has approved ends after it."),
  specificationHandoffSeconds: seconds("A specification that a person carries into a draft."),
  subscriptionsPerOwner: count("Webhook subscriptions of one owner that have not ended."),
  projectsPerSubscription: count("Projects of one webhook subscription."),
  subscriptionLifetimeSeconds: seconds("A webhook subscription lives no longer."),
  scheduledAttemptsPerDelivery: count("Attempts of one webhook delivery before it needs an explicit redelivery."),
  totalAttemptsPerDelivery: count("Attempts of one webhook delivery, redeliveries included."),
  deliveriesPerPass: count("Due webhook deliveries that one worker sends at a time."),
  deliveryPassSeconds: seconds("How often a worker looks for due deliveries, where nothing wakes it."),
  deliveryLeaseSeconds: seconds("After it another worker takes over the delivery of one that crashed."),
  deliveryTimeoutSeconds: seconds("One attempt in all: name resolution, connection, TLS and answer."),
  deliveryBackoffSeconds: seconds("The pause after a first failed attempt; each further failure doubles it."),
  deliveryBackoffMaxSeconds: seconds("The longest pause between two attempts."),
  resumedSubscriptionCheckSeconds: seconds("Within it the pending deliveries of a resumed subscription are due again."),
  deliveriesPerPage: count("Records of one page of a delivery history."),
  webhookTimestampToleranceSeconds: seconds("How far a webhook timestamp may be from the time of its verification."),
  statusWindowSeconds: seconds("An agent status and a publication status are valid this long."),
  commerceStatusWindowSeconds: seconds("A commerce component is current this long after its last observation."),
  creditsPerIssuance: count("Result credits that one issuance consumes.")
}).annotate({ identifier: "PublishedLimits" })

/** Callbacks are paced by what the operator configured; every other limit is the service's own. */
export const publishedLimits = (pace: Pace): typeof PublishedLimits.Type => ({
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
  passportSelectionMin: limits.passportSelectionLeast,
  passportSelectionMax: limits.passportSelection,
  commerceEntriesPerExport: limits.commerceEntries,
  credentialLifetimeSeconds: limits.credentialLifetime / 1000,
  assistantCredentialLifetimeSeconds: limits.participationLifetime / 1000,
  connectionLifetimeSeconds: limits.connectionLifetime / 1000,
  specificationHandoffSeconds: limits.handoffLifetime / 1000,
  subscriptionsPerOwner: limits.subscriptionsPerOwner,
  projectsPerSubscription: limits.projectsPerSubscription,
  subscriptionLifetimeSeconds: limits.subscriptionLifetime / 1000,
  scheduledAttemptsPerDelivery: limits.callbackAttempts,
  totalAttemptsPerDelivery: limits.callbackAttemptsTotal,
  deliveriesPerPass: pace.batch,
  deliveryPassSeconds: pace.interval / 1000,
  deliveryLeaseSeconds: pace.lease / 1000,
  deliveryTimeoutSeconds: pace.timeout / 1000,
  deliveryBackoffSeconds: pace.backoff / 1000,
  deliveryBackoffMaxSeconds: limits.callbackBackoffMost / 1000,
  resumedSubscriptionCheckSeconds: limits.callbackDeferral / 1000,
  deliveriesPerPage: limits.callbacksOnPage,
  webhookTimestampToleranceSeconds: limits.callbackTimestampTolerance / 1000,
  statusWindowSeconds: limits.statusWindow / 1000,
  commerceStatusWindowSeconds: limits.commerceStatusWindow / 1000,
  creditsPerIssuance: limits.maxCredits
})
