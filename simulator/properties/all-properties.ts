/** All properties, in the order of reports. */
import type { MonitoredProperty } from "./property.ts"
import { acknowledgedRevocationIsEffective } from "./safety/acknowledged-revocation-is-effective.ts"
import { limitsAreEnforced } from "./safety/limits-are-enforced.ts"
import { deadlinesEnforcedAtCommit } from "./safety/deadlines-enforced-at-commit.ts"
import { noCommandOnAStaleHead } from "./safety/no-command-on-a-stale-head.ts"
import { oneLiveCredentialPerGrant } from "./safety/one-live-credential-per-grant.ts"
import { atMostOneEffectPerRequest } from "./safety/at-most-one-effect-per-request.ts"
import { renewalPreservesTheGrant } from "./safety/renewal-preserves-the-grant.ts"
import { requestIdIdentifiesOneRequest } from "./safety/request-id-identifies-one-request.ts"
import { readsAndRefusalsWriteNothing } from "./safety/reads-and-refusals-write-nothing.ts"
import { oneProjectPerProposal } from "./safety/one-project-per-proposal.ts"
import { noSendWithoutLiveAuthority } from "./safety/no-send-without-live-authority.ts"
import { eventTimestampsAreMonotonic } from "./safety/event-timestamps-are-monotonic.ts"
import { transientErrorsAreRetried } from "./safety/transient-errors-are-retried.ts"
import { recordedStatusMatchesResponse } from "./safety/recorded-status-matches-response.ts"
import { attemptsAreCountedUnderALease } from "./safety/attempts-are-counted-under-a-lease.ts"
import { webhookSignaturesAreValid } from "./safety/webhook-signatures-are-valid.ts"
import { creditsAreConserved } from "./safety/credits-are-conserved.ts"
import { everyChainVerifies } from "./safety/every-chain-verifies.ts"
import { noDeliveryIsLost } from "./safety/no-delivery-is-lost.ts"
import { eventIsQueuedOncePerActiveSubscription } from "./safety/event-is-queued-once-per-active-subscription.ts"
import { noConnectionToPrivateAddresses } from "./safety/no-connection-to-private-addresses.ts"
import { oneWebhookPerConnection } from "./safety/one-webhook-per-connection.ts"
import { lastUsedUpdateIsBestEffort } from "./safety/last-used-update-is-best-effort.ts"
import { eachWebhookRequestIsOneAttempt } from "./safety/each-webhook-request-is-one-attempt.ts"
import { gracefulStopReleasesLeases } from "./safety/graceful-stop-releases-leases.ts"
import { attemptOutcomeMatchesObservation } from "./safety/attempt-outcome-matches-observation.ts"
import { expiredLeaseIsReclaimed } from "./liveness/expired-lease-is-reclaimed.ts"
import { sentWebhooksVerify } from "./safety/sent-webhooks-verify.ts"
import { deliveryHistoryListsEachDeliveryOnce } from "./safety/delivery-history-lists-each-delivery-once.ts"
import { dueDeliveryIsAttempted } from "./liveness/due-delivery-is-attempted.ts"
import { everyWebhookIsDelivered } from "./liveness/every-webhook-is-delivered.ts"
import { emailFailureDoesNotAffectResponse } from "./safety/email-failure-does-not-affect-response.ts"
import { lostCredentialIsRecoverable } from "./safety/lost-credential-is-recoverable.ts"
import { refusedSignInChangesNoSession } from "./safety/refused-sign-in-changes-no-session.ts"
import { issuanceRequestIsProcessed } from "./safety/issuance-request-is-processed.ts"
import { agreementUsesCurrentLegalDocuments } from "./safety/agreement-uses-current-legal-documents.ts"
import { publishedResultsHaveBothConsents } from "./safety/published-results-have-both-consents.ts"
import { statementsAnswerTheSelection } from "./safety/statements-answer-the-selection.ts"
import { resultOrdersMoveAsAgreed } from "./safety/result-orders-move-as-agreed.ts"
import { onePaymentPerOrder } from "./safety/one-payment-per-order.ts"
import { everyJournalVerifies } from "./safety/every-journal-verifies.ts"
import { journalsStateObservedFacts } from "./safety/journals-state-observed-facts.ts"
import { aJournalHeadHasOneRecord } from "./safety/a-journal-head-has-one-record.ts"
import { aClosureHoldsOneTransaction } from "./safety/a-closure-holds-one-transaction.ts"
import { aClosureRespectsTheRecordGate } from "./safety/a-closure-respects-the-record-gate.ts"
import { aHistoryReferenceRestsOnAPublicResult } from "./safety/a-history-reference-rests-on-a-public-result.ts"
import { oneHomePerTransaction } from "./safety/one-home-per-transaction.ts"
import { notificationsAreOnlyHints } from "./safety/notifications-are-only-hints.ts"
import { reachabilityProperties } from "./reachability/reachability-properties.ts"

export const properties: ReadonlyArray<MonitoredProperty> = [
  eventTimestampsAreMonotonic,
  transientErrorsAreRetried,
  lastUsedUpdateIsBestEffort,
  deadlinesEnforcedAtCommit,
  acknowledgedRevocationIsEffective,
  noCommandOnAStaleHead,
  oneLiveCredentialPerGrant,
  atMostOneEffectPerRequest,
  renewalPreservesTheGrant,
  requestIdIdentifiesOneRequest,
  noSendWithoutLiveAuthority,
  oneProjectPerProposal,
  limitsAreEnforced,
  readsAndRefusalsWriteNothing,
  lostCredentialIsRecoverable,
  emailFailureDoesNotAffectResponse,
  refusedSignInChangesNoSession,
  issuanceRequestIsProcessed,
  agreementUsesCurrentLegalDocuments,
  publishedResultsHaveBothConsents,
  statementsAnswerTheSelection,
  resultOrdersMoveAsAgreed,
  onePaymentPerOrder,
  everyJournalVerifies,
  journalsStateObservedFacts,
  aJournalHeadHasOneRecord,
  aClosureHoldsOneTransaction,
  aClosureRespectsTheRecordGate,
  aHistoryReferenceRestsOnAPublicResult,
  notificationsAreOnlyHints,
  oneHomePerTransaction,
  recordedStatusMatchesResponse,
  attemptsAreCountedUnderALease,
  webhookSignaturesAreValid,
  creditsAreConserved,
  everyChainVerifies,
  noDeliveryIsLost,
  eventIsQueuedOncePerActiveSubscription,
  noConnectionToPrivateAddresses,
  oneWebhookPerConnection,
  eachWebhookRequestIsOneAttempt,
  attemptOutcomeMatchesObservation,
  sentWebhooksVerify,
  gracefulStopReleasesLeases,
  expiredLeaseIsReclaimed,
  deliveryHistoryListsEachDeliveryOnce,
  dueDeliveryIsAttempted,
  everyWebhookIsDelivered,
  ...reachabilityProperties
]
