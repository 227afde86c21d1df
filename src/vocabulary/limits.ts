/** Every limit of the service has its home and its name here. Sizes are bytes or characters, durations milliseconds. */
const second = 1000
const minute = 60 * second
const day = 24 * 60 * minute

export const limits = {
  bodyBytes: 1_000_000,
  exportRequestBytes: 4_096,
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

  credentialLifetime: 30 * day,
  projectsPerGrant: 50,
  /** A grant's first event, its links, and a renewal a day for years. */
  authorityEvents: 1_000,
  connectionLifetime: 10 * minute,
  connectionInterval: 5,
  statusWindow: 5 * minute,
  maxCredits: 1,
  creditsAtOnce: 1_000_000,

  issuanceInterval: 15 * second,
  issuanceLease: 30 * second,
  issuanceBatch: 20,

  clockOffset: 1 * second,
  drain: 10 * second,
  drainInterval: 50
} as const
