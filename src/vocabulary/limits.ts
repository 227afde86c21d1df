/** Every limit of the service. Sizes are bytes or characters, durations milliseconds. */
import { databaseLimits } from "./database-limits.ts"
import { day, hour, minute, second } from "./durations.ts"

export const limits = {
  bodyBytes: 1_000_000,
  exportRequestBytes: 4_096,
  /** Unauthenticated clients can start connections: the stored data stays small. */
  connectionRequestBytes: 4_096,
  /** A form of an unauthenticated client, and its fields. */
  formBytes: 400_000,
  /** A form of a signed-in person: percent-encoded text is up to three times as long as in a JSON body. */
  signedInFormBytes: 3_000_000,
  formFields: 500,
  /** Checkboxes of one kind on a page, so that all of them together fit the fields of a form. */
  boxesOnPage: 300,
  jsonDepth: 32,
  /** Members, elements and documents of one body: twice those of the largest submission. */
  jsonValues: 100_000,
  pathParameterCharacters: 4_000,
  /** Issues listed in a 400, and the length of their paths: an invalid body must not produce a much larger response. */
  issues: 50,
  issuePathCharacters: 200,
  requestsInFlight: 512,
  /** The multiples of `requestsInFlight` from which reads, and then commands, are refused; lists are refused at the limit itself. */
  readsInFlightFactor: 1.25,
  commandsInFlightFactor: 1.5,
  /** The same for stop controls, which are counted by themselves: past it most of them could get no connection in time. */
  stopsInFlightFactor: 8,
  requestHeaders: 10 * second,
  requestWhole: 30 * second,
  /** How often connections are checked against the two bounds above: the bounds are exceeded by at most this. */
  requestTimeoutCheck: second,
  /** An idle connection stays open for longer than clients and proxies keep one, so that they do not use a closing one. */
  idleConnection: 75 * second,

  /** How long a body may take to arrive, without and with a credential; less than `requestWhole`. */
  anonymousBodyArrival: 5 * second,
  bodyArrival: 25 * second,
  /** A body still arriving after this is slow: ordinary bodies never count against the next two bounds. */
  bodyGrace: 250,
  /** How often arriving bodies are checked against the bounds above: the bounds are exceeded by at most this. */
  bodySweep: 250,
  /** Slow bodies of one client address, an IPv6 address counted as its /64, and of all addresses. */
  slowBodiesPerAddress: 64,
  slowBodies: 1_024,
  /** Bytes received of all bodies still arriving. */
  arrivingBodyBytes: 67_108_864,

  titleCharacters: 200,
  scopeCharacters: 20_000,
  textCharacters: 4_000,
  reviewNextActionCharacters: 2_000,
  criteria: 50,
  filesPerItem: 100,
  /** Files that a page hashes in the browser after one choice. */
  filesHashedAtOnce: 500,
  referencesPerItem: 50,
  fileBytes: Number.MAX_SAFE_INTEGER,
  sharingRecipients: 50,
  subjectRequirements: 50,

  /** Spec 8: event history of one project. */
  eventsPerProject: 100,
  /** Events, pauses and resumes on one page of a project's history for people. */
  historyOnPage: 20,
  /** Statements of lost events of one project, which have different kept events; also the page of open ones. */
  historyGaps: 100,
  /** A file of `admin known-heads`. */
  knownHeadsFileBytes: 8 * 1_048_576,
  /** Reserved for the events that end a project. */
  eventsReserved: 2,
  /** Canonical agreement and events of one project, so that its package fits a closure of 2 MiB. */
  historyBytes: 1_048_576,
  /** Likewise reserved for the events that end a project. */
  historyBytesReserved: 32_768,
  /** The cache of projects of one instance of the service, with the texts of their events. */
  foldedProjectBytes: 32_000_000,

  eventsPerProposal: 100,
  /** Grants of one side with a proposal in their scope: its acceptance locks them all. */
  grantsPerProposal: 100,
  proposalsOnPage: 50,
  proposalsOnPageMost: 100,
  /** How often a command on a proposal recomputes its lock plan after a concurrent change. */
  proposalPlans: 5,

  /** Opaque text that a caller attaches to a job and reads back. */
  workflowReferenceCharacters: 4_000,

  /** Drafts of one grant lineage, including finished and discarded ones: a person has to read them. */
  draftsPerGrant: 500,
  draftsListed: 1_000,
  draftReferences: 50,
  /** A specification that a person carries into a draft, possibly signing in first. */
  handoffLifetime: day,
  specificationIdCharacters: 100,
  specificationSummaryCharacters: 1_000,
  specificationReferences: 50,
  /** Code points of an indexed word: at four bytes each, they fit a key. */
  specificationWordCharacters: 128,
  searchCharacters: 200,
  specificationsOnPage: 20,

  credentialLifetime: 30 * day,
  projectsPerGrant: 50,
  proposalsPerGrant: 50,
  /** Spec 8: saved jobs of one grant lineage; jobs are never deleted. */
  jobsPerGrant: 500,
  /** The first event of a grant, its links, and some hundred renewals; one event is reserved for its revocation. */
  authorityEvents: 200,
  /** How long a one-time secret can be recovered by a replay of its request. */
  secretRecovery: 10 * minute,
  /** How often the last use of a credential or a session is recorded. */
  lastUseResolution: minute,
  /** The cache of credentials of one instance of the service: some ten thousand. */
  knownCredentialBytes: 5_000_000,

  connectionLifetime: 10 * minute,
  /** Seconds between polls, and the increase for each early poll. */
  connectionInterval: 5,
  /** How long the outcome of an ended connection is kept. */
  connectionRetention: day,
  connectionSweepInterval: 15 * second,
  connectionSweepLease: 30 * second,
  connectionSweepBatch: 20,
  userCodeCharacters: 8,

  /** Wrong codes and passwords within one window: per person, per address, and in total. */
  attemptsWindow: 10 * minute,
  attemptsPerPerson: 5,
  attemptsPerAddress: 20,
  /** Attempts without delay: on one name from all addresses, and in total; from then on all are delayed. */
  attemptsPerName: 20,
  attemptsFreeOfDelay: 100,
  attemptsDeletedAtOnce: 100,
  /** The delay increases by this with each such number again, up to the maximum. */
  attemptDelay: second,
  attemptDelayMost: 5 * second,

  sessionIdle: hour,
  sessionLifetime: 12 * hour,
  /** Live sessions of one person: a sign-in ends the one that was used the longest time ago. */
  sessionsPerPerson: 100,
  /** Maximum age of a sign-in for consent to guarded actions. */
  recentSignIn: 5 * minute,
  /** Maximum age of a sign-in for a signature in the workspace. */
  signingSignIn: 15 * minute,
  /** Timeout of one request to the sign-in provider. */
  signInProvider: 10 * second,
  /** Timeout of a notification in all, between the commit and the response. */
  mail: 3 * second,
  passwordCharactersLeast: 12,
  passwordCharactersMost: 1_000,
  sealedCookieLifetime: 10 * minute,

  invitationLifetime: 14 * day,
  /** Short enough to fit the index of contacts. */
  contactReferenceCharacters: 100,
  /** Projects on one page of a list by default, and at most; and the newest ones from which a form offers a choice. */
  projectsListed: 1_000,
  /** Projects from which a form for people offers a choice by boxes. */
  projectsOnPage: 100,
  /** Items on one page of a list for people. */
  itemsOnPage: 50,
  /** Entries on one page of a list of the API for people that has no limit of its own. */
  entriesListed: 100,
  membershipLifetime: 3_650 * day,
  /** Memberships in force of one organization: forms offer a choice of all members. */
  membersPerOrganization: 1_000,
  /** Organizations that one person joins by invitation, those left included; an operator may add more. */
  organizationsPerPerson: 2_000,
  /** Contacts of one organization: forms offer a choice of all. */
  contactsPerOrganization: 1_000,
  /** Self-service accounts of one person, including removed ones. */
  accountsPerPerson: 1_000,
  /** How often the removal of an account is planned again after another member has joined. */
  accountPlans: 5,

  /** The instructions to a participant. */
  instructionsCharacters: 20_000,
  participationLifetime: day,
  notesPerItem: 100,
  statusWindow: 5 * minute,
  /** Spec 8: exports of portable records, as the capabilities publish them. */
  canonicalExportBytes: 2_097_152,
  /** Spec 8: the results of one passport. */
  passportSelectionMin: 1,
  passportSelectionMax: 20,
  /** The body of a selection, in bytes; 20 selections take about 3,000. */
  passportRequestBytes: 8_192,
  /** Publications of one result, including withdrawn ones. */
  publicationsPerResult: 20,
  publicationsOnPage: 50,
  commerceEntries: 1_000,
  /** Canonical bytes of these entries: the signed file stays below `canonicalExportBytes`, in base64url and with all else. */
  commerceEntryBytes: 1_400_000,
  /** Canonical bytes of the payload of a Commerce status, whose signed file stays below `canonicalExportBytes` likewise. */
  commerceStatusBytes: 1_500_000,
  /** Spec 8: how long a component counts as fresh after its last successful read. */
  commerceStatusWindow: hour,
  /** Result Orders of one project, including declined and withdrawn ones: each keeps a Result Package. */
  resultOrders: 20,
  /** Orders on one page of an organization's list. */
  resultOrdersOnPage: 20,
  /** The newest orders of an organization on one side among which the start page looks for those that wait. */
  resultOrdersWaiting: 100,
  /** How often a command on an order is planned again after a concurrent change. */
  orderPlans: 5,
  /** Payment attempts of one Result Order. */
  paymentAttempts: 20,
  /** The amount of a Result Order, in the currency's minor unit. */
  amountMinorLeast: 1,
  amountMinor: 99_999_999,
  /** How long a checkout can be paid. */
  checkoutLifetime: hour,
  /** The last part of that lifetime, in which an opening without an answer is not repeated. */
  checkoutNotReopened: 30 * minute,
  /** How long after that lifetime an attempt is released whose opening was never answered. */
  checkoutUnknown: 5 * minute,
  /** Entities of one component in one readback, and the reversals of one transfer. */
  paymentEntities: 200,
  /** Code points of a text of the payment provider. */
  providerTextCharacters: 200,
  /** Between readbacks of an attempt whose checkout can be paid. */
  readbackOpen: 2 * minute,
  /** Between readbacks of a paid attempt during `readbackPaidPeriod` after its last entry. */
  readbackPaid: 45 * minute,
  readbackPaidPeriod: 7 * day,
  /** Between its readbacks afterwards, until `readbackPeriod` after its last entry. */
  readbackLater: day,
  readbackPeriod: 180 * day,
  /** The two last readbacks of an attempt, each so long after its release. */
  readbackReleased: hour,
  readbackReleasedLast: day,
  /** The worker of payments: the time between passes, that of a lease, and the attempts that it claims and reads back at once. */
  paymentInterval: 15 * second,
  paymentLease: minute,
  paymentBatch: 20,
  paymentConcurrency: 5,
  /** How long an attempt of another provider or environment is put off. */
  paymentDeferral: hour,
  /** The first repetition after a failed component, doubled with each failure up to the maximum. */
  readbackRetry: 15 * second,
  readbackRetryMost: hour,
  /** A refresh of an attempt that was captured this recently is answered from the store. */
  refreshCoalescing: 10 * second,
  /** A notification of the payment provider: its body in bytes, and its headers in characters. */
  paymentNotificationBytes: 262_144,
  paymentNotificationHeaders: 16_384,
  /** Attempts that one notification makes due; the others are read back in their turn. */
  paymentNotificationAttempts: 20,
  /** How far the timestamp of a payment notification may be from the clock of the service, in either direction. */
  paymentNotificationTolerance: 5 * minute,
  /** A call to Stripe: each of its tries, how often it is repeated, and the bytes of an answer. */
  stripeCall: 10 * second,
  stripeRetries: 2,
  stripeAnswerBytes: 4 * 1024 * 1024,
  /** Pages of one list: those of 200 entities have up to 100 each. */
  stripePages: 10,
  /** Open connections to Stripe, and the balance transactions of payouts that one readback asks for at once. */
  stripeConnections: 20,
  stripePayoutsAtOnce: 4,
  /** How long one component of a readback may take; PAYOUT follows TRANSFER. */
  stripeComponent: 45 * second,
  /** Characters of the signature header of a notification, and the signatures in it. */
  stripeSignatureHeader: 4_096,
  stripeSignatures: 10,
  /** Signing secrets of notifications, while one is rotated out. */
  stripeWebhookSecrets: 5,
  maxCredits: 1,
  creditsAtOnce: 1_000_000,

  /** Items on one page of an operator's list: the default, and the maximum of `--limit`. */
  administrationPage: 50,
  administrationPageMost: 500,
  /** Rows on one page of `admin check`, each with the rows that belong to it; and the default pause between pages. */
  checkedOnPage: 20,
  checkPause: 20,
  /** Pages of projects that `admin sizes` reads at most, about; and the days over which it takes their growth. */
  sizesPagesSampled: 2_000,
  sizesGrowthDays: 30,
  /** Deliveries counted in the backlog of one subscription; beyond it the count is shown as a minimum. */
  backlogCounted: 100,

  /** The documented bound of a list without another limit. */
  listItems: 10_000,

  /** Entries on one page of an organization's ledger. */
  creditEntriesListed: 100,

  /** Shares by one side of a project, including revoked ones, and the newest openings listed for each. */
  sharesPerSide: 50,
  openingsListed: 20,
  openingsPerShare: 1_000,

  issuanceInterval: 15 * second,
  issuanceLease: 30 * second,
  issuanceBatch: 20,

  /** Spec 8: active subscriptions of one owner, projects of each, and their lifetime. */
  subscriptionsPerOwner: 50,
  projectsPerSubscription: 50,
  subscriptionLifetime: 30 * day,
  /** Subscriptions of one side to one project: every event is queued for each of them. */
  subscriptionsPerSide: 200,
  /** Subscriptions in a list: all active ones, and those that ended last. */
  subscriptionsListed: 100,
  targetCharacters: 2_048,
  /** Spec 6.4: webhook delivery; the durations and the batch are configurable. */
  webhookBatch: 20,
  webhookBatchMost: 1_000,
  /** The maximum of any configured duration. */
  webhookTimingMost: hour,
  webhookInterval: 15 * second,
  webhookLease: 30 * second,
  webhookTimeout: 10 * second,
  /** The minimum time between the deadline of an attempt and the end of its lease. */
  webhookMargin: 5 * second,
  webhookBackoff: 15 * second,
  webhookBackoffMost: hour,
  webhookAttempts: 8,
  webhookAttemptsTotal: 80,
  /** A slower acknowledgement counts against concurrency like a failure. */
  webhookSlow: 2 * second,
  /** Concurrent attempts of one subscription, and of one whose last attempt failed or was slow. */
  webhookAttemptsPerSubscription: 5,
  webhookAttemptsPerFailing: 1,
  /** How long a delivery that cannot be sent now is deferred without an attempt. */
  webhookDeferral: minute,
  /** The minimum wait of a failing subscription for one of the slots shared by failing subscriptions. */
  webhookSlotWait: second,
  /** Subscriptions whose events are numbered in one transaction. */
  webhookFanOutTogether: 1_000,
  /** Subscriptions numbered alone at the same time, after the transaction of several has failed. */
  webhookFanOutAlone: 4,
  /** Subscriptions that one worker ends concurrently: each waits for all of its projects. */
  webhookEndings: 4,
  /** The minimum wait of an idle worker without a wake-up. */
  webhookIdleWaitLeast: 100,
  /** The maximum read of a response; none of it is kept. */
  webhookResponseBytes: 65_536,
  webhookResponseHeaderBytes: 16_384,
  /** Addresses of one name; a resolution with more is rejected. */
  webhookAddresses: 64,
  /** Within the deadline of an attempt: timeout of name resolution, and of one address of several. */
  webhookResolution: 4 * second,
  webhookConnect: 2.5 * second,
  /**
   * How long an idle connection is kept for reuse, and how many are kept, of one host and in all. Besides these, a worker
   * has one open connection for each send in progress, at most its batch.
   */
  webhookConnectionIdle: 2 * second,
  webhookConnectionsIdlePerHost: 16,
  /** For the transaction of an attempt: a target that closes a connection sooner gets a new one. */
  webhookConnectionReserve: 2 * second,
  webhookConnectionsIdle: 64,
  /** How long a verified certificate counts for an open connection and for the TLS sessions that descend from it. */
  webhookCertificateVerified: 5 * minute,
  /** TLS sessions kept of one host; the size of one, above which it is not kept; the size of those of all hosts. */
  webhookTlsSessionsPerHost: 5,
  webhookTlsSessionBytes: 16_384,
  webhookTlsSessionsBytes: 4_194_304,
  /** How long messages of one process are coalesced before other processes are notified, and the pause after a failure. */
  notificationCoalescing: 10,
  notificationPause: second,
  /** Reading the keys again in one process, and the answers of all processes to a command. */
  keyReload: 10 * second,
  keyReloadAnswers: 15 * second,
  /** A notification of Postgres has less than 8,000 bytes. */
  reloadReasonCharacters: 1_000,
  /** How long before its end a key is a warning, and how often the metric is updated. */
  keyExpiryWarning: 30 * day,
  keyExpiryInterval: minute,
  /** Maximum age of a worker's cached health check of the store and the clocks. */
  webhookHealthCache: second,
  webhookDeliveriesOnPage: 100,
  /** Webhook pages: projects listed of each subscription, and exhausted deliveries shown on its page. */
  webhookProjectsListed: 3,
  exhaustedShown: 20,
  webhookTimestampTolerance: 5 * minute,

  /** `countersign listen`: between two readings of the end of a history, for one reading, and between its retries. */
  listenInterval: second,
  listenRead: 30 * second,
  listenRetry: second,
  listenRetryMost: 30 * second,

  ...databaseLimits,

  clockOffset: 1 * second,
  /** After a stop signal: time for requests in flight, and for the whole process. */
  drain: 10 * second,
  drainInterval: 50,
  shutdown: 12 * second,
  /** Signals within this time of the first count as one: a terminal and npm both forward a signal. */
  shutdownRepeat: second
} as const
