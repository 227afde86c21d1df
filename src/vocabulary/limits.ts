/** Every limit of the service has its home and its name here. Sizes are bytes or characters, durations milliseconds. */
const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

export const limits = {
  bodyBytes: 1_000_000,
  exportRequestBytes: 4_096,
  /** Anyone can start a connection: what is kept of it stays small. */
  connectionRequestBytes: 4_096,
  /** A form that anyone can send, and its fields. */
  formBytes: 400_000,
  /** A form of a person who is signed in: percent-encoded, a text is up to threefold what it is in a body. */
  signedInFormBytes: 3_000_000,
  formFields: 500,
  /** How many boxes of one kind a page shows, so that all of them ticked are within the fields of a form. */
  boxesOnPage: 300,
  jsonDepth: 32,
  /** Members, elements and documents of one body: twice what the largest submission has. */
  jsonValues: 100_000,
  pathParameterCharacters: 4_000,
  /** What a 400 lists at most, and of each the path: a bad body must not make a far larger answer. */
  issues: 50,
  issuePathCharacters: 200,
  requestsInFlight: 512,
  requestHeaders: 10 * second,
  requestWhole: 30 * second,
  /** How often connections are checked against the two bounds above: they are exceeded by no more than this. */
  requestTimeoutCheck: second,

  /** How long a body may take to arrive, without a credential and with one; less than the whole request may. */
  anonymousBodyArrival: 5 * second,
  bodyArrival: 25 * second,
  /** A body that has not arrived after this long is a slow one: ordinary bodies never count against the next two bounds. */
  bodyGrace: 250,
  /** How often arriving bodies are checked against the bounds of time above: they are exceeded by no more than this. */
  bodySweep: 250,
  /** Slow bodies of one client address, an IPv6 address counted as its /64, and of all addresses. */
  slowBodiesPerAddress: 64,
  slowBodies: 1_024,
  /** Bytes received of all bodies that are still arriving. */
  arrivingBodyBytes: 67_108_864,

  titleCharacters: 200,
  scopeCharacters: 20_000,
  textCharacters: 4_000,
  reviewNextActionCharacters: 2_000,
  criteria: 50,
  filesPerItem: 100,
  referencesPerItem: 50,
  fileBytes: Number.MAX_SAFE_INTEGER,
  sharingRecipients: 50,
  subjectRequirements: 50,

  /** Spec 8: event history of one project. */
  eventsPerProject: 100,
  /** The last places are kept for the events that end a project. */
  eventsReserved: 2,
  /** Canonical agreement and events of one project, so that its package fits a closure of 2 MiB. */
  historyBytes: 1_048_576,
  /** Kept, like the last places, for the events that end a project. */
  historyBytesReserved: 32_768,

  eventsPerProposal: 100,
  /** Grants of one side that can hold a proposal: its acceptance locks them all. */
  grantsPerProposal: 100,
  proposalsOnPage: 50,
  proposalsOnPageMost: 100,
  /** How often a command on a proposal plans again because what it had planned by changed meanwhile. */
  proposalPlans: 5,

  /** Text that a caller gives a job and gets back; nothing reads it. */
  workflowReferenceCharacters: 4_000,

  /** Drafts of one grant lineage, finished and discarded ones too: a person has to read them. */
  draftsPerGrant: 500,
  draftsRead: 1_000,
  draftReferences: 50,
  /** A specification carried into a draft by a person who may have to sign in first. */
  handoffLifetime: day,
  specificationIdCharacters: 100,
  specificationSummaryCharacters: 1_000,
  specificationReferences: 50,
  /** Code points of a word that the index keeps: of four bytes each at most, they fit a key. */
  specificationWordCharacters: 128,
  searchCharacters: 200,
  specificationsOnPage: 20,

  credentialLifetime: 30 * day,
  projectsPerGrant: 50,
  proposalsPerGrant: 50,
  /** Spec 8: saved jobs of one grant lineage; none is ever purged. */
  jobsPerGrant: 500,
  /** A grant's first event, its links, and some hundred renewals; the last place is kept for its revocation. */
  authorityEvents: 200,
  /** A secret that is shown once can be asked for again this long, where the answer was lost. */
  secretRecovery: 10 * minute,
  /** How often the last use of a credential or a session is written down. */
  lastUseInterval: minute,

  connectionLifetime: 10 * minute,
  /** Seconds between polls, and what each early poll adds. */
  connectionInterval: 5,
  /** How long a connection that has ended still says how it ended. */
  connectionRetention: day,
  connectionSweepInterval: 15 * second,
  connectionSweepLease: 30 * second,
  connectionSweepBatch: 20,
  userCodeCharacters: 8,

  /** Wrong codes and passwords: of one person, of one address, and of everybody, in one window. */
  attemptsWindow: 10 * minute,
  attemptsPerPerson: 5,
  attemptsPerAddress: 20,
  /** What all addresses together may try of one name, and everybody of everything, before all of them wait. */
  attemptsPerName: 20,
  attemptsFreeOfDelay: 100,
  attemptsForgotten: 100,
  /** Past that each waits this much more for as many again, and no longer than the most. */
  attemptDelay: second,
  attemptDelayMost: 5 * second,

  sessionIdle: hour,
  sessionLifetime: 12 * hour,
  /** How fresh a sign-in must be for consent to what no preset holds. */
  recentSignIn: 5 * minute,
  /** How fresh it must be for a signature in the workspace. */
  signingSignIn: 15 * minute,
  /** How long the provider of sign-ins may take for one answer. */
  signInProvider: 10 * second,
  /** How long a notification may take in all, between the commit and the answer. */
  mail: 3 * second,
  passwordCharactersLeast: 12,
  passwordCharactersMost: 1_000,
  sealedCookieLifetime: 10 * minute,

  invitationLifetime: 14 * day,
  /** Short enough that a contact's place fits an index. */
  contactReferenceCharacters: 100,
  projectsRead: 1_000,
  /** Of how many projects that go on a list says what is next: each is read whole. */
  projectsFollowed: 100,
  membershipLifetime: 3_650 * day,

  /** What a participant is asked to do. */
  instructionsCharacters: 20_000,
  participationLifetime: day,
  notesPerItem: 100,
  statusWindow: 5 * minute,
  /** Spec 8: exports of portable records, as the capabilities tell them. */
  canonicalExportBytes: 2_097_152,
  passportSelectionLeast: 1,
  passportSelection: 20,
  commerceEntries: 1_000,
  commerceStatusWindow: hour,
  maxCredits: 1,
  creditsAtOnce: 1_000_000,

  /** Items on one page of an operator's list: the default, and the most that `--limit` can ask for. */
  administrationPage: 50,
  administrationPageMost: 500,
  /** Deliveries that are counted of one subscription's backlog; more are shown as more. */
  backlogCounted: 100,

  /** The bound that the documents give to a list that no other limit bounds. */
  listItems: 10_000,

  /** What one page of an organization's ledger shows. */
  creditEntriesRead: 100,

  /** Records that one side of a project has shared, revoked ones too, and the newest openings listed of each. */
  sharesPerSide: 50,
  openingsListed: 20,
  openingsPerShare: 1_000,

  issuanceInterval: 15 * second,
  issuanceLease: 30 * second,
  issuanceBatch: 20,

  /** Spec 8: subscriptions of one owner that have not ended, projects of each, and how long each lives. */
  subscriptionsPerOwner: 50,
  projectsPerSubscription: 50,
  subscriptionLifetime: 30 * day,
  /** Subscriptions that listen to one project for one of its sides: every event is queued for each of them. */
  subscriptionsPerSide: 200,
  /** What a list shows: all that live, and those that ended last. */
  subscriptionsListed: 100,
  /** The same to a person, of themselves and all their agents together. */
  subscriptionsShown: 500,
  targetCharacters: 2_048,
  /** Spec 6.4: how callbacks are sent; the durations and the batch can be configured. */
  callbackBatch: 20,
  callbackBatchMost: 1_000,
  /** The longest that any duration of the pace can be set to. */
  callbackPaceMost: hour,
  callbackInterval: 15 * second,
  callbackLease: 30 * second,
  callbackTimeout: 10 * second,
  /** What a lease outlives the deadline of its send by, at least. */
  callbackMargin: 5 * second,
  callbackBackoff: 15 * second,
  callbackBackoffMost: hour,
  callbackAttempts: 8,
  callbackAttemptsTotal: 80,
  /** An acknowledgement that took longer takes a place as long as a failure does. */
  callbackSlow: 2 * second,
  /** Sends of one subscription under way at a time, and of one whose last attempt failed or was slow. */
  callbacksPerSubscription: 5,
  callbacksPerFailing: 1,
  /** How long what cannot be sent now is put off without an attempt. */
  callbackDeferral: minute,
  /** How long a failing subscription waits at least for one of the places that such ones have. */
  callbackPlaceWait: second,
  /** Subscriptions for which one worker numbers events at a time. */
  callbackFanOut: 4,
  /** Subscriptions that one worker ends at a time: each waits for all of its projects. */
  callbackEndings: 4,
  /** How long a worker that found nothing to do waits at least, where nobody rings. */
  callbackWaitLeast: 100,
  /** What is read of a response at most; nothing is kept. */
  callbackResponseBytes: 65_536,
  callbackResponseHeaderBytes: 16_384,
  /** Addresses of one name: past that no name is believed. */
  callbackAddresses: 64,
  /** Within the deadline of a send: how long its name is asked for, and how long one address of several is tried. */
  callbackResolution: 4 * second,
  callbackConnect: 2.5 * second,
  /** How long a connection waits for another send, and how many of them do. */
  callbackConnectionIdle: 2 * second,
  callbackConnectionsIdle: 64,
  /** How long rings of one process are gathered before the others are told, and the pause before they are told again. */
  callbackRings: 10,
  callbackWakeupPause: second,
  /** How old a worker's knowledge of the store and the clocks may be. */
  callbackFitness: second,
  callbacksOnPage: 100,
  /** What a person sees of callbacks: of each its first projects in a list, and on its own page what failed for good. */
  callbackProjectsListed: 3,
  exhaustedShown: 20,
  callbackTimestampTolerance: 5 * minute,

  /** The database: how long a connection may take to open, and a statement to run. */
  databaseConnect: 5 * second,
  databaseStatement: 5 * second,
  /** The longest silence while an answer is awaited: past it the connection is dropped. */
  databaseAnswer: 7 * second,
  /** The idle time before TCP keep-alive probes a connection. */
  databaseKeepAlive: 30 * second,
  /** How long a start waits for a database that takes writes, and for another process that migrates it. */
  databaseStart: 30 * second,
  migrationLock: 2 * minute,
  databasePoll: 200,

  clockOffset: 1 * second,
  /** How long requests in flight may take after a signal to stop, and how long the whole process may. */
  drain: 10 * second,
  drainInterval: 50,
  shutdown: 12 * second,
  /** Signals within this time of the first are the same request: a terminal and npm both pass one on. */
  shutdownRepeat: second
} as const
